"""Small things by their plans: cards, tiles, balls, tubes, flowers, books and cutlery, one layout of each scene.

`benchmarks/skill_rates.py` plays many layouts of the same scenes and prints the rates.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import Observation
from proctor.policies.scripted import ExpertPolicy

DATA = Path(__file__).parent / "data"
SCENES = sorted(DATA.glob("*.cbddl"))
NOTHING = Observation({}, np.zeros(8), "", 0)
HELD_STEPS = 10


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_plan_reaches_the_goal(bench: Bench, path: Path) -> None:
    policy = ExpertPolicy()
    policy.bind(bench.env)
    spec = episode(path, 31, max_steps=600)
    bench.env.reset(spec)
    policy.reset("", spec)
    steps = 0
    while steps < 600 and not bench.env.step(policy.act(NOTHING)).success:
        steps += 1
    assert policy.failure == ""
    assert bench.env.finish().success
    # Not there by itself: the goal must hold for ten steps, and something had to be done before.
    assert steps > 2 * HELD_STEPS


def test_a_scene_without_its_plan_stays_unsolved(bench: Bench) -> None:
    for path in SCENES:
        bench.env.reset(episode(path, 31))
        for _ in range(HELD_STEPS + 5):
            assert not bench.env.step(np.array([0, 0, 0, 0, 0, 0, -1.0])).success, path.stem
