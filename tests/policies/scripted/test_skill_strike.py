"""Striking with a cue: the ball goes into its pocket without being held, and what is no stick strikes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import Observation
from proctor.policies.scripted import ExpertPolicy, SkillError
from proctor.policies.scripted.skills import Hands, perform
from proctor.tasks.knowledge import draw

NOTHING = Observation({}, np.zeros(8), "", 0)


def test_a_drawn_shot_is_potted(bench: Bench, tmp_path: Path) -> None:
    drawn = draw("simple_cuestick_use", 3, 5)
    path = tmp_path / "shot.cbddl"
    path.write_text(drawn.text)
    spec = episode(path, 5, max_steps=300)
    policy = ExpertPolicy()
    policy.bind(bench.env)
    bench.env.reset(spec)
    policy.reset("", spec)
    for _ in range(300):
        if bench.env.step(policy.act(NOTHING)).success:
            break
    assert policy.failure == ""
    assert bench.env.finish().success


def test_what_has_no_stem_strikes_nothing(bench: Bench) -> None:
    bench.build(objects={"apple_1": "apple", "ball_1": "billiard_ball"}, at={"apple_1": (-0.2, 0.1), "ball_1": (0, 0)})
    hands = Hands(bench.env)
    hands.holding = "apple_1"
    with pytest.raises(SkillError, match="apple_1 is no tool to strike with"):
        next(perform(hands, "strike", "ball_1", "main_table"))
