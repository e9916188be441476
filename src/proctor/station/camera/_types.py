"""The `Camera` and `Frame` that all of the station uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError

Picture = NDArray[np.uint8]


class CameraError(ProctorError):
    """A camera cannot be opened, or stopped answering."""


class PicturesEndedError(CameraError):
    """Pictures from disk have all been shown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: upright RGB [H, W, 3], and when it was taken on this machine's monotonic clock (seconds)."""

    image: Picture
    time_s: float


@runtime_checkable
class Camera(Protocol):
    """Something that gives pictures. `read` raises `CameraError` as soon as it no longer can."""

    @property
    def name(self) -> str:
        """What the station calls it: ``top`` or ``wrist``."""
        ...

    def read(self) -> Frame: ...

    def close(self) -> None:
        """Let go of the device; may be called twice."""
        ...
