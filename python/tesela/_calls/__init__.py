"""How the library is called: what it has, contexts and their options, and what it says as exceptions."""
