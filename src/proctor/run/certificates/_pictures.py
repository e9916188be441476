"""Pictures of scenes, to look at."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from proctor.core import Observation
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import SimEnv
from proctor.tasks.suites import TaskRef

from ._job import spec_of


def scene_pictures(
    task: TaskRef,
    *,
    camera: str,
    layouts: int,
    size: int,
    seed: int,
    steps: int = 0,
    vision: Sequence[str] = ("V0",),
) -> list[NDArray[np.uint8]]:
    """Return one picture per layout and level of ``vision``, after ``steps`` control steps of the expert."""
    env, expert = SimEnv(), ExpertPolicy()
    expert.bind(env)
    pictures = []
    try:
        for i, level in itertools.product(range(layouts), vision):
            spec = spec_of(task, seed, i, "expert", level)
            env.reset(spec)
            expert.reset(spec.instruction, spec)
            for step in range(steps):
                env.step(expert.act(Observation({}, np.zeros(8), spec.instruction, step)))
            pictures.append(env.observe((camera,), size).images[camera])
    finally:
        env.close()
    return pictures
