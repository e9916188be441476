"""The cameras during a trial: each read by a thread of its own, so that a slow one delays nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Camera, CameraError, CameraThread, Frame


class StationCameras:
    """All cameras of a station."""

    def __init__(self, cameras: Sequence[Camera], hz: float, silent_s: float = 2.0) -> None:
        self._threads = {camera.name: CameraThread(camera, hz, silent_s=silent_s) for camera in cameras}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._threads)

    def open(self) -> None:
        for thread in self._threads.values():
            thread.open()

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()

    def latest(self) -> dict[str, Frame]:
        return {name: thread.latest() for name, thread in self._threads.items()}

    def frame(self, name: str) -> Frame:
        if name not in self._threads:
            raise CameraError(f"no camera {name!r} (there are {', '.join(self._threads)})")
        return self._threads[name].latest()


def squared(frames: Mapping[str, Frame], wanted: Sequence[str], side: int) -> dict[str, NDArray[np.uint8]]:
    """Return the pictures a policy asked for as squares: the whole picture at its proportions, black bars beside it."""
    return {name: _square(frames[name].image, side) for name in wanted}


def _square(picture: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    scale = side / max(height, width)
    across, down = max(1, round(width * scale)), max(1, round(height * scale))
    if scale != 1:
        from PIL import Image

        small: Any = Image.fromarray(picture).resize((across, down), Image.Resampling.BILINEAR)
        picture = np.asarray(small, dtype=np.uint8)
    out = np.zeros((side, side, 3), np.uint8)
    top, left = (side - down) // 2, (side - across) // 2
    out[top : top + down, left : left + across] = picture
    return out


def without_bars(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a squared picture without its black bars."""
    rows, columns = np.flatnonzero(picture.any(axis=(1, 2))), np.flatnonzero(picture.any(axis=(0, 2)))
    if len(rows) == 0:
        return picture
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
