"""What can be wrong with a task once it is to be built."""

from __future__ import annotations

from proctor.core import ProctorError


class SceneError(ProctorError):
    """A task names something that the world cannot build; the text says where in the file."""


class LayoutError(ProctorError):
    """No collision-free layout was found for a task."""
