"""hLEPOR."""
