"""The seams. Anything with these methods fits; nothing has to inherit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ._types import EnvSpec, EpisodeSpec, Observation, Outcome, PolicySpec, Step


@runtime_checkable
class Policy(Protocol):
    """Acts on observations. One instance serves many episodes, one after the other."""

    def spec(self) -> PolicySpec:
        """Say what the policy needs and returns."""
        ...

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode. ``instruction`` is the exact text for this episode."""
        ...

    def act(self, observation: Observation) -> NDArray[np.floating[Any]]:
        """Return one action [D] or a chunk [H, D] with H <= spec().chunk, each value in [-1, 1]."""
        ...


@runtime_checkable
class PrivilegedPolicy(Policy, Protocol):
    """A policy that may look behind the curtain (scripted experts); its spec says ``privileged=True``."""

    def bind(self, env: Env) -> None:
        """Receive the environment before the first reset."""
        ...


@runtime_checkable
class FittingPolicy(Policy, Protocol):
    """A policy without needs of its own: it takes the shape of whatever environment it is to act in."""

    def fit(self, env: EnvSpec) -> None:
        """Hear of the environment before ``spec()`` is asked; what ``spec()`` says then must suit it."""
        ...


@runtime_checkable
class TellingPolicy(Policy, Protocol):
    """A policy that has more to tell of an episode than its actions: tokens spent, tools called, why it stopped."""

    def notes(self) -> Mapping[str, Any]:
        """Return the facts of the last episode as JSON values; they go into its row, so they must hold no secret."""
        ...


@runtime_checkable
class BatchPolicy(Protocol):
    """Acts for many episodes at once: what a server with one model and many clients needs.

    A session is one client's place, named by an opaque text; it has one episode at a time. Whatever an episode needs to
    remember (a prompt, a history of frames) belongs to its session.
    """

    def spec(self) -> PolicySpec:
        """Say what the policy needs and returns."""
        ...

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode in ``session``; what the session remembered of an earlier one is void."""
        ...

    def act_batch(
        self, sessions: Sequence[str], observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.floating[Any]]]:
        """Return, for each session in the same order, one action [D] or a chunk [H, D] as `Policy.act` does."""
        ...

    def end(self, session: str) -> None:
        """Forget ``session``."""
        ...


@runtime_checkable
class Env(Protocol):
    """A world to act in: simulation, digital twin or a real arm.

    ``observe`` is apart from ``step`` so that a frame is rendered only when a policy will look at it.
    """

    def spec(self) -> EnvSpec:
        """Say what the environment offers."""
        ...

    def reset(self, episode: EpisodeSpec) -> None:
        """Put the world into the start state of ``episode``."""
        ...

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        """Return the current observation with just these cameras."""
        ...

    def step(self, action: NDArray[np.float64]) -> Step:
        """Advance one control period under ``action`` [D], values in [-1, 1]."""
        ...

    def finish(self) -> Outcome:
        """Evaluate what is due at the end (terminal cost) and return the episode's outcome."""
        ...

    def close(self) -> None:
        """Free what the environment holds."""
        ...
