"""Programs of several processes, and the test that runs them."""
