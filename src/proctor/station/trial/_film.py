"""Writes a trial's film in fragments of a second, so that a crash loses no more than the last.

Frame number n of every film shows the station at n / fps seconds of the trial. Where a camera gave nothing new, its
last picture is repeated, so all films of a trial and its telemetry keep one time. The file grows in fragments that can
be read without an end; `settle` rewrites it, without touching a picture, so that browsers can seek.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ._types import TrialError

_INPUT = ("-f", "rawvideo", "-pix_fmt", "rgb24")
_CODEC = ("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-crf", "20", "-pix_fmt", "yuv420p")
_FRAGMENTS = ("-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-flush_packets", "1")
_QUIET = ("-loglevel", "error", "-y")


class Film:
    """One camera's film, being taken. ``lock`` is the descriptor of the trial's lock file."""

    def __init__(self, path: Path, fps: float, lock: int) -> None:
        self.path = path
        self._lock = lock
        self.frames = 0
        self._fps = fps
        self._size = (0, 0)
        self._encoder: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def add(self, picture: NDArray[np.uint8], times: int = 1) -> None:
        """Append a picture, repeated ``times`` times; its sides are cut to even numbers, as the format demands."""
        height, width = (side - side % 2 for side in picture.shape[:2])
        if self._encoder is None:
            self._size = (height, width)
            self._encoder = self._start()
        if (height, width) != self._size:
            raise TrialError(f"{self.path.name}: the camera changed its picture from {self._size} to {(height, width)}")
        assert self._encoder.stdin is not None
        data = np.ascontiguousarray(picture[:height, :width]).tobytes()
        try:
            for _ in range(times):
                self._encoder.stdin.write(data)
        except OSError:
            raise TrialError(f"{self.path.name} cannot be written: {self._complaint()}") from None
        self.frames += times

    def close(self) -> None:
        """End the film; what was taken is on the disk."""
        if self._encoder is None:
            return
        assert self._encoder.stdin is not None
        with contextlib.suppress(OSError):
            self._encoder.stdin.close()
        failed = self._encoder.wait()
        self._encoder = None
        if failed:
            raise TrialError(f"{self.path.name} is not whole: {self._complaint()}")

    def _start(self) -> subprocess.Popen[bytes]:
        height, width = self._size
        frames = ("-s", f"{width}x{height}", "-r", f"{self._fps:g}", "-i", "-")
        keyframes = ("-g", str(max(1, round(self._fps))), "-threads", "1")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the encoder
        return subprocess.Popen(
            [ffmpeg(), *_INPUT, *frames, *_CODEC, *keyframes, *_FRAGMENTS, "-f", "mp4", *_QUIET, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            # The trial counts as being recorded until the encoder has ended too, also when we are killed.
            pass_fds=[self._lock],
            # Ctrl-C in the terminal must not end the film before the trial.
            start_new_session=True,
        )

    def _complaint(self) -> str:
        if self._said is None:
            return "no encoder"
        self._said.seek(0)
        return self._said.read().decode(errors="replace").strip().partition("\n")[0] or "the encoder stopped"


def ffmpeg() -> str:
    import imageio_ffmpeg

    path: str = imageio_ffmpeg.get_ffmpeg_exe()
    return path


def settle(path: Path) -> bool:
    """Rewrite a film in fragments as one with its index in front; False, and no change, where nothing can be read."""
    temporary = path.with_name(f".{path.stem}.settled.mp4")
    command = [ffmpeg(), "-i", str(path), "-c", "copy", "-movflags", "+faststart", *_QUIET, str(temporary)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode or not temporary.exists() or temporary.stat().st_size == 0:
        temporary.unlink(missing_ok=True)
        return False
    temporary.replace(path)
    return True
