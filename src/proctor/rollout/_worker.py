"""A worker process: builds environment and policy once, then runs one spec after the other.

It talks to its parent over one inherited connection; whatever policy or simulator print goes to the worker's log. It
never writes rows. It dies with its parent, by signal where the system offers that, else when the connection closes.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from proctor.core import Env, EnvSpec, EpisodeSpec, FittingPolicy, Policy, PolicySpec, ProctorError, require_compatible
from proctor.policies import PolicyLoadError, describe_exception, import_object, load_policy, policy_spec
from proctor.record import Episode

from ._episode import run_episode
from ._guard import Guard
from ._options import EpisodeOptions

BEAT_BYTES = 16
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Job:
    """First message to a worker: what to build."""

    parent: int
    env: str
    env_args: dict[str, Any]
    policy: str
    policy_args: dict[str, Any]
    options: EpisodeOptions = field(default_factory=EpisodeOptions)


@dataclass(frozen=True, slots=True)
class Assignment:
    """An episode to run."""

    spec: EpisodeSpec
    attempt: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has built its environment and policy, and they fit."""

    policy: PolicySpec
    env: EnvSpec


@dataclass(frozen=True, slots=True)
class Refused:
    """The worker cannot be built or cannot write; running more of them would not help."""

    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """An episode's row. ``retire``: the policy was interrupted half-way, so the worker ends and is replaced."""

    row: Episode
    retire: bool


Report: TypeAlias = Ready | Refused | Done


def main(connection_fd: int, beat_fd: int) -> None:
    """Serve one parent until it closes the connection."""
    connection: Connection = Connection(connection_fd)
    job: Job = connection.recv()
    _die_with(job.parent)
    beat = memoryview(mmap.mmap(beat_fd, BEAT_BYTES)).cast("d")
    try:
        env, policy, asked, given = _build(job)
    except ProctorError as error:
        connection.send(Refused(str(error)))
        return
    connection.send(Ready(asked, given))
    guard = Guard(job.options.policy_timeout_s, beat)
    while True:
        try:
            assignment: Assignment = connection.recv()
        except EOFError:
            break
        try:
            row = run_episode(
                env,
                policy,
                assignment.spec,
                job.options,
                policy_spec=asked,
                env_spec=given,
                guard=guard,
                attempt=assignment.attempt,
            )
        except ProctorError as error:
            connection.send(Refused(str(error)))
            break
        sys.stdout.flush()
        connection.send(Done(row, guard.timed_out))
        if guard.timed_out:
            break
    env.close()


def _build(job: Job) -> tuple[Env, Policy, PolicySpec, EnvSpec]:
    policy = load_policy(job.policy, job.policy_args)
    factory = import_object(job.env, what="environment")
    try:
        env: Env = factory(**job.env_args)
        given = env.spec()
    except ProctorError:
        raise
    except Exception as error:
        raise ProctorError(f"environment {job.env!r} could not be built: {describe_exception(error)}") from error
    if isinstance(policy, FittingPolicy):
        policy.fit(given)
    asked = policy_spec(job.policy, policy)
    require_compatible(asked, given)
    missing = [camera for camera in job.options.video_cameras if camera not in given.cameras]
    if missing:
        raise ProctorError(f"no camera {missing[0]!r} for the video: {given.name} has {', '.join(given.cameras)}")
    if asked.privileged:
        bind = getattr(policy, "bind", None)
        if not callable(bind):
            raise PolicyLoadError(f"policy {job.policy!r} says privileged=True but has no method bind(env)")
        try:
            bind(env)
        except ProctorError:
            raise
        except Exception as error:
            raise PolicyLoadError(f"policy {job.policy!r} failed in bind(): {describe_exception(error)}") from error
    return env, policy, asked, given


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before the line above.
    if os.getppid() != parent:
        os._exit(1)
