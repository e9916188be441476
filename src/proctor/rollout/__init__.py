"""Runs policies in environments: one episode, or a whole plan on a pool of worker processes."""

from ._actions import ActionError, as_chunk
from ._episode import run_episode
from ._guard import Guard, PolicyTimeout
from ._options import DEFAULT_ENV, EpisodeOptions, RunOptions, VideoMode
from ._pool import WorkerError
from ._run import PlanMismatchError, Progress, RunResult, execute

__all__ = [
    "DEFAULT_ENV",
    "ActionError",
    "EpisodeOptions",
    "Guard",
    "PlanMismatchError",
    "PolicyTimeout",
    "Progress",
    "RunOptions",
    "RunResult",
    "VideoMode",
    "WorkerError",
    "as_chunk",
    "execute",
    "run_episode",
]
