"""The Python backend: the kernel's numbers in plain Python, from the definitions."""
