"""Cameras that many look through: one thread reads each, the page and the runner share its newest picture."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Final

from proctor.station.camera import Camera, CameraError, Frame, Picture

WIDEST_PX: Final = 640
_QUALITY: Final = 80
_RETRY_S: Final = 0.5
_SILENT_S: Final = 2.0
_PATIENCE_S: Final = 10.0


class Eye:
    """A camera read ``hz`` times a second. It is a `Camera` itself: `read` gives the newest picture at once.

    A lost camera is tried again until it is back; meanwhile `read` raises what it said.
    """

    _numbers = itertools.count(1)

    def __init__(self, camera: Camera, hz: float = 10.0) -> None:
        self.name = camera.name
        self._camera = camera
        self._period_s = 1 / hz
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._problem = ""
        self._number = 0
        self._jpeg: tuple[int, bytes] = (0, b"")
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"eye-{self.name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame:
        """Return the newest picture; raises `CameraError` when the camera is lost or silent."""
        with self._news:
            self._news.wait_for(lambda: self._frame is not None or self._problem, _SILENT_S)
            if self._problem:
                raise CameraError(self._problem)
            frame = self._frame
        if frame is None or time.monotonic() - frame.time_s > _SILENT_S + self._period_s:
            raise CameraError(f"camera {self.name!r} gives no pictures: check its cable")
        return frame

    def fresh(self) -> Frame:
        """Return a picture taken after this call, by its own time: the camera may hand on an older one."""
        asked = time.monotonic()
        with self._news:
            self._news.wait_for(lambda: self._taken_s > asked or self._problem, _PATIENCE_S)
            if self._problem:
                raise CameraError(self._problem)
            # However long it took to come: it shows the scene as it was after the question.
            if self._frame is None or self._frame.time_s <= asked:
                raise CameraError(f"camera {self.name!r} gives no new picture: check its cable")
            return self._frame

    @property
    def _taken_s(self) -> float:
        return -1.0 if self._frame is None else self._frame.time_s

    @property
    def ok(self) -> bool:
        """Whether there are pictures."""
        return self._frame is not None and not self._problem

    def jpeg(self) -> tuple[int, bytes]:
        """Return the newest picture for a page, with a number that grows; empty while there is none."""
        with self._news:
            number, frame = self._number, self._frame
        if frame is not None and number != self._jpeg[0]:
            self._jpeg = (number, to_jpeg(frame.image))
        return self._jpeg

    def close(self) -> None:
        """Stop reading and close the camera."""
        self._ending.set()
        self._thread.join(_SILENT_S)
        self._camera.close()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._ending.is_set():
            try:
                frame = self._camera.read()
            except Exception as error:
                with self._news:
                    self._problem = str(error) or type(error).__name__
                    self._news.notify_all()
                self._ending.wait(_RETRY_S)
                continue
            with self._news:
                self._frame, self._problem, self._number = frame, "", next(self._numbers)
                self._news.notify_all()
            due = max(due + self._period_s, time.monotonic())
            self._ending.wait(due - time.monotonic())


def to_jpeg(picture: Picture) -> bytes:
    """Return a JPEG file, at most 640 pixels wide."""
    import cv2

    height, width = picture.shape[:2]
    small = picture
    if width > WIDEST_PX:
        small = cv2.resize(picture, (WIDEST_PX, round(height * WIDEST_PX / width)), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise CameraError("a picture could not be written as JPEG")
    return bytes(data)
