"""The twin's cameras, and any other function that gives pictures, as cameras of the bench."""

from __future__ import annotations

import time
from typing import Protocol

from proctor.core import ProctorError

from ._types import CameraError, Frame, Picture


class Photographed(Protocol):
    """What has pictures: `proctor.station.twin.Twin`."""

    def frame(self, camera: str, width: int | None = None) -> Picture: ...


class TwinCamera:
    """One camera of a twin; an unplugged one raises `CameraError`, as a real one does."""

    def __init__(self, twin: Photographed, name: str, width: int | None = None) -> None:
        self._twin = twin
        self._width = width
        self.name = name

    def read(self) -> Frame:
        # The time of the state that is seen, not of the finished picture: drawing it takes a while.
        taken_s = time.monotonic()
        try:
            return Frame(self._twin.frame(self.name, self._width), taken_s)
        except ProctorError as error:
            raise CameraError(str(error)) from error

    def close(self) -> None:
        """Nothing to let go of: the twin belongs to who made it."""
