"""How well the gate measures: scenes of the twin, objects and camera moved by known amounts.

    python benchmarks/scene_gate.py [--scenes 40] [--cameras 40]

Objects: five random ones per scene, one of them moved by 5 to 40 mm and turned by up to 5 degrees. The error is the
measured shift of its centroid against the projected shift of its foot, in pixels of the policy's view. Camera: pushed
by up to 5 mm and turned by up to half a degree about each axis; the error is the measured similarity against the true
projection of points of the static band. Every picture has noise; about half of the scenes have light up to 4 % off.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import TagPose, policy_view, view_matrix
from proctor.station.geometry import HALF, TOP_INTRINSICS, rotation_rpy, to_camera, top_camera_pose
from proctor.station.scene import SceneReference, camera_shift, check_scene, station_floor
from proctor.station.twin import SceneObject, Twin

THINGS = (
    ("plate", "red"),
    ("plate", "blue"),
    ("bowl", "yellow"),
    ("bowl", "blue"),
    ("block", "green"),
    ("block", "orange"),
    ("block", "purple"),
    ("croissant", "brown"),
    ("donut", "brown"),
    ("coaster", "green"),
    ("towel", "pink"),
    ("eraser", "blue"),
    ("pencil_box", "red"),
)
NOISE = 2.0
BAND = np.array([[-0.35, -HALF, 0.02], [0.35, -HALF, 0.02], [0.1, -HALF, 0.02], [-0.12, -HALF - 0.03, 0.0]])


@dataclass(frozen=True)
class Moved:
    """What became of the object that was moved: error in pixels (nan: not found), and whether the gate named it."""

    error_px: float
    off_mm: float
    named: bool
    others_named: int


def layout(rng: np.random.Generator, count: int = 5) -> list[SceneObject]:
    """Return ``count`` things, far enough apart not to touch, inside the policy's view."""
    places: list[tuple[float, float]] = []
    while len(places) < count:
        x, y = rng.uniform(-0.24, 0.24), rng.uniform(-0.27, 0.05)
        if all(np.hypot(x - a, y - b) > 0.155 for a, b in places) and not (abs(x) < 0.09 and y < -0.16):
            places.append((float(x), float(y)))
    chosen = rng.permutation(len(THINGS))[:count]
    return [
        SceneObject(THINGS[i][0], x, y, float(rng.uniform(-90, 90)), THINGS[i][1])
        for i, (x, y) in zip(chosen, places, strict=True)
    ]


def project(points: NDArray[np.float64], rotation: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return pixels of the policy's view of points in the box frame."""
    matrix = view_matrix(TOP_INTRINSICS.width, TOP_INTRINSICS.height)
    return TOP_INTRINSICS.project(to_camera(points, rotation, at)) @ matrix[:2, :2].T + matrix[:2, 2]


def move_one(twin: Twin, rng: np.random.Generator, far_mm: float | None = None) -> Moved:
    """Set up a scene, take its reference, move one thing, ask the gate."""
    things = layout(rng)
    twin.place(things)
    reference = SceneReference(policy_view(twin.frame("top")))
    thing = things[int(rng.integers(len(things)))]
    far = float(rng.uniform(5, 40)) if far_mm is None else far_mm
    angle = float(rng.uniform(0, 2 * np.pi))
    x, y = thing.x + far / 1000 * np.cos(angle), thing.y + far / 1000 * np.sin(angle)
    twin.move_object(thing.name, float(x), float(y), thing.yaw_deg + float(rng.uniform(-5, 5)))
    twin.set_light(float(rng.choice([1.0, rng.uniform(0.96, 1.04)])))
    result = check_scene(reference, policy_view(twin.frame("top")))
    twin.set_light(1.0)
    before, after = project(np.array([[thing.x, thing.y, 0], [x, y, 0]]), *top_camera_pose())
    floor = station_floor()
    # Unnamed references name things by colour: the thing is the one expected nearest to where it stood.
    near = min(result.objects, key=lambda item: np.linalg.norm(np.array(item.expected_px) - before))
    error = float(np.linalg.norm(np.array(near.offset_px) - (after - before)))
    off = float(np.linalg.norm(np.subtract(*floor.mm(np.array([after, before])))) - near.distance_mm)
    return Moved(error, off, near.name in result.wrong, sum(name != near.name for name in result.wrong))


def push_camera(twin: Twin, rng: np.random.Generator) -> float:
    """Push the camera, measure, put it back; return the mean error over points of the static band, in pixels."""
    twin.place(layout(rng))
    before = policy_view(twin.frame("top"))
    metres, turn = rng.uniform(-0.005, 0.005, 3), rng.uniform(-0.5, 0.5, 3)
    turned = rotation_rpy(tuple(turn))
    # Other things on the floor: the band alone has to do.
    twin.place(layout(rng))
    twin.shift_camera("top", tuple(metres), tuple(turn))
    shift = camera_shift(before, policy_view(twin.frame("top")), station_floor())
    back = TagPose(np.zeros(3), turned.T, 0.0).rpy_deg
    twin.shift_camera("top", tuple(-turned.T @ metres), back)
    if shift is None:
        return float("nan")
    rotation, at = top_camera_pose()
    was, now = project(BAND, rotation, at), project(BAND, rotation @ turned, at + rotation @ metres)
    return float(np.linalg.norm(was @ shift.matrix[:, :2].T + shift.matrix[:, 2] - now, axis=1).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--cameras", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    began = time.process_time()
    with Twin(seed=1, speed=0, noise=NOISE) as twin:
        moved = [move_one(twin, rng) for _ in range(options.scenes)]
        two_cm = [move_one(twin, rng, 20.0) for _ in range(options.scenes)]
        pushed = np.array([push_camera(twin, rng) for _ in range(options.cameras)])
    errors = np.array([item.error_px for item in (*moved, *two_cm)])
    off = np.abs([item.off_mm for item in (*moved, *two_cm)])
    seen = errors[np.isfinite(errors)]
    print(
        f"object moved: seen {len(seen)}/{len(errors)}, placement error median {np.median(seen):.2f} px, p90 "
        f"{np.percentile(seen, 90):.2f}, largest {seen.max():.2f}; distance off by {np.nanmedian(off):.1f} mm median"
    )
    named = sum(item.named for item in two_cm)
    print(
        f"one object 2 cm off: refused and named {named}/{len(two_cm)}; others named wrongly "
        f"{sum(item.others_named for item in (*moved, *two_cm))} of {4 * len(errors)}"
    )
    known = pushed[np.isfinite(pushed)]
    print(
        f"camera pushed: recognised {len(known)}/{len(pushed)}, alignment error median {np.median(known):.2f} px, p90 "
        f"{np.percentile(known, 90):.2f}, largest {known.max():.2f}"
    )
    print(f"{time.process_time() - began:.0f} s of one processor")


if __name__ == "__main__":
    main()
