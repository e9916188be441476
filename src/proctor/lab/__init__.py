"""The bench: a real, cheap, reproducible SO-101 station, and a twin of it that needs no robot."""
