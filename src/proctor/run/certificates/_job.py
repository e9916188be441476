"""A piece of work that a process can take, one question about one task, and its answer."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, TypeAlias

from proctor.core import EpisodeSpec, episode_spec
from proctor.sim import SimEnv
from proctor.tasks.suites import TaskRef, entry_of

from ._certificate import Finding, Played

Question: TypeAlias = Literal["text", "start", "noop", "random", "expert", "reckless", "unique"]


@dataclass(frozen=True, slots=True)
class CertificateJob:
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
    return SimEnv()


def specs_of(job: CertificateJob, policy: str) -> list[EpisodeSpec]:
    """Return the episodes of a job: one per layout, the same layouts for every policy."""
    return [spec_of(job.task, job.seed, i, policy) for i in range(job.layouts)]


def spec_of(task: TaskRef, run_seed: int, episode: int, policy: str, vision: str = "V0") -> EpisodeSpec:
    return episode_spec(entry_of(task), episode, run_seed=run_seed, policy=policy, vision=vision)
