"""What klopt costs and what it gets right: `python -m benchmarks`."""
