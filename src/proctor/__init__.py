"""Proctor examines robot policies: what they can do, how they fail, whether they are safe, which is really better."""

__version__ = "0.1.0"

__all__ = ["__version__"]
