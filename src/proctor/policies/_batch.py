"""Policies made for servers, in a run of their own: one session, and specs given as plain maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import BatchPolicy, EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import FrameError, spec_from_map

BATCH_METHODS = ("spec", "begin", "act_batch", "end")
_SESSION = "run"


def is_batch(policy: Any) -> bool:
    """Return whether ``policy`` acts for many sessions at once."""
    return all(callable(getattr(policy, name, None)) for name in BATCH_METHODS)


def as_spec(value: Any) -> Any:
    """Return a map with the names of `PolicySpec` as one; anything else unchanged, for the caller to judge."""
    if not isinstance(value, Mapping):
        return value
    unknown = [name for name in value if name not in PolicySpec.__dataclass_fields__]
    if unknown:
        raise ValueError(f"spec() has {unknown[0]!r}, which PolicySpec has not")
    try:
        return spec_from_map(PolicySpec, value)
    except FrameError as error:
        raise ValueError(str(error)) from None


def begin_batch(policy: BatchPolicy, session: str, instruction: str, episode: EpisodeSpec) -> None:
    """Begin an episode. Adapters know nothing of ours (their spec is a map): they get the episode as a map too."""
    plain = isinstance(policy.spec(), Mapping)
    policy.begin(session, instruction, asdict(episode) if plain else episode)  # type: ignore[arg-type]


class SingleSession:
    """A `BatchPolicy` as a `Policy`: the only session of its own."""

    def __init__(self, policy: BatchPolicy) -> None:
        self._policy = policy

    @property
    def inner(self) -> BatchPolicy:
        return self._policy

    def spec(self) -> PolicySpec:
        spec: PolicySpec = as_spec(self._policy.spec())
        return spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        begin_batch(self._policy, _SESSION, instruction, episode)

    def act(self, observation: Observation) -> NDArray[np.floating[Any]]:
        (actions,) = self._policy.act_batch([_SESSION], [observation])
        return actions
