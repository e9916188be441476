"""A thread that keeps the newest frame of a camera, so that looking never waits for the cable."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Final

from proctor.core import ProctorError

from ._types import Camera, CameraError, Frame

_FRESH_S: Final = 10.0


class CameraThread:
    """Reads a camera ``hz`` times a second while it is open; any number of threads may look.

    Args:
        camera: What is read; it stays its owner's, who closes it.
        hz: How often.
        silent_s: How long the camera may give nothing.
        retry_s: How long after a failure it is tried again; None: not before the next `open`.
    """

    _numbers = itertools.count(1)

    def __init__(self, camera: Camera, hz: float, *, silent_s: float = 2.0, retry_s: float | None = None) -> None:
        self.name = camera.name
        self._camera = camera
        self._period_s, self._silent_s, self._retry_s = 1 / hz, silent_s, retry_s
        self._reading = threading.Lock()
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._number = 0
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
        """Return the newest frame, while closed a new one; `CameraError` if the camera is lost or silent."""
        if self._thread is None:
            with self._reading:
                return self._camera.read()
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self._problem, self._silent_s)
            if self._problem:
                raise CameraError(self._problem)
            frame = self._frame
        if frame is None or time.monotonic() - frame.time_s > self._silent_s + self._period_s:
            raise self._silent(self._silent_s)
        return frame

    def fresh(self) -> Frame:
        """Return a frame taken after this call, by its own time: the camera may hand on an older one."""
        asked = time.monotonic()
        with self._changed:
            # However long it takes to come: it shows the scene as it was after the question.
            self._changed.wait_for(lambda: self._taken_s > asked or self._problem, _FRESH_S)
            if self._problem:
                raise CameraError(self._problem)
            if self._frame is None or self._frame.time_s <= asked:
                raise self._silent(_FRESH_S)
            return self._frame

    def newest(self) -> tuple[int, Frame | None]:
        """Return what there is, without waiting, and a number that grows with every frame; None before the first."""
        with self._changed:
            return self._number, self._frame

    @property
    def ok(self) -> bool:
        return self._frame is not None and not self._problem

    @property
    def _taken_s(self) -> float:
        return -1.0 if self._frame is None else self._frame.time_s

    def _silent(self, seconds: float) -> CameraError:
        return CameraError(f"camera {self.name!r} has given no picture for {seconds:g} s: check its cable")

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
                if self._retry_s is None:
                    return
                self._ending.wait(self._retry_s)
                continue
            with self._changed:
                self._frame, self._problem, self._number = frame, "", next(self._numbers)
                self._changed.notify_all()
            due = max(due + self._period_s, time.monotonic())
            self._ending.wait(due - time.monotonic())
