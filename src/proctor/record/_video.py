"""Episode video: H.264 in mp4 that any browser plays, written frame by frame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class VideoWriter:
    """Streams frames to an encoder; the file appears under its name only when `close` is called with ``keep=True``."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path = path
        self.fps = fps
        self._temporary = path.with_name(f"{path.stem}.part{os.getpid()}.mp4")
        self._sink: Any = None

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Append one upright RGB frame [H, W, 3]; H and W are cropped to even numbers, which the format demands."""
        height, width = (size - size % 2 for size in frame.shape[:2])
        frame = np.ascontiguousarray(frame[:height, :width])
        if self._sink is None:
            import imageio_ffmpeg

            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._sink = imageio_ffmpeg.write_frames(
                str(self._temporary),
                (width, height),
                fps=self.fps,
                codec="libx264",
                pix_fmt_in="rgb24",
                pix_fmt_out="yuv420p",
                quality=None,
                macro_block_size=2,
                ffmpeg_log_level="error",
                output_params=["-crf", "23", "-preset", "veryfast", "-movflags", "+faststart", "-threads", "1"],
            )
            self._sink.send(None)
        self._sink.send(frame)

    def close(self, *, keep: bool) -> bool:
        """End the file; return whether it exists under its name now."""
        if self._sink is None:
            return False
        self._sink.close()
        self._sink = None
        if keep:
            self._temporary.replace(self.path)
        else:
            self._temporary.unlink(missing_ok=True)
        return keep
