"""A camera from what a user writes: ``4``, ``/dev/video4``, ``pictures/``, ``run.mp4``, ``twin``."""

from __future__ import annotations

from pathlib import Path

from ._capture import DeviceCamera
from ._files import PICTURES, VIDEOS, PictureCamera, VideoCamera
from ._twin import TwinCamera
from ._types import Camera, CameraError, Frame

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
    """A camera of a twin that nobody else uses: an empty bench."""

    def __init__(self, name: str) -> None:
        from proctor.station.twin import Twin

        self.name = name
        self._twin = Twin(speed=0, noise=2.0)
        self._camera = TwinCamera(self._twin, name)

    def read(self) -> Frame:
        return self._camera.read()

    def close(self) -> None:
        self._twin.close()
