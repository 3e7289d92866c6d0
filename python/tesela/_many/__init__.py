"""One call of the library on one matrix or on a stack of them, wherever it is and whatever kind of array it is in."""
