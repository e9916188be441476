"""What is kept of an episode beside its row: its actions and states (``.npz``) and its video (H.264 in mp4)."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray


def write_steps(path: Path, actions: NDArray[np.float64], states: NDArray[np.float64] | None = None) -> None:
    """Write ``actions`` [T, D] and ``states`` [T + 1, S] so that the file is either whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.stem}.part{os.getpid()}")
    with temporary.open("wb") as file:
        if states is None:
            np.savez(file, actions=actions)
        else:
            np.savez(file, actions=actions, states=states)
    temporary.replace(path)


def read_steps(path: Path) -> NDArray[np.float64]:
    """Return the actions [T, D] of a steps file."""
    with np.load(path, allow_pickle=False) as data:
        return np.asarray(data["actions"], dtype=np.float64)


def read_states(path: Path) -> NDArray[np.float64] | None:
    """Return the states [T + 1, S] before the first and after every action; None where the file holds none."""
    with np.load(path, allow_pickle=False) as data:
        return np.asarray(data["states"], dtype=np.float64) if "states" in data else None


# Episode video: H.264 in mp4 that any browser plays, written frame by frame.

_INPUT = ("-f", "rawvideo", "-pix_fmt", "rgb24")
_OUTPUT = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "23", "-preset", "veryfast", "-threads", "1")
# The index goes first, so that a browser can start before it has the whole file.
_FILE = ("-movflags", "+faststart", "-f", "mp4", "-loglevel", "error", "-y")


class VideoError(OSError):
    """The film could not be written; the text is the encoder's first line."""


class VideoWriter:
    """Streams frames to an encoder; the file appears under its name only when `close` is called with ``keep=True``."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path = path
        self.fps = fps
        self._temporary = path.with_name(f"{path.stem}.part{os.getpid()}.mp4")
        self._encoder: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Append one upright RGB frame [H, W, 3]; H and W are cropped to even numbers, which the format demands."""
        height, width = (size - size % 2 for size in frame.shape[:2])
        if self._encoder is None:
            self._encoder = self._start(width, height)
        assert self._encoder.stdin is not None
        try:
            self._encoder.stdin.write(np.ascontiguousarray(frame[:height, :width]).tobytes())
        except OSError:
            self._fail()

    def close(self, *, keep: bool) -> bool:
        """End the file; return whether it exists under its name now."""
        if self._encoder is None:
            return False
        assert self._encoder.stdin is not None
        try:
            self._encoder.stdin.close()
        except OSError:
            self._fail()
        if self._encoder.wait():
            self._fail()
        self._encoder = None
        if keep:
            self._temporary.replace(self.path)
        else:
            self._temporary.unlink(missing_ok=True)
        return keep

    def _start(self, width: int, height: int) -> subprocess.Popen[bytes]:
        import imageio_ffmpeg

        self.path.parent.mkdir(parents=True, exist_ok=True)
        frames = ("-s", f"{width}x{height}", "-r", f"{self.fps:g}", "-i", "-")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the encoder
        return subprocess.Popen(
            [imageio_ffmpeg.get_ffmpeg_exe(), *_INPUT, *frames, *_OUTPUT, *_FILE, str(self._temporary)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
        )

    def _fail(self) -> None:
        assert self._encoder is not None
        assert self._said is not None
        self._encoder.kill()
        self._encoder.wait()
        self._encoder = None
        self._temporary.unlink(missing_ok=True)
        self._said.seek(0)
        first = self._said.read().decode(errors="replace").strip().partition("\n")[0]
        raise VideoError(re.sub(r"^\[.*?\] ", "", first) or "the encoder stopped without a word")
