"""NumPy's and SciPy's names that follow from the others: they are written once, over operators and functions that every kind of array has."""
