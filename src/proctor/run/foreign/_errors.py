"""What can go wrong with a foreign simulator."""

from __future__ import annotations

from proctor.core import ProctorError


class ForeignEnvError(ProctorError):
    """A simulator in another virtual environment is missing, refused, died or gave no answer; the text says which."""
