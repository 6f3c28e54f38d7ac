"""How fast understudy is beside the tools it stands in for: `python -m benchmarks`."""
