"""Arrays of other libraries, and what is for these alone."""
