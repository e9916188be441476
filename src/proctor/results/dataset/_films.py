"""Pictures for datasets: films that can be entered at every other frame, and PNG."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ._errors import DatasetError


class FilmWriter:
    """Writes one film, H.264 with a key frame at every other picture: training reads single frames at random."""

    def __init__(self, path: Path, fps: float, size: tuple[int, int]) -> None:
        import imageio_ffmpeg

        path.parent.mkdir(parents=True)
        self._path = path
        width, height = size
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-"]
        codec = ["-c:v", "libx264", "-crf", "18", "-g", "2", "-bf", "0", "-pix_fmt", "yuv420p", "-threads", "1"]
        self._encoder = subprocess.Popen(
            [imageio_ffmpeg.get_ffmpeg_exe(), *source, *codec, "-loglevel", "error", "-y", str(path)],
            stdin=subprocess.PIPE,
        )

    def add(self, picture: NDArray[np.uint8]) -> None:
        assert self._encoder.stdin is not None
        self._encoder.stdin.write(picture.tobytes())

    def close(self) -> None:
        assert self._encoder.stdin is not None
        self._encoder.stdin.close()
        if self._encoder.wait():
            raise DatasetError(f"the encoder could not write {self._path.name}")


def png(picture: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    with io.BytesIO() as out:
        Image.fromarray(picture).save(out, "PNG", compress_level=1)
        return out.getvalue()
