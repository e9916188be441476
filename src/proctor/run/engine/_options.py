"""How to run, apart from what to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from proctor.core import Shard

VideoMode = Literal["none", "all", "failures"]

DEFAULT_ENV = "proctor.sim:SimEnv"


@dataclass(frozen=True, slots=True)
class EpisodeOptions:
    """What happens around an episode. Nothing here changes the trajectory of a policy that keeps the rules.

    ``policy_timeout_s`` limits each call of ``reset`` and ``act``. ``out`` is the run folder for videos, steps
    and traces; traced are the first ``trace_requests`` requests of the first ``trace_episodes`` episodes of each task.
    """

    clip_actions: bool = False
    policy_timeout_s: float = 60.0
    video: VideoMode = "none"
    video_cameras: tuple[str, ...] = ()
    video_size: int = 256
    record_steps: bool = False
    trace_episodes: int = 0
    trace_requests: int = 32
    out: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a plan is carried out: on ``workers`` processes, each with ``envs_per_worker`` episodes at a time.

    ``env`` is the import path of the environment's factory. ``policy`` says how to build the policy where the plan's
    name for it is only a label (a server moves to another port and is still the same policy); empty: by its name.
    ``address`` is what rows say of that, ``policy`` unless given. A policy call that ignores its alarm (it hangs in
    native code) is ended with its worker after ``grace_s`` more; an environment call may take ``env_timeout_s``. Only
    the episodes of ``shard`` are run, into a folder of their own.
    """

    workers: int = 1
    envs_per_worker: int = 1
    env: str = DEFAULT_ENV
    env_args: dict[str, Any] = field(default_factory=dict)
    policy: str = ""
    address: str | None = None
    episode: EpisodeOptions = field(default_factory=EpisodeOptions)
    grace_s: float = 5.0
    env_timeout_s: float = 600.0
    shard: Shard = field(default_factory=Shard)
