"""Controls say what they should, and the one number tells a listener from a deaf policy."""

from __future__ import annotations

import math
import random

import pytest
from goal_scene import GOAL, SCENE
from hypothesis import given
from hypothesis import strategies as st

from proctor.analysis.words import ignoring_rate
from proctor.tasks.words import CONTROLS, LanguageError, control, tokens


@pytest.mark.parametrize("instruction", GOAL)
def test_each_control_changes_what_it_says(instruction):
    for seed in range(10):
        told = {kind: control(kind, instruction, seed, others=GOAL[:3], scene=SCENE) for kind in CONTROLS}
        assert told["none"] == ""
        assert told["wrong"] in GOAL[:3]
        assert sorted(told["shuffled"].split()) == sorted(instruction.split())
        assert told["shuffled"] != instruction
        assert tokens(told["punctuation"]) == tokens(instruction)
        assert told["punctuation"] != instruction
        assert tokens(told["antonym"]) != tokens(instruction)
        assert tokens(told["wrong_object"]) != tokens(instruction)
        assert told == {k: control(k, instruction, seed, others=GOAL[:3], scene=SCENE) for k in CONTROLS}


def test_opposites_by_hand():
    assert control("antonym", "turn on the stove", 0) == "turn off the stove"
    assert control("antonym", "open the middle drawer of the cabinet", 0) == "close the middle drawer of the cabinet"
    assert control("antonym", "put the egg in the box", 0) == "put the egg next to the box"
    assert control("antonym", "pick up the egg", 0) is None
    assert control("wrong", "turn on the stove", 0) is None
    elsewhere = control("wrong_object", "put the bowl on the plate", 0, scene={"bowl_1": ("bowl",)})
    assert elsewhere in {f"put the {name} on the plate" for name in ("sponge", "spoon", "towel", "marker")}
    assert control("shuffled", "stop", 0) is None
    parts = {control("wrong_object", "open the middle drawer of the cabinet", seed) for seed in range(20)}
    assert parts == {"open the top drawer of the cabinet", "open the bottom drawer of the cabinet"}
    with pytest.raises(ValueError, match="unknown control"):
        control("louder", "turn on the stove", 0)


def test_a_deaf_policy_has_1_and_a_listener_0():
    deaf = ignoring_rate(18, 20, 18, 20)
    assert deaf.value == 1
    assert 0.5 < deaf.low < 1 < deaf.high
    listener = ignoring_rate(0, 20, 18, 20)
    assert (listener.value, listener.low) == (0, 0)
    assert 0 < listener.high < 0.3


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_interval_holds_the_ratio_and_narrows(n, m, data):
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(1, m))
    ratio = ignoring_rate(a, n, b, m)
    assert 0 <= ratio.low <= ratio.value + 1e-12
    assert ratio.value <= ratio.high + 1e-12
    more = ignoring_rate(16 * a, 16 * n, 16 * b, 16 * m)
    assert more.high - more.low <= ratio.high - ratio.low + 1e-9


def test_the_interval_covers_as_often_as_it_says():
    rng = random.Random(1)
    p, q, n = 0.3, 0.8, 40

    def draw(rate: float) -> int:
        return sum(rng.random() < rate for _ in range(n))

    hits = [r.low <= p / q <= r.high for r in (ignoring_rate(draw(p), n, draw(q), n) for _ in range(3000))]
    assert abs(sum(hits) / len(hits) - 0.95) < 0.015


def test_what_has_no_answer_is_said():
    with pytest.raises(LanguageError, match="never succeeds with the right instruction"):
        ignoring_rate(1, 5, 0, 5)
    with pytest.raises(LanguageError, match="at least one episode"):
        ignoring_rate(0, 0, 1, 5)
    with pytest.raises(LanguageError, match="more successes"):
        ignoring_rate(6, 5, 1, 5)
    assert math.isfinite(ignoring_rate(0, 1, 1, 1).high)
