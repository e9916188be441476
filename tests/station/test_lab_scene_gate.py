"""The gate on scenes of the twin and on drawn ones: every number against the truth that made the picture."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest
from PIL import Image

from proctor.station.camera import Picture, policy_view
from proctor.station.scene import (
    Annotation,
    GateResult,
    SceneReference,
    SceneReferenceError,
    Tolerance,
    camera_shift,
    check_scene,
    expected_objects,
    overlay_jpeg,
    overlay_picture,
    station_floor,
)
from proctor.station.twin import SceneObject, Twin

THINGS = [
    SceneObject("plate", 0.0, -0.02, colour="red"),
    SceneObject("bowl", -0.2, -0.05, colour="blue"),
    SceneObject("croissant", 0.2, 0.0, 20),
    SceneObject("towel", 0.17, -0.2, 30, colour="green"),
]


@pytest.fixture(scope="module")
def still() -> Iterator[Twin]:
    with Twin(seed=1, speed=0, noise=2.0) as running:
        yield running


@pytest.fixture
def station(still: Twin) -> Twin:
    still.place(THINGS)
    return still


@pytest.fixture
def named(station: Twin) -> SceneReference:
    """The scene's reference; three objects are named by a point on them, the fourth by its colour."""
    at = {"red plate": (0.0, -0.02), "blue bowl": (-0.2, -0.05), "green towel": (0.17, -0.2)}
    floor = station_floor()
    annotations = []
    for name, (x, y) in at.items():
        ((u, v),) = floor.pixels(np.array([[-1000 * x, -1000 * y]]))
        annotations.append(Annotation(name, (float(u), float(v))))
    return SceneReference(view(station), tuple(annotations))


def view(twin: Twin) -> Picture:
    return policy_view(twin.frame("top"))


def benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "scene_gate.py"
    spec = importlib.util.spec_from_file_location("bench_scene_gate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_same_scene_is_accepted(station: Twin, named: SceneReference) -> None:
    result = check_scene(named, view(station))
    assert result.ok
    assert result.advice == ()
    assert {item.name for item in result.objects} == {"red plate", "blue bowl", "green towel", "brown object"}
    assert all(item.distance_mm < 1.0 and item.iou > 0.95 for item in result.objects)
    assert result.camera is not None
    assert result.camera.shift_px < 0.2


@pytest.mark.parametrize(
    ("dx", "dy", "advice"),
    [
        # +x of the box is left in the picture, +y away from the robot: the way back is the opposite.
        (0.02, 0.0, "20 mm right"),
        (-0.02, 0.0, "20 mm left"),
        (0.0, 0.02, "20 mm towards the robot"),
        (0.0, -0.02, "20 mm away from the robot"),
    ],
)
def test_one_object_two_centimetres_off_is_refused_and_named(
    station: Twin, named: SceneReference, dx: float, dy: float, advice: str
) -> None:
    station.move_object("blue bowl", -0.2 + dx, -0.05 + dy)
    result = check_scene(named, view(station))
    assert not result.ok
    assert result.wrong == ("blue bowl",)
    (line,) = result.advice
    assert line.startswith("move the blue bowl ")
    # The bowl's middle is higher than the floor, which makes 20 mm look like 19 to 22.
    said = [int(word) for word in line.split() if word.isdecimal()]
    assert max(said) == pytest.approx(20, abs=2)
    assert line.replace(str(max(said)), "20").endswith(advice)


def test_following_the_advice_leads_to_acceptance(station: Twin, named: SceneReference) -> None:
    station.move_object("red plate", 0.025, 0.01)
    before = check_scene(named, view(station))
    (plate,) = (item for item in before.objects if item.name == "red plate")
    station.move_object("red plate", 0.025 + plate.right_mm / 1000, 0.01 + plate.robot_mm / 1000)
    assert check_scene(named, view(station)).ok


def test_a_turned_object_is_told_to_turn_back(station: Twin, named: SceneReference) -> None:
    # Positive yaw is anticlockwise from above.
    station.move_object("green towel", 0.17, -0.2, 30 + 25)
    result = check_scene(named, view(station))
    assert result.wrong == ("green towel",)
    assert "turn" in result.advice[0]
    assert result.advice[0].endswith("clockwise")
    assert not result.advice[0].endswith("anticlockwise")
    (towel,) = (item for item in result.objects if item.name == "green towel")
    assert towel.turn_deg == pytest.approx(-25, abs=4)
    bowl = next(item for item in result.objects if item.name == "blue bowl")
    assert bowl.turn_deg is None or abs(bowl.turn_deg) < 6


def test_what_is_missing_and_what_is_too_much_are_named(station: Twin, named: SceneReference) -> None:
    station.place([*THINGS[1:], SceneObject("block", 0.0, -0.05, colour="purple")])
    result = check_scene(named, view(station))
    assert result.wrong == ("red plate",)
    assert len(result.extra) == 1
    missing, extra = result.advice
    assert missing.startswith("the red plate is not seen")
    assert extra.startswith("take away the purple object")


def test_two_things_that_touch_are_still_two(station: Twin) -> None:
    station.place([SceneObject("plate", 0.0, -0.05, colour="red"), SceneObject("towel", 0.125, -0.05, colour="blue")])
    reference = SceneReference(view(station))
    assert len(expected_objects(reference, station_floor())) == 2
    station.move_object("blue towel", 0.125, -0.02)
    result = check_scene(reference, view(station))
    assert result.wrong == ("blue object",)


def test_the_arm_is_no_object(station: Twin) -> None:
    station.place([])
    assert expected_objects(SceneReference(view(station)), station_floor()) == ()


def test_dimmed_light_is_one_line(station: Twin, named: SceneReference) -> None:
    station.set_light(0.85)
    result = check_scene(named, view(station))
    station.set_light(1.0)
    assert not result.ok
    assert len(result.advice) == 1
    assert "darker" in result.advice[0]
    assert result.wrong == ()


def test_tinted_light_is_noticed(named: SceneReference) -> None:
    warm = np.clip(named.picture * np.array([1.0, 0.98, 0.90]), 0, 255).astype(np.uint8)
    result = check_scene(named, warm, Tolerance(lightness=50))
    assert [line for line in result.advice if "tinted" in line]


def test_a_pushed_camera_is_told_apart_from_moved_objects(station: Twin, named: SceneReference) -> None:
    station.shift_camera("top", (0, 0, 0), (0, 0.5, 0))
    result = check_scene(named, view(station))
    station.shift_camera("top", (0, 0, 0), (0, -0.5, 0))
    assert not result.ok
    assert result.wrong == ()
    assert result.advice[0].startswith("aim the camera back")
    # Turned right by half a degree, the camera sees everything further left: 645.5 x 0.9 x tan(0.5 deg) = 5.1 px.
    assert result.camera is not None
    assert result.camera.dx_px == pytest.approx(-5.1, abs=0.6)


def test_alignment_and_placement_are_measured_to_a_pixel() -> None:
    """A short run of the benchmark: other objects, other places, other light."""
    station = benchmark()
    rng = np.random.default_rng(3)
    with Twin(seed=2, speed=0, noise=2.0) as twin:
        moved = [station.move_one(twin, rng, 20.0) for _ in range(6)]
        pushed = [station.push_camera(twin, rng) for _ in range(5)]
    assert all(item.named for item in moved)
    assert sum(item.others_named for item in moved) == 0
    assert np.median([item.error_px for item in moved]) <= 2.0
    assert max(pushed) <= 1.0


def test_a_similarity_is_found_again(named: SceneReference) -> None:
    """Warped by a known similarity: exact at the corners of the floor, not only in the band."""
    rng = np.random.default_rng(2)
    floor = station_floor()
    points = np.array([[100.0, 160], [540, 160], [600, 460], [40, 460]])
    for _ in range(4):
        angle, scale, shift = np.radians(rng.uniform(-1, 1)), 1 + rng.uniform(-0.01, 0.01), rng.uniform(-8, 8, 2)
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        # OpenCV's pixels count from the middle.
        offset = shift + turn @ (-0.5, -0.5) + 0.5
        warped = cv2.warpAffine(
            named.picture, np.column_stack([turn, shift]), (640, 480), borderMode=cv2.BORDER_REPLICATE
        )
        found = camera_shift(named.picture, np.clip(warped * 0.93, 0, 255).astype(np.uint8), floor)
        assert found is not None
        error = points @ found.matrix[:, :2].T + found.matrix[:, 2] - (points @ turn.T + offset)
        assert np.linalg.norm(error, axis=1).max() < 1.0
        assert found.turn_deg == pytest.approx(np.degrees(angle), abs=0.05)
        assert found.scale == pytest.approx(scale, abs=0.001)


def test_nothing_in_common_is_not_a_shift(named: SceneReference) -> None:
    blank = np.full((480, 640, 3), 200, np.uint8)
    assert camera_shift(named.picture, blank, station_floor()) is None
    result = check_scene(named, blank)
    assert not result.ok
    assert "front of the box" in result.advice[0]
    assert set(result.wrong) == {item.name for item in result.objects}


def drawn(fork_at: tuple[int, int], noise: int) -> Picture:
    """A grey fork-like thing on a nearly equal floor: colour cannot part the two."""
    rng = np.random.default_rng(noise)
    picture = np.full((480, 640, 3), 205, np.uint8)
    x, y = fork_at
    cv2.rectangle(picture, (x, y), (x + 70, y + 6), (186, 187, 189), -1)
    for tooth in range(4):
        cv2.rectangle(picture, (x + 70, y - 8 + 7 * tooth), (x + 95, y - 6 + 7 * tooth), (186, 187, 189), -1)
    return np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)


def test_an_outlined_grey_object_is_found_by_its_looks() -> None:
    outline = ((248.0, 288.0), (350, 288), (350, 320), (248, 320))
    bare, reference = (
        SceneReference(drawn((250, 300), 1)),
        SceneReference(drawn((250, 300), 1), (Annotation("fork", polygon=outline),)),
    )
    assert expected_objects(bare, station_floor()) == ()
    result = check_scene(reference, drawn((264, 309), 2))
    (fork,) = result.objects
    assert fork.offset_px == pytest.approx((14, 9), abs=0.5)
    assert fork.name in result.wrong
    same = check_scene(reference, drawn((250, 300), 3))
    assert same.wrong == ()


def test_numbers_are_plain_json(station: Twin, named: SceneReference) -> None:
    station.place(THINGS[1:])
    data = json.loads(json.dumps(check_scene(named, view(station)).to_json(), allow_nan=False))
    plate = next(item for item in data["objects"] if item["name"] == "red plate")
    assert (plate["ok"], plate["seen_px"], plate["distance_mm"]) == (False, None, None)
    assert data["tolerance"]["object_mm"] == 10.0


def test_the_overlay_shows_where_to(station: Twin, named: SceneReference) -> None:
    station.move_object("blue bowl", -0.17, -0.05)
    live = view(station)
    result: GateResult = check_scene(named, live)
    data = overlay_jpeg(named, live, result)
    assert data[:2] == b"\xff\xd8"
    plain, marked = overlay_picture(named, live, heat=False), overlay_picture(named, live, result, heat=False)
    (bowl,) = (item for item in result.objects if item.name == "blue bowl")
    x, y = (round(value) for value in bowl.expected_px)
    red = (marked[y - 12 : y + 13, x - 12 : x + 13] == (225, 40, 40)).all(axis=2)
    assert red.sum() > 20
    assert not (plain == (225, 40, 40)).all(axis=2).any()
    assert np.array_equal(overlay_picture(named, live, heat=False, blend=0.0), live)


def test_a_picture_of_another_size_is_refused(named: SceneReference) -> None:
    with pytest.raises(SceneReferenceError, match="480 x 640 x 3"):
        check_scene(named, np.zeros((720, 1280, 3), np.uint8))


def test_the_floor_is_the_boxes() -> None:
    """Left of the picture is +x of the box, up is the robot; 100 mm are 100 mm anywhere."""
    floor = station_floor()
    x, y = 0.1, -0.2
    ((u, v),) = floor.pixels(np.array([[-1000 * x, -1000 * y]]))
    assert u < 320
    assert floor.mm(np.array([[u, v]]))[0] == pytest.approx((-100, 200))
    assert Image.fromarray(floor.mask()).getbbox() is not None
