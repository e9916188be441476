"""An agent in a body, as a policy.

The body has the simulation, because the skills do; the agent has only what its level shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import Env, EpisodeSpec, Observation, PolicySpec, ProctorError, did_you_mean, policy_code
from proctor.planning.views import VIEWS
from proctor.sim import CAMERAS, SimEnv

from ._senses import Senses
from ._session import Session
from ._types import LEVELS, Agent, Budget, Level


class AgentPolicy:
    """Examines an `Agent` like any policy. ``perception`` is one of `LEVELS`; ``version`` goes into the fingerprint."""

    name = "agent"

    def __init__(
        self,
        agent: Agent,
        perception: Level,
        *,
        budget: Budget | None = None,
        cameras: Sequence[str] = VIEWS,
        version: str = "1",
    ) -> None:
        if perception not in LEVELS:
            hint = did_you_mean(str(perception), LEVELS)
            raise ProctorError(f"policy {self.name!r}: perception is {perception!r}: one of {', '.join(LEVELS)}{hint}")
        if not cameras or not set(cameras) <= set(CAMERAS):
            raise ProctorError(f"policy {self.name!r}: cameras are {list(cameras)!r}: choose from {', '.join(CAMERAS)}")
        self._budget = budget or Budget()
        if not (self._budget.calls >= 1 and self._budget.tokens >= 1 and self._budget.wall_s > 0):
            raise ProctorError(f"policy {self.name!r}: budgets of calls, tokens and seconds must be above 0")
        self.agent, self.level = agent, perception
        self._cameras, self._version = tuple(cameras), version
        self._env: SimEnv | None = None
        self._session: Session | None = None

    def spec(self) -> PolicySpec:
        """Ask for no camera: looking is a tool. The fingerprint names the level, which no table may mix."""
        fingerprint = f"{self.name}-{policy_code(type(self))}-{self._version}-{self.level}-{self._budget.calls}"
        return PolicySpec(name=self.name, privileged=True, fingerprint=fingerprint)

    def bind(self, env: Env) -> None:
        """Receive the simulation, in which the skills work."""
        if not isinstance(env, SimEnv):
            raise ProctorError(f"policy {self.name!r} works in the simulation only, not in {env.spec().name!r}")
        self._env = env

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode; ``instruction`` is what the episode sends."""
        if self._env is None:
            raise ProctorError(f"policy {self.name!r} was not given the environment")
        self._session = None
        senses = Senses(self._env, self.level, episode.seed, self._cameras)
        self._session = Session(self.agent, self._env, senses, instruction, episode.max_steps, self._budget)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the next action; hold still once the agent has stopped or its budget is spent."""
        if self._session is None:
            raise ProctorError(f"policy {self.name!r} was asked before its episode began")
        return self._session.act(observation.step)

    def notes(self) -> dict[str, Any]:
        """Return the level, the calls with their results, what was spent, and why the agent stopped."""
        session = self._session.notes() if self._session is not None else {}
        return {"perception": self.level, **session, **self.agent.spent()}
