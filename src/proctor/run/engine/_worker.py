"""What a worker process is told and what it says, and how it builds what it was told to run."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from proctor.core import Env, EnvSpec, EpisodeSpec, FittingPolicy, Policy, PolicySpec, ProctorError, require_compatible
from proctor.policies import PolicyLoadError, describe_exception, import_object, policy_spec
from proctor.results import Episode

from ._options import EpisodeOptions

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """First message to a worker: what to build, and ``slots``: how many episodes it runs at a time."""

    env: str
    env_args: dict[str, Any]
    policy: str
    policy_args: dict[str, Any]
    options: EpisodeOptions = field(default_factory=EpisodeOptions)
    slots: int = 1


@dataclass(frozen=True, slots=True)
class Assignment:
    """An episode to run."""

    spec: EpisodeSpec
    attempt: int


@dataclass(frozen=True, slots=True)
class Lease:
    """Episodes for a worker, each with the number by which both sides know it."""

    items: tuple[tuple[int, Assignment], ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The worker shall give back what it has not begun: others are free."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The numbers of the episodes that a worker gives back."""

    numbers: tuple[int, ...]


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

    number: int
    row: Episode
    retire: bool


Report: TypeAlias = Ready | Refused | Done | Returned


@dataclass(frozen=True, slots=True)
class Fitting:
    """An environment and a policy that fit together."""

    env: Env
    policy: Policy
    policy_spec: PolicySpec
    env_spec: EnvSpec


def build(job: Job, policy: Policy) -> Fitting:
    """Build an environment for ``policy`` and compare the two; raises `ProctorError`."""
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
    fingerprint = asked.fingerprint or "without a fingerprint"
    _LOG.info("policy %s (%s), environment %s, cameras %s", asked.name, fingerprint, given.name, asked.cameras)
    return Fitting(env, policy, asked, given)
