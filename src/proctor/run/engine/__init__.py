"""Runs policies in environments: one episode, or a whole plan on a pool of worker processes."""

from ._episode import (
    DEFAULT_ENV,
    ActionError,
    EpisodeOptions,
    Guard,
    PolicyTimeout,
    RunOptions,
    VideoMode,
    as_chunk,
    run_episode,
)
from ._pool import LEASE_S, MAX_LEASE, Pace, Pool, WakeupPipe, WorkerError
from ._run import (
    SHARDS,
    PlanMismatchError,
    RunProgress,
    RunResult,
    Source,
    SourceFactory,
    execute,
    remaining,
    survey,
    versions_of,
)
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
    "RunOptions",
    "RunProgress",
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
