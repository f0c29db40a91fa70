"""What tools/bench.py measures: one module a subject."""
