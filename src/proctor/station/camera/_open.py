"""A camera from what a user writes: ``4``, ``/dev/video4``, ``pictures/``, ``run.mp4``, ``twin``."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from proctor.core import ProctorError

from ._types import Camera, CameraError, Frame, Picture, PicturesEndedError

# A camera on this machine, through OpenCV. A thread reads all the time, so a picture is never older than the cable.

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


# Pictures and videos on disk in place of a camera, for tests and for looking again.

PICTURES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp")
VIDEOS: Final = (".mp4", ".mkv", ".avi", ".mov", ".webm")
# Larger than any camera: what decodes to more is not a picture of the station.
_MOST_PIXELS: Final = 50_000_000


def read_picture(path: Path) -> Picture:
    """Return a picture file as RGB [H, W, 3]."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise CameraError(f"{path}: {image.width} x {image.height} pixels is more than any camera gives")
            return np.asarray(image.convert("RGB"), np.uint8)
    except (OSError, UnidentifiedImageError) as error:
        raise CameraError(f"{path}: not a picture that can be read") from error


def picture_files(paths: Sequence[Path]) -> list[Path]:
    """Return the picture files among ``paths``, and in those that are folders, sorted by name."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        found += [file for file in inside if file.suffix.casefold() in PICTURES]
    return found


class PictureCamera:
    """Shows picture files one after the other; a single one for ever. After the last of several it is lost."""

    def __init__(self, name: str, paths: Sequence[Path]) -> None:
        self.name = name
        self._files = picture_files(paths)
        if not self._files:
            raise CameraError(f"{', '.join(map(str, paths))}: no pictures there ({', '.join(PICTURES)})")
        self._next = 0

    def read(self) -> Frame:
        if len(self._files) == 1:
            self._next = 0
        if self._next >= len(self._files):
            raise PicturesEndedError(f"camera {self.name!r}: all {len(self._files)} pictures have been shown")
        picture = read_picture(self._files[self._next])
        self._next += 1
        return Frame(picture, time.monotonic())

    def close(self) -> None:
        """Nothing to let go of."""


class VideoCamera:
    """Shows a video frame by frame, as fast as it is asked; after the last frame it is lost."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._frames = self._open()

    def _open(self) -> Iterator[Any]:
        import imageio_ffmpeg

        if not self._path.is_file():
            raise CameraError(f"{self._path}: there is no such video")
        frames = imageio_ffmpeg.read_frames(self._path)
        try:
            self._size = next(frames)["size"]
        except (OSError, StopIteration, RuntimeError) as error:
            raise CameraError(f"{self._path}: not a video that can be read") from error
        return iter(frames)

    def read(self) -> Frame:
        data = next(self._frames, None)
        if data is None:
            raise PicturesEndedError(f"camera {self.name!r}: {self._path} has ended")
        width, height = self._size
        return Frame(np.frombuffer(data, np.uint8).reshape(height, width, 3), time.monotonic())

    def close(self) -> None:
        """Stop the decoder."""
        close = getattr(self._frames, "close", None)
        if close is not None:
            close()


# The twin's cameras, and any other function that gives pictures, as cameras of the station.


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


TOP_SIZE = (1280, 720)
WRIST_SIZE = (640, 480)


def open_camera(text: str, name: str = "top", size: tuple[int, int] | None = None) -> Camera:
    """Open a camera: a number or device file, a picture, a folder of pictures, a video, or ``twin``.

    ``size`` is asked of a device only; without it the top camera gives 1280 x 720 and others 640 x 480.
    """
    wanted = size or (TOP_SIZE if name == "top" else WRIST_SIZE)
    path = Path(text)
    if text == "twin":
        return _OwnTwinCamera(name)
    if text.isdecimal():
        return DeviceCamera(name, int(text), wanted)
    if text.startswith("/dev/"):
        return DeviceCamera(name, text, wanted)
    if path.suffix.casefold() in VIDEOS:
        return VideoCamera(name, path)
    if path.is_dir() or (path.suffix.casefold() in PICTURES and path.is_file()):
        return PictureCamera(name, [path])
    raise CameraError(
        f"no camera {text!r}: give its number, its device file, a picture or folder of pictures, a video, or 'twin'"
    )


class _OwnTwinCamera:
    """A camera of a twin that nobody else uses: an empty station."""

    def __init__(self, name: str) -> None:
        from proctor.station.twin import Twin

        self.name = name
        self._twin = Twin(speed=0, noise=2.0)
        self._camera = TwinCamera(self._twin, name)

    def read(self) -> Frame:
        return self._camera.read()

    def close(self) -> None:
        self._twin.close()
