"""A piece of work that a process can take, one question about one task, and its answer."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, TypeAlias

from proctor.cbddl import read_task
from proctor.core import EpisodeSpec
from proctor.plan import episode_seed
from proctor.suites import TaskRef
from proctor.world import SimEnv

from ._certificate import Finding, Played

Question: TypeAlias = Literal["text", "start", "noop", "random", "expert", "reckless"]


@dataclass(frozen=True, slots=True)
class Job:
    """One question about one task; not ``judged``: asked for its figure only, no certificate depends on it."""

    task: TaskRef
    question: Question
    layouts: int
    seed: int
    judged: bool = True


@dataclass(frozen=True, slots=True)
class JobResult:
    """The findings that answer a job, the episodes behind them, and the processor seconds that it took."""

    task: TaskRef
    question: Question
    findings: tuple[Finding, ...]
    played: tuple[Played, ...] = ()
    cpu_s: float = 0.0


@functools.cache
def shared_env() -> SimEnv:
    """Return the one environment of this process."""
    return SimEnv()


def specs_of(job: Job, policy: str) -> list[EpisodeSpec]:
    """Return the episodes of a job: one per layout, the same layouts for every policy."""
    task = read_task(job.task.path)
    return [
        EpisodeSpec(
            suite=job.task.suite,
            task=job.task.id,
            level=job.task.level,
            task_hash=task.text_hash,
            episode=i,
            seed=episode_seed(job.seed, job.task.id, i),
            instruction=job.task.instruction or task.language,
            policy=policy,
            max_steps=job.task.max_steps,
            task_path=str(job.task.path),
        )
        for i in range(job.layouts)
    ]
