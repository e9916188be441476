"""Lets the expert play a made-up task."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from world_bench import Bench, episode

from proctor.core import Observation
from proctor.policies.scripted import ExpertPolicy

NOTHING = Observation({}, np.zeros(8), "", 0)


def solves(bench: Bench, task: Mapping[str, object], seed: int, steps: int) -> tuple[bool, str]:
    """Say whether the expert solves a task within so many control steps, and what it says of its failure."""
    policy, spec = ExpertPolicy(), episode(bench.write(**task), seed)
    policy.bind(bench.env)
    bench.env.reset(spec)
    policy.reset("", spec)
    return any(bench.env.step(policy.act(NOTHING)).success for _ in range(steps)), policy.failure
