"""Cameras that are not there, files in their place, and the policy's view."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from proctor.station.camera import (
    VIEW_SIZE,
    Camera,
    CameraError,
    DeviceCamera,
    Frame,
    PictureCamera,
    PicturesEndedError,
    PolicyViewCamera,
    TwinCamera,
    VideoCamera,
    fresh_frames,
    open_camera,
    policy_view,
    view_matrix,
)
from proctor.station.twin import Twin


def test_the_view_is_the_middle_of_a_small_picture_magnified_one_and_a_half_times() -> None:
    """A square of 40 pixels, 30 right of the middle, is 60 wide and 45 right of it in the view."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[220:260, 350:390] = 255
    rows, columns = np.nonzero(policy_view(picture)[:, :, 0] > 127)
    assert (np.ptp(columns) + 1, np.ptp(rows) + 1) == (60, 60)
    assert columns.min() == 365
    assert rows.mean() + 0.5 == pytest.approx(240)


def test_both_modes_of_the_camera_give_the_same_view() -> None:
    """The same ray lies 0.6 times as far from the middle in the 640 x 480 picture as in the 1280 x 720 one."""
    small, large = view_matrix(640, 480), view_matrix(1280, 720)
    for dx, dy in ((0.0, 0.0), (100.0, -80.0), (-300.0, 200.0)):
        one = small @ (320 + 0.6 * dx, 240 + 0.6 * dy, 1)
        other = large @ (640 + dx, 360 + dy, 1)
        assert one == pytest.approx(other)


def test_other_shapes_have_no_view() -> None:
    with pytest.raises(CameraError, match="640x480 or 1280x720"):
        policy_view(np.zeros((600, 640, 3), np.uint8))


def test_only_a_wrapped_camera_is_magnified(twin: Twin) -> None:
    top, wrist = PolicyViewCamera(TwinCamera(twin, "top")), TwinCamera(twin, "wrist")
    assert isinstance(top, Camera)
    assert isinstance(wrist, Camera)
    assert top.read().image.shape == (VIEW_SIZE[1], VIEW_SIZE[0], 3)
    assert top.name == "top"
    assert np.abs(wrist.read().image.astype(int) - twin.frame("wrist")).mean() < 3


def test_an_unplugged_camera_of_the_twin_is_lost(twin: Twin) -> None:
    camera = TwinCamera(twin, "wrist", 64)
    camera.read()
    twin.faults.cameras.add("wrist")
    with pytest.raises(CameraError, match="USB cable"):
        camera.read()


def test_pictures_are_shown_in_order_and_then_end(tmp_path: Path) -> None:
    for i in (2, 1):
        Image.fromarray(np.full((8, 8, 3), i * 40, np.uint8)).save(tmp_path / f"{i}.png")
    camera = open_camera(str(tmp_path))
    assert [int(camera.read().image.mean()) for _ in range(2)] == [40, 80]
    with pytest.raises(PicturesEndedError, match="all 2 pictures"):
        camera.read()
    still = PictureCamera("top", [tmp_path / "1.png"])
    assert [still.read().image.mean() for _ in range(3)] == [40, 40, 40]


def write_video(path: Path, colours: list[tuple[int, int, int]], size: tuple[int, int]) -> None:
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(path, size, fps=30, quality=9)
    writer.send(None)
    for colour in colours:
        writer.send(np.full((size[1], size[0], 3), colour, np.uint8).tobytes())
    writer.close()


def test_a_video_is_shown_frame_by_frame(tmp_path: Path) -> None:
    path = tmp_path / "run.mp4"
    write_video(path, [(level, level, level) for level in (30, 120, 210)], (64, 48))
    camera = VideoCamera("top", path)
    means = [frame.image.mean() for frame in fresh_frames(camera, 30.0)]
    assert means == pytest.approx([30, 120, 210], abs=4)
    camera.close()


def test_a_frame_is_not_counted_twice() -> None:
    """A camera that is slower than its reader gives the same picture again; its time says so."""

    class Slow:
        name = "top"
        reads = 0

        def read(self) -> Frame:
            self.reads += 1
            if self.reads > 9:
                raise PicturesEndedError("done")
            return Frame(np.zeros((1, 1, 3), np.uint8), float(self.reads // 3))

        def close(self) -> None: ...

    assert [frame.time_s for frame in fresh_frames(Slow(), 30.0)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("987", "there is no camera 987: /dev/video987 does not exist; 'proctor station doctor'"),
        ("/dev/nothing", "there is no camera"),
        ("nothing.mp4", "there is no such video"),
        ("nothing.png", "no camera 'nothing.png'"),
    ],
)
def test_a_camera_that_is_not_there_is_one_line(text: str, message: str) -> None:
    with pytest.raises(CameraError) as caught:
        open_camera(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_files_are_one_line(tmp_path: Path) -> None:
    for name in ("bad.png", "bad.mp4"):
        (tmp_path / name).write_bytes(b"no picture")
        with pytest.raises(CameraError, match="can be read") as caught:
            open_camera(str(tmp_path / name)).read()
        assert "\n" not in str(caught.value)
    (tmp_path / "none").mkdir()
    with pytest.raises(CameraError, match="no pictures there"):
        open_camera(str(tmp_path / "none"))


class _Cable:
    """In the place of OpenCV's capture, as there is no hardware here: a driver that gives frames, then none."""

    def __init__(self, frames: int, hang_s: float = 0.0) -> None:
        self.left, self.hang_s, self.released = frames, hang_s, False

    def read(self) -> tuple[bool, np.ndarray | None]:
        time.sleep(0.005)
        self.left -= 1
        if self.left < 0:
            time.sleep(self.hang_s)
            return False, None
        picture = np.zeros((48, 64, 3), np.uint8)
        picture[..., 0] = 200
        return True, picture

    def release(self) -> None:
        self.released = True


def _device(monkeypatch: pytest.MonkeyPatch, cable: _Cable, size: tuple[int, int] = (64, 48)) -> DeviceCamera:
    monkeypatch.setattr("proctor.station.camera._open._opened", lambda *_: cable)
    return DeviceCamera("top", 4, size)


def _read_on(camera: Camera) -> None:
    for _ in range(2000):
        camera.read()
        time.sleep(0.01)


def test_a_device_gives_rgb_and_notices_that_it_is_gone(tmp_path: Path) -> None:
    """OpenCV's own capture, on a video that ends: to it a device file and a video are alike."""
    path = tmp_path / "device.mp4"
    write_video(path, [(200, 60, 20)] * 600, (640, 480))
    camera = DeviceCamera("top", str(path), (640, 480))
    assert camera.read().image[240, 320].tolist() == pytest.approx([200, 60, 20], abs=8)
    with pytest.raises(CameraError, match=r"device.mp4 is gone: check its USB cable"):
        _read_on(camera)
    camera.close()
    camera.close()


def test_what_is_no_camera_does_not_open(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no camera")
    with pytest.raises(CameraError, match="does not open"):
        DeviceCamera("top", str(tmp_path / "text"))


def test_a_driver_that_hangs_is_noticed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = _device(monkeypatch, _Cable(frames=20, hang_s=3.0))
    with pytest.raises(CameraError, match="no picture for 1 s"):
        _read_on(camera)
    camera.close()


def test_a_device_of_another_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraError, match="gives 64x48, not 1280x720"):
        _device(monkeypatch, _Cable(frames=10**6), (1280, 720))
