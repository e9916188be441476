"""Pictures and videos on disk in place of a camera, for tests and for looking again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from ._types import CameraError, Frame, Picture, PicturesEndedError

PICTURES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp")
VIDEOS: Final = (".mp4", ".mkv", ".avi", ".mov", ".webm")
# Larger than any camera: what decodes to more is not a picture of the bench.
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
