"""Runs policies in environments: one episode, or a whole plan on a pool of worker processes."""

from ._actions import ActionError, as_chunk
from ._episode import run_episode
from ._guard import Guard, PolicyTimeout
from ._options import DEFAULT_ENV, EpisodeOptions, RunOptions, VideoMode
from ._pool import Pool, WorkerError
from ._run import (
    SHARDS,
    PlanMismatchError,
    Progress,
    RunResult,
    Source,
    SourceFactory,
    execute,
    remaining,
    survey,
    versions_of,
)
from ._wakeup import WakeupPipe
from ._work import LEASE_S, MAX_LEASE, Pace
from ._worker import Assignment, Job

__all__ = [
    "DEFAULT_ENV",
    "LEASE_S",
    "MAX_LEASE",
    "SHARDS",
    "ActionError",
    "Assignment",
    "EpisodeOptions",
    "Guard",
    "Job",
    "Pace",
    "PlanMismatchError",
    "PolicyTimeout",
    "Pool",
    "Progress",
    "RunOptions",
    "RunResult",
    "Source",
    "SourceFactory",
    "VideoMode",
    "WakeupPipe",
    "WorkerError",
    "as_chunk",
    "execute",
    "remaining",
    "run_episode",
    "survey",
    "versions_of",
]
