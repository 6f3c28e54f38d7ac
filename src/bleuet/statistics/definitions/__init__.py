"""The base of counters in plain Python, and the kernel's functions that belong to no metric."""
