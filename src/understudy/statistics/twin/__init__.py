"""The kernel's legible twin: the same numbers in plain Python, from the definitions."""
