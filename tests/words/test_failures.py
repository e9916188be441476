"""Failure classes: by path against episodes whose cause is known, by objects rule by rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from proctor.analysis.failures import (
    LEVEL,
    MIN_PROGRESS,
    OBJECT_CLASSES,
    classify_objects,
    classify_paths,
    mean_success,
)
from proctor.core import ObjectTrace
from proctor.tasks.words import LanguageError

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
    assert (found.distances <= classify_paths(paths, success, mode="paper").distances).all()
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


def halfway(rng: np.random.Generator) -> Floats:
    """The right way up to the object, which is missed: the rest of the time is spent there."""
    path = reach((0.2, 0.3, 0.05), rng, 100, noise=0.001)[:60]
    return np.concatenate([path, np.repeat(path[-1:], 60, axis=0)])


def test_who_stops_on_the_right_way_is_near_only_when_corrected() -> None:
    paths, success, _ = episodes()
    stopped = [halfway(np.random.default_rng(seed)) for seed in range(5)]
    given = ([*paths, *stopped], [*success, *[False] * 5])
    assert classify_paths(*given).classes()[-5:] == ["near"] * 5
    assert classify_paths(*given, mode="paper").classes()[-5:] == ["far"] * 5


def test_who_never_starts_is_far() -> None:
    paths, success, _ = episodes()
    found = classify_paths([*paths, np.zeros((100, 3))], [*success, False])
    assert found.distances[-1] < found.thresholds["max"]
    assert found.progress[-1] < MIN_PROGRESS
    assert found.classes()[-1] == "far"


def test_rivals_tell_another_task_from_a_shaking_hand() -> None:
    rng = np.random.default_rng(9)
    own, other = (0.2, 0.3, 0.05), (0.2, 0.24, 0.05)
    wins = [reach(own, rng, 100) for _ in range(20)]
    rival = mean_success([reach(other, rng, 100) for _ in range(20)], [True] * 20)
    assert rival is not None
    shaken = [reach(own, rng, 100) + rng.normal(scale=0.02, size=(100, 3)) for _ in range(10)]
    misheard = [reach(other, rng, 100) for _ in range(10)]
    paths, success = [*wins, *shaken, *misheard], [True] * 20 + [False] * 20
    alone, against = classify_paths(paths, success), classify_paths(paths, success, rivals=[rival])
    assert alone.classes()[20:30].count("near") == 0
    assert against.classes()[20:] == ["near"] * 10 + ["far"] * 10
    assert np.array_equal(classify_paths(paths, success, mode="paper", rivals=[rival]).rivals, np.zeros(40))
    assert mean_success(paths, [True] * 4 + [False] * 36) is None


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
        ("unfinished", {"bowl": thing(**BOWL, nearest_m=0.05, moved=0.04), "mug": thing(moved=0.2)}),
        ("missed", {"bowl": thing(**BOWL, nearest_m=0.05), "mug": thing(moved=0.2)}),
        ("wrong_object", {"bowl": thing(**BOWL, nearest_m=0.051), "mug": thing(moved=0.2)}),
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
