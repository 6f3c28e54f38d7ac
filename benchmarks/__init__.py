"""How fast bleuet is beside the tools it stands in for: `python -m benchmarks`."""
