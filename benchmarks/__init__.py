"""The speed of bleuet compared with other tools: `python -m benchmarks`."""
