"""What can be wrong with a task once it is to be built."""

from __future__ import annotations

from proctor.core import ProctorError
from proctor.tasks.cbddl import Span


class SceneError(ProctorError):
    """A task names something that the world cannot build; the text says where in the file."""


def located(span: Span, error: SceneError) -> SceneError:
    """Return ``error`` with the place in the file in front, unless it already names one there."""
    return error if str(error).startswith(f"{span.file}:") else SceneError(f"{span}: {error}")


class LayoutError(ProctorError):
    """No collision-free layout was found for a task."""
