"""Pictures of scenes, to look at."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from proctor.cbddl import read_task
from proctor.core import EpisodeSpec, Observation
from proctor.expert import ExpertPolicy
from proctor.plan import episode_seed
from proctor.suites import TaskRef
from proctor.world import SimEnv


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
    text = read_task(task.path)
    pictures = []
    try:
        for i, level in itertools.product(range(layouts), vision):
            spec = EpisodeSpec(
                suite=task.suite, task=task.id, level=task.level, task_hash=text.text_hash, episode=i,
                seed=episode_seed(seed, task.id, i), instruction=text.language, policy="expert",
                task_path=str(task.path), vision=level,
            )  # fmt: skip
            env.reset(spec)
            expert.reset(text.language, spec)
            for step in range(steps):
                env.step(expert.act(Observation({}, np.zeros(8), text.language, step)))
            pictures.append(env.observe((camera,), size).images[camera])
    finally:
        env.close()
    return pictures
