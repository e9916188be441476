"""A film has every frame, in a form that browsers play, and appears only when it is whole."""

from __future__ import annotations

import re
import subprocess

import imageio_ffmpeg
import numpy as np
import pytest

from proctor.results import VideoWriter


def frames(count: int, height: int = 65, width: int = 96):
    for i in range(count):
        frame = np.zeros((height, width, 3), np.uint8)
        frame[:, : 4 * i + 4] = (200, 40, 40)
        yield frame


def film(path, keep: bool = True) -> bool:
    writer = VideoWriter(path, 20.0)
    for frame in frames(12):
        writer.add(frame)
    assert not path.exists()
    return writer.close(keep=keep)


def test_film_is_h264_yuv420p_with_every_frame_upright(tmp_path):
    path = tmp_path / "videos" / "x.mp4"
    assert film(path)
    info = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path)], capture_output=True, text=True).stderr
    assert re.search(r"Video: h264.*yuv420p.*96x64.*20 fps", info), info
    reader = imageio_ffmpeg.read_frames(str(path))
    meta = next(reader)
    shown = [np.frombuffer(data, np.uint8).reshape((*meta["size"][::-1], 3)) for data in reader]
    assert len(shown) == 12
    for i, (frame, expected) in enumerate(zip(shown, frames(12), strict=True)):
        assert np.abs(frame.astype(int) - expected[:64].astype(int)).mean() < 12, i
    # Browsers start to play before the whole file is there only if the index comes first.
    data = path.read_bytes()
    assert 0 <= data.find(b"moov") < data.find(b"mdat")


@pytest.mark.parametrize("keep", [True, False])
def test_nothing_is_left_over(tmp_path, keep):
    assert film(tmp_path / "v" / "x.mp4", keep) is keep
    assert [p.name for p in (tmp_path / "v").iterdir()] == (["x.mp4"] if keep else [])


def test_no_frame_no_file(tmp_path):
    assert VideoWriter(tmp_path / "x.mp4", 20.0).close(keep=True) is False
