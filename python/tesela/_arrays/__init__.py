"""Arrays of everybody's, and matrices that stay on the device."""
