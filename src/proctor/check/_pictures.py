"""Pictures of scenes, to look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.cbddl import read_task
from proctor.core import EpisodeSpec, Observation
from proctor.expert import ExpertPolicy
from proctor.plan import episode_seed
from proctor.suites import TaskRef
from proctor.world import SimEnv


def scene_pictures(
    task: TaskRef, *, camera: str, layouts: int, size: int, seed: int, steps: int = 0
) -> list[NDArray[np.uint8]]:
    """Return one picture per layout, after ``steps`` control steps of the expert."""
    env, expert = SimEnv(), ExpertPolicy()
    expert.bind(env)
    text = read_task(task.path)
    pictures = []
    try:
        for i in range(layouts):
            spec = EpisodeSpec(
                suite=task.suite, task=task.id, level=task.level, task_hash=text.text_hash, episode=i,
                seed=episode_seed(seed, task.id, i), instruction=text.language, policy="expert",
                task_path=str(task.path),
            )  # fmt: skip
            env.reset(spec)
            expert.reset(text.language, spec)
            for step in range(steps):
                env.step(expert.act(Observation({}, np.zeros(8), text.language, step)))
            pictures.append(env.render(camera, size, size))
    finally:
        env.close()
    return pictures
