"""The station as it is seen: geometry against the paper's figures, pictures against the geometry."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.twin import (
    TOP_INTRINSICS,
    CameraLostError,
    SceneObject,
    Twin,
    floor_to_pixel,
    tag_corners,
    to_camera,
    top_camera_pose,
)

# The authors' Table A.2 through their own intrinsics: where the tag's corners must be in the picture.
TAG_PIXELS = np.array([(581.6, 231.3), (604.8, 231.8), (606.3, 215.8), (583.4, 215.3)])


@pytest.fixture(scope="module")
def still() -> Twin:  # type: ignore[misc]
    """A twin whose clock stands still."""
    with Twin(seed=1, speed=0) as running:
        yield running


def test_the_tag_is_at_the_papers_pixels() -> None:
    seen = TOP_INTRINSICS.project(to_camera(tag_corners(), *top_camera_pose()))
    assert np.abs(seen - TAG_PIXELS).max() < 0.6


def test_a_detector_finds_the_tag_in_the_picture(still: Twin) -> None:
    """AprilTag's own detector: the right number, at the right pixels, at the distance that was built in."""
    apriltags = pytest.importorskip("pupil_apriltags", reason="pupil-apriltags is in the extra 'lab'")
    k = TOP_INTRINSICS
    grey = still.frame("top").mean(axis=2).astype(np.uint8)
    detector = apriltags.Detector("tag36h11", quad_decimate=1.0)
    (tag,) = detector.detect(grey, estimate_tag_pose=True, camera_params=(k.fx, k.fy, k.cx, k.cy), tag_size=0.04)
    assert tag.tag_id == 0
    assert np.abs(tag.corners - TAG_PIXELS).max() < 0.8
    assert np.abs(tag.pose_t.ravel() - (-0.081, -0.2512, 1.114)).max() < 0.01


def test_the_camera_hangs_where_the_paper_mounts_it() -> None:
    rotation, position = top_camera_pose()
    # 32 in box; on the far upper edge, 17.5 in from the left; pitched 50 to 60 degrees down.
    assert position == pytest.approx([0.038, 0.39, 0.79], abs=0.06)
    assert 50 <= np.degrees(np.arcsin(-rotation[2, 2])) <= 60


PLACES = {"blue": (-0.25, -0.15), "red": (0.0, 0.1), "green": (0.22, 0.2), "purple": (0.15, -0.2)}


def test_coasters_are_seen_where_the_geometry_says(still: Twin) -> None:
    """Four discs all over the floor: the middle of what changed against the middle of the disc's projected rim."""
    still.place([])
    empty = still.frame("top").astype(int)
    still.place([SceneObject("coaster", x, y, colour=colour) for colour, (x, y) in PLACES.items()])
    changed = np.abs(still.frame("top").astype(int) - empty).sum(axis=2) > 60
    for x, y in PLACES.values():
        angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
        rim = np.column_stack([x + 0.048 * np.cos(angle), y + 0.048 * np.sin(angle), np.full(400, 0.0045)])
        outline = TOP_INTRINSICS.project(to_camera(rim, *top_camera_pose()))
        (left, top), (right, bottom) = outline.min(axis=0) - 8, outline.max(axis=0) + 8
        v, u = np.nonzero(changed[int(top) : int(bottom), int(left) : int(right)])
        seen = np.array([u.mean() + int(left) + 0.5, v.mean() + int(top) + 0.5])
        assert len(u) > 1500
        # The disc's side adds a line of pixels at its near edge.
        assert np.abs(seen - centroid(outline)).max() < 1.0


def centroid(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre of area of a polygon [N, 2]."""
    x, y = outline.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    return np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (3 * cross.sum())


def test_the_floor_homography_is_the_projection() -> None:
    points = np.array([[0.1, 0.2], [-0.3, -0.1]])
    flat = np.column_stack([points, np.zeros(2)])
    assert np.allclose(floor_to_pixel(points), TOP_INTRINSICS.project(to_camera(flat, *top_camera_pose())))


def test_the_floor_is_white_and_the_room_is_dark(still: Twin) -> None:
    still.place([])
    top = still.frame("top")
    assert top.shape == (720, 1280, 3)
    floor = top[400:700, 400:900]
    assert 190 < floor.mean() < 250
    assert np.ptp(floor.mean(axis=(0, 1))) < 8
    assert top[:80, 400:900].mean() < 40


def test_objects_are_where_they_were_put_and_stay(still: Twin) -> None:
    things = [SceneObject("bowl", 0.1, 0.1, 30, "red"), SceneObject("block", -0.1, 0.0, 45, "green")]
    still.place(things)
    still.advance(1.0)
    for thing, pose in zip(things, still.objects(), strict=True):
        assert (pose.x, pose.y) == pytest.approx((thing.x, thing.y), abs=0.003)
        assert pose.yaw_deg == pytest.approx(thing.yaw_deg, abs=3)
        assert abs(pose.z) < 0.005
    still.move_object("green block", 0.2, -0.1)
    assert still.objects()[1].x == pytest.approx(0.2)
    with pytest.raises(ProctorError, match="did you mean 'green block'"):
        still.move_object("green blok", 0, 0)


def test_placing_does_not_disturb_the_arm(still: Twin) -> None:
    still.hand({"shoulder_pan": 20.0})
    before = still.joints_deg()
    still.place([SceneObject("plate", 0, 0)])
    assert still.joints_deg() == pytest.approx(before)


def test_an_unplugged_camera_is_an_error_of_its_own(still: Twin) -> None:
    still.faults.cameras.add("wrist")
    with pytest.raises(CameraLostError, match="wrist"):
        still.frame("wrist")
    still.faults.cameras.clear()
    assert still.frame("wrist", 160).shape == (120, 160, 3)


def test_a_pushed_camera_sees_the_scene_shifted(still: Twin) -> None:
    still.place([SceneObject("coaster", 0, 0.1, colour="blue")])

    def centre() -> float:
        picture = still.frame("top", 640).astype(int)
        blue = picture[:, :, 2] - picture[:, :, 0] > 60
        return float(np.nonzero(blue)[1].mean())

    before = centre()
    still.shift_camera("top", (0.02, 0, 0))
    assert before - centre() > 5
    still.shift_camera("top", (-0.02, 0, 0))
    assert centre() == pytest.approx(before, abs=0.2)


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ({"kind": "plat", "x": 0, "y": 0}, "did you mean 'plate'"),
        ({"kind": "plate", "x": 0, "y": 0, "colour": "bleu"}, "did you mean 'blue'"),
        ({"kind": "plate", "x": 0.9, "y": 0}, "outside the box"),
    ],
)
def test_wrong_objects_are_refused(thing: dict[str, object], message: str) -> None:
    with pytest.raises(ProctorError, match=message):
        SceneObject(**thing)  # type: ignore[arg-type]


def test_equal_names_are_refused(still: Twin) -> None:
    with pytest.raises(ProctorError, match="two objects"):
        still.place([SceneObject("block", 0, 0), SceneObject("block", 0.1, 0)])


def test_encoders_differ_from_arm_to_arm_and_not_from_run_to_run() -> None:
    with Twin(seed=5, speed=0) as a, Twin(seed=5, speed=0) as b, Twin(seed=6, speed=0) as c:
        zero = [[servo.zero_tick for servo in twin.servos] for twin in (a, b, c)]
    assert zero[0] == zero[1] != zero[2]
