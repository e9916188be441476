"""``Once``, ``OnceAfter``, ``Seq`` against their definitions, written out over whole histories."""

from __future__ import annotations

import numpy as np
import pytest
from world_lamps import Lamps, monitor

STEPS = 12


def histories(count: int) -> list[list[str]]:
    """Random scripts in which each of three lamps is on in about half of the steps, in runs."""
    rng = np.random.default_rng(8)
    return [
        ["".join(name for name, on in zip("abc", row, strict=True) if on) for row in rng.random((STEPS, 3)) < 0.35]
        for _ in range(count)
    ]


def values(goal: str, lamps: Lamps, script: list[str]) -> list[bool]:
    """The goal's value at the end of each step."""
    watch = monitor(goal, rule="any_step")
    found = []
    for word in script:
        lamps.on = set(word)
        watch.update()
        found.append(watch._goal.value)
    return found


def first(script: list[str], name: str) -> int:
    return next((i for i, word in enumerate(script) if name in word), STEPS)


def test_once_is_true_from_the_first_time_on(lamps: Lamps) -> None:
    for script in histories(60):
        assert values("(Once (Up a))", lamps, script) == [i >= first(script, "a") for i in range(STEPS)]


def test_once_after_wants_the_beginning_of_the_one_during_the_other(lamps: Lamps) -> None:
    seen = set()
    for script in histories(200):
        rises = [i for i, w in enumerate(script) if "a" in w and "b" in w and (i == 0 or "a" not in script[i - 1])]
        expected = [bool(rises) and i >= rises[0] for i in range(STEPS)]
        assert values("(OnceAfter (Up a) (Up b))", lamps, script) == expected
        seen.add(expected[-1])
    assert seen == {True, False}, "the histories tell nothing"


def test_seq_wants_first_times_that_strictly_increase(lamps: Lamps) -> None:
    seen = set()
    for script in histories(200):
        expected = []
        for i in range(STEPS):
            times = [first(script[: i + 1] + [""] * STEPS, name) for name in "abc"]
            expected.append(times[0] < times[1] < times[2] <= i)
        assert values("(Seq (Up a) (Up b) (Up c))", lamps, script) == expected
        seen.add(expected[-1])
    assert seen == {True, False}, "the histories tell nothing"


def test_two_at_once_are_not_one_after_the_other(lamps: Lamps) -> None:
    assert values("(Seq (Up a) (Up b))", lamps, ["ab", "", "b"])[-1] is False
    assert values("(Seq (Up a) (Up b))", lamps, ["a", "ab"])[-1] is True


@pytest.mark.parametrize("goal", ["(Once (Up a))", "(OnceAfter (Up a) (Up b))", "(Seq (Up a) (Up b) (Up c))"])
def test_memory_comes_back_at_any_step(lamps: Lamps, goal: str) -> None:
    for script in histories(10):
        whole = values(goal, lamps, script)
        for cut in (1, STEPS // 2, STEPS - 1):
            watch = monitor(goal, rule="any_step")
            for word in script[:cut]:
                lamps.on = set(word)
                watch.update()
            saved = watch.state()
            for _ in range(2):
                watch.restore(saved)
                rest = []
                for word in script[cut:]:
                    lamps.on = set(word)
                    watch.update()
                    rest.append(watch._goal.value)
                assert whole[cut:] == rest
