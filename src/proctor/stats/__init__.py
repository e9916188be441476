"""Pure functions of episode rows. They know nothing of MuJoCo, robots or files."""

from ._intervals import wilson

__all__ = ["wilson"]
