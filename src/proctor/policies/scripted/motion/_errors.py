"""Errors of motion planning."""

from proctor.core import ProctorError


class MotionError(ProctorError):
    """A motion cannot be planned: what is missing, or why not."""


class NoPathError(MotionError):
    """There is no path, or none was found within the effort that was allowed."""
