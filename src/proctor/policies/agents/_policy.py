"""An agent in a body, as a policy.

The body has the simulation, because the skills do; the agent has only what its level shows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from proctor.core import Env, EpisodeSpec, Observation, PolicySpec, ProctorError, did_you_mean, policy_code
from proctor.planning.views import VIEWS
from proctor.policies.scripted.skills import Doing, Hands, SkillError
from proctor.sim import CAMERAS, CONTROL_HZ, SceneError, SimEnv

from ._senses import Senses
from ._tools import DONE, LOOK, ToolProblem, begin, tools
from ._types import LEVELS, Agent, AgentObservation, Budget, Done, Level, Look, ToolCall, ToolError, ToolResult

# One episode of an agent: it is asked for a tool call, which is carried out step by step, and asked again.

MOST_TEXT = 300


class AgentSession:
    """An agent, its hands and its senses, from the reset to the end of an episode.

    ``ended`` is why the agent stopped, "" while it has not; from then on the arm holds still.
    """

    def __init__(
        self, agent: Agent, env: SimEnv, senses: Senses, instruction: str, max_steps: int, budget: Budget
    ) -> None:
        self._agent, self._senses, self._budget = agent, senses, budget
        self._instruction, self._max_steps = instruction, max_steps
        self._hands = Hands(env)
        self._acting: Doing | None = None
        self._call: ToolCall | None = None
        self._result: ToolResult | None = None
        self._thought_s = 0.0
        self.log: list[dict[str, Any]] = []
        self.ended = ""
        agent.reset(instruction, tools())
        self._look: Look | None = senses.look()

    def act(self, step: int) -> NDArray[np.float64]:
        """Return the next action of the call at hand, or of the next one."""
        while True:
            if self._acting is not None:
                try:
                    return next(self._acting)
                except StopIteration:
                    self._close()
                except (SkillError, SceneError) as error:
                    self._close("unreachable", str(error))
                except Exception as error:
                    # The skills are written for what tasks ask; an agent may ask for anything.
                    self._close("broken", f"{type(error).__name__}: {error}")
            elif self.ended:
                return self._hands.idle()
            else:
                self._decide(step)

    def notes(self) -> dict[str, Any]:
        """Return the calls with their results, what was spent, and why the agent stopped."""
        return {
            "ended": self.ended or "with the episode",
            "calls": len(self.log),
            "log": self.log,
            "thought_s": round(self._thought_s, 3),
        }

    def _decide(self, step: int) -> None:
        """Ask the agent, and begin what it says."""
        self.ended = self._over_budget()
        if self.ended:
            return
        seen = AgentObservation(
            self._instruction,
            self._look,
            self._result,
            self._senses.name_of(self._hands.holding),
            self._budget.calls - len(self.log),
            round((self._max_steps - step) / CONTROL_HZ, 2),
        )
        began = time.monotonic()
        try:
            said = self._agent.step(seen)
        finally:
            self._thought_s += time.monotonic() - began
        self._look = None
        if isinstance(said, Done) or said.tool == DONE:
            self.ended = said.reason if isinstance(said, Done) else DONE
            return
        self._call = said
        self.log.append({"step": step, "call": str(said)[:MOST_TEXT]})
        self._begin(said)

    def _begin(self, call: ToolCall) -> None:
        if call.tool == LOOK:
            self._look = self._senses.look()
            self._close()
            return
        try:
            self._acting = begin(self._hands, call, self._senses.reader)
        except ToolProblem as problem:
            self._close(problem.kind, str(problem))

    def _over_budget(self) -> str:
        if len(self.log) >= self._budget.calls:
            return "budget: calls"
        if self._thought_s >= self._budget.wall_s:
            return "budget: wall time"
        spent = self._agent.spent()
        tokens = int(spent.get("tokens_in") or 0) + int(spent.get("tokens_out") or 0)
        return "budget: tokens" if tokens >= self._budget.tokens else ""

    def _close(self, error: str = "", text: str = "") -> None:
        """End the call at hand with its result. What the agent reads names nothing that it does not perceive."""
        assert self._call is not None
        self._acting = None
        line = text.partition("\n")[0][:MOST_TEXT]
        self._result = ToolResult(str(self._call), cast(ToolError, error), self._senses.veiled(line))
        if error:
            self.log[-1] |= {"error": error, "text": line}


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
        self._session: AgentSession | None = None

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
        self._session = AgentSession(self.agent, self._env, senses, instruction, episode.max_steps, self._budget)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the next action; hold still once the agent has stopped or its budget is spent."""
        if self._session is None:
            raise ProctorError(f"policy {self.name!r} was asked before its episode began")
        return self._session.act(observation.step)

    def notes(self) -> dict[str, Any]:
        """Return the level, the calls with their results, what was spent, and why the agent stopped."""
        session = self._session.notes() if self._session is not None else {}
        return {"perception": self.level, **session, **self.agent.spent()}
