"""Failure classes: by path against episodes whose cause is known, by objects rule by rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from proctor.core import ObjectTrace
from proctor.language import LEVEL, OBJECT_CLASSES, LanguageError, classify_objects, classify_paths

Floats = NDArray[np.float64]


def reach(goal: tuple[float, float, float], rng: np.random.Generator, steps: int, noise: float = 0.004) -> Floats:
    """A path from home over a via point to ``goal``, with a wobble."""
    t = np.linspace(0, 1, steps)[:, None]
    home, via, end = np.zeros(3), np.array([*goal[:2], 0.3]), np.array(goal)
    line = (1 - t) ** 2 * home + 2 * t * (1 - t) * via + t**2 * end
    return line + rng.normal(scale=noise, size=3) * np.sin(np.pi * t)


def episodes(seed: int = 0, wins: int = 30) -> tuple[list[Floats], list[bool], list[str]]:
    rng = np.random.default_rng(seed)
    right, wrong = (0.2, 0.3, 0.05), (0.1, -0.3, 0.05)
    paths = [reach(right, rng, int(rng.integers(80, 120))) for _ in range(wins)]
    # Execution: the same path, then standing where the object was missed until time runs out.
    slipped = [reach(right, rng, int(rng.integers(80, 110))) for _ in range(20)]
    paths += [np.concatenate([path, np.repeat(path[-1:], 200, axis=0)]) for path in slipped]
    paths += [reach(wrong, rng, 300) for _ in range(20)]
    causes = ["success"] * wins + ["near"] * 20 + ["far"] * 20
    return paths, [cause == "success" for cause in causes], causes


def test_known_causes_are_found() -> None:
    paths, success, causes = episodes()
    found = classify_paths(paths, success)
    assert [a == b for a, b in zip(found.classes(), causes, strict=True)].count(True) >= 0.9 * len(causes)
    assert found.counts()["far"] >= 20
    assert set(found.counts()) == {"success", "near", "far", "undefined"}


def test_tighter_thresholds_move_failures_from_near_to_far() -> None:
    paths, success, _ = episodes(seed=3)
    found = classify_paths(paths, success)
    limits = [found.thresholds[name] for name in ("p90", "p95", "p99", "max")]
    assert limits == sorted(limits)
    near = [found.counts(name)["near"] for name in ("p90", "p95", "p99", "max")]
    assert near == sorted(near)
    assert all(sum(found.counts(name).values()) == len(paths) for name in found.thresholds)


def test_leaving_a_success_out_of_its_own_mean_widens_the_threshold() -> None:
    paths, success, _ = episodes(seed=5, wins=6)
    paper, ours = classify_paths(paths, success, mode="paper"), classify_paths(paths, success)
    assert ours.thresholds["max"] > paper.thresholds["max"]
    assert np.array_equal(ours.distances, paper.distances)
    assert paper.thresholds["max"] == paper.distances[:6].max()


def test_the_left_out_mean_is_the_mean_of_the_others() -> None:
    paths, success, _ = episodes(seed=6, wins=5)
    whole = classify_paths(paths[:5], success[:5])
    for left in range(5):
        rest = [path for number, path in enumerate(paths[:5]) if number != left]
        alone = classify_paths([*rest, paths[left]], [True] * 4 + [False], min_successes=2)
        if max(map(len, rest)) == max(map(len, paths[:5])):
            assert alone.distances[-1] == pytest.approx(whole.success_distances[left], abs=1e-12)


def test_failures_are_cut_at_the_longest_success() -> None:
    paths, success, _ = episodes(seed=7)
    wandering = [*paths, np.concatenate([paths[0], np.linspace(paths[0][-1], paths[0][-1] + 5, 500)])]
    longest = max(len(path) for path, won in zip(paths, success, strict=True) if won)
    cut = [*paths, wandering[-1][:longest]]
    first, second = (classify_paths(group, [*success, False]) for group in (wandering, cut))
    assert first.distances[-1] == second.distances[-1]


def test_too_few_successes_are_undefined() -> None:
    paths, success, _ = episodes(wins=4)
    found = classify_paths(paths, success)
    assert found.counts() == {"success": 4, "near": 0, "far": 0, "undefined": 40}
    assert np.isnan(found.distances).all()
    assert classify_paths(paths, success, min_successes=4).counts()["undefined"] == 0
    lone = classify_paths(paths[3:], success[3:], mode="paper")
    assert lone.thresholds["max"] == 0
    assert lone.counts()["near"] == 0
    assert classify_paths(paths[4:], success[4:], mode="paper").counts()["undefined"] == 40


def test_paths_and_outcomes_must_match() -> None:
    with pytest.raises(LanguageError, match="2 paths and 1 outcomes"):
        classify_paths([np.zeros((3, 3))] * 2, [True])


def thing(goal: bool = False, **values: Any) -> ObjectTrace:
    usual: dict[str, Any] = {"targets": (), "nearest_m": 0.5, "touched_s": None, "held_s": None, "moved": 0.0}
    return ObjectTrace(goal=goal, **{**usual, **values})


BOWL = {"goal": True, "targets": ("plate",)}


@pytest.mark.parametrize(
    ("expected", "things"),
    [
        ("undefined", {"bowl": thing()}),
        ("idle", {"bowl": thing(**BOWL), "plate": thing()}),
        ("missed", {"bowl": thing(**BOWL, nearest_m=0.04), "plate": thing(nearest_m=0.09)}),
        ("wrong_approach", {"bowl": thing(**BOWL, nearest_m=0.09), "plate": thing(nearest_m=0.04)}),
        ("idle", {"bowl": thing(**BOWL, nearest_m=0.1001), "plate": thing(nearest_m=0.2)}),
        ("wrong_object", {"bowl": thing(**BOWL), "mug": thing(held_s=2.0, moved=0.2)}),
        ("wrong_object", {"bowl": thing(**BOWL, moved=0.04), "mug": thing(moved=0.2)}),
        ("wrong_object", {"bowl": thing(**BOWL, held_s=4.0), "mug": thing(held_s=2.0)}),
        ("unfinished", {"bowl": thing(**BOWL, held_s=1.0, moved=0.2), "mug": thing(held_s=2.0)}),
        ("unfinished", {"bowl": thing(**BOWL, moved=0.031), "mug": thing(moved=0.03)}),
        ("unfinished", {"bowl": thing(**BOWL, held_s=1.0, moved=0.2, rests_on=("plate", "mug"))}),
        ("wrong_place", {"bowl": thing(**BOWL, held_s=1.0, moved=0.2, rests_on=("stove",))}),
        ("unfinished", {"bowl": thing(**BOWL, held_s=1.0, moved=0.02, rests_on=("stove",))}),
        ("unfinished", {"cabinet/top": thing(goal=True, held_s=1.0, moved=0.05)}),
        ("wrong_object", {"cabinet/top": thing(goal=True), "cabinet/middle": thing(held_s=1.0, moved=0.1)}),
    ],
)
def test_classes_by_objects(expected: str, things: dict[str, ObjectTrace]) -> None:
    assert classify_objects(False, things) == expected
    assert classify_objects(True, things) == "success"


def test_every_class_of_failure_has_a_level() -> None:
    assert set(LEVEL) == set(OBJECT_CLASSES) - {"success", "undefined"}
