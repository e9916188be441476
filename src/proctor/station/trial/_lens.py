"""The cameras during a trial: each read by a thread of its own, so that a slow one delays nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.camera import Camera, CameraError, Frame


class Lens:
    """One camera. `latest` never waits while it is open; when it is not, it takes a picture."""

    def __init__(self, camera: Camera, hz: float, silent_s: float) -> None:
        self.name = camera.name
        self._camera = camera
        self._period_s = 1 / hz
        self._silent_s = silent_s
        self._reading = threading.Lock()
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._problem = ""
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Begin to read; the frame of an earlier time is forgotten."""
        self._frame, self._problem = None, ""
        self._ending.clear()
        self._thread = threading.Thread(target=self._run, name=f"camera-{self.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop reading. A camera that hangs is left to its thread."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(self._silent_s)
            self._thread = None

    def latest(self) -> Frame:
        """Return the newest picture; `CameraError` when the camera is lost or has been silent for too long."""
        if self._thread is None:
            with self._reading:
                return self._camera.read()
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or bool(self._problem), self._silent_s)
            if self._problem:
                raise CameraError(self._problem)
            frame = self._frame
        if frame is None or time.monotonic() - frame.time_s > self._silent_s:
            raise CameraError(f"camera {self.name!r} has given no picture for {self._silent_s:g} s: check its cable")
        return frame

    def _run(self) -> None:
        due = time.monotonic()
        while not self._ending.is_set():
            try:
                with self._reading:
                    frame = self._camera.read()
            except Exception as error:
                with self._changed:
                    self._problem = str(error) if isinstance(error, ProctorError) else f"camera {self.name!r}: {error}"
                    self._changed.notify_all()
                return
            with self._changed:
                self._frame = frame
                self._changed.notify_all()
            due = max(due + self._period_s, time.monotonic())
            self._ending.wait(due - time.monotonic())


class Lenses:
    """All cameras of a bench."""

    def __init__(self, cameras: Sequence[Camera], hz: float, silent_s: float = 2.0) -> None:
        self._lenses = {camera.name: Lens(camera, hz, silent_s) for camera in cameras}

    @property
    def names(self) -> tuple[str, ...]:
        """The cameras, in the order given."""
        return tuple(self._lenses)

    def open(self) -> None:
        """Begin to read all of them."""
        for lens in self._lenses.values():
            lens.open()

    def close(self) -> None:
        """Stop reading."""
        for lens in self._lenses.values():
            lens.close()

    def latest(self) -> dict[str, Frame]:
        """Return the newest picture of each."""
        return {name: lens.latest() for name, lens in self._lenses.items()}

    def frame(self, name: str) -> Frame:
        """Return the newest picture of one."""
        if name not in self._lenses:
            raise CameraError(f"no camera {name!r} (there are {', '.join(self._lenses)})")
        return self._lenses[name].latest()


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
