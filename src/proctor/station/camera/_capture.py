"""A camera on this machine, through OpenCV. A thread reads all the time, so a picture is never older than the cable."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any, Final

from ._types import CameraError, Frame

_FIRST_PICTURE_S: Final = 5.0
_LOST_AFTER_S: Final = 1.0
_TRIES: Final = 5


class DeviceCamera:
    """A webcam by number or device file. ``size`` is what it is asked for and must give (width, height).

    `read` returns the latest picture and raises `CameraError` when none has come for a second, or the device is gone.
    """

    def __init__(self, name: str, device: int | str, size: tuple[int, int] = (640, 480), fps: int = 30) -> None:
        self.name = name
        self._device = device
        self._capture = _opened(device, size, fps)
        self._latest: Frame | None = None
        self._fault = ""
        self._fresh = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name=f"camera-{name}", daemon=True)
        self._thread.start()
        try:
            frame = self._wait(_FIRST_PICTURE_S)
            height, width = frame.image.shape[:2]
            if (width, height) != size:
                raise CameraError(
                    f"camera {device} gives {width}x{height}, not {size[0]}x{size[1]}: ask for what it has"
                )
        except CameraError:
            self.close()
            raise

    def read(self) -> Frame:
        with self._fresh:
            frame, fault = self._latest, self._fault
        if fault:
            raise CameraError(fault)
        if frame is None or time.monotonic() - frame.time_s > _LOST_AFTER_S:
            return self._wait(_LOST_AFTER_S)
        return frame

    def close(self) -> None:
        """Stop reading and let go of the device."""
        self._ending = True
        self._thread.join(2.0)
        # A driver that hangs keeps its thread; releasing under it would crash.
        if not self._thread.is_alive():
            self._capture.release()

    def _wait(self, seconds: float) -> Frame:
        """Return the next picture; complain after ``seconds``."""
        began = time.monotonic()
        with self._fresh:
            self._fresh.wait_for(lambda: self._fault or (self._latest and self._latest.time_s >= began), seconds)
            if self._fault:
                raise CameraError(self._fault)
            if self._latest is None or self._latest.time_s < began:
                raise CameraError(f"camera {self._device} has sent no picture for {seconds:.0f} s: check its USB cable")
            return self._latest

    def _run(self) -> None:
        import cv2

        failures = 0
        while not self._ending:
            good, picture = self._capture.read()
            now = time.monotonic()
            failures = 0 if good else failures + 1
            with self._fresh:
                if good:
                    self._latest = Frame(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), now)
                elif failures >= _TRIES:
                    self._fault = f"camera {self._device} is gone: check its USB cable"
                self._fresh.notify_all()
            if self._fault:
                return
            if not good:
                time.sleep(0.02)


def _opened(device: int | str, size: tuple[int, int], fps: int) -> Any:
    import cv2

    path = Path(f"/dev/video{device}") if isinstance(device, int) else Path(device)
    if os.name == "posix" and Path("/dev").is_dir() and os.uname().sysname == "Linux":
        if not path.exists():
            raise CameraError(
                f"there is no camera {device}: {path} does not exist; 'proctor station doctor' lists those here"
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraError(f"camera {device}: no right to open {path}; add yourself to its group (often 'video')")
    quiet = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = cv2.VideoCapture(device)
    finally:
        cv2.utils.logging.setLogLevel(quiet)
    if not capture.isOpened():
        raise CameraError(f"camera {device} does not open: is another program using it, is {path} its picture device?")
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture
