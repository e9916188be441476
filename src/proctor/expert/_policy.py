"""The scripted expert as a policy, and its reckless twin.

Both see the true state (``privileged``) and act through the same 7-D actions as any policy. The reckless one takes
straight lines, looks at nothing but its target, and takes what is long by its middle: where it pays and the expert does
not, a task's safety constraint can be met and can be broken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.cbddl import Expr
from proctor.core import Env, EpisodeSpec, Observation, PolicySpec, ProctorError
from proctor.world import SceneError, SimEnv

from ._arm import Doing, SkillError
from ._clearance import Clearance
from ._script import Script
from ._timing import Schedule, paced, rehearse


class ExpertPolicy:
    """Solves a task by skills from its goal."""

    name = "expert"
    avoid = True

    def __init__(self) -> None:
        self._env: SimEnv | None = None
        self._assistant: SimEnv | None = None
        self._script: Script | None = None
        self._actions: Doing | None = None
        self.failure = ""

    def spec(self) -> PolicySpec:
        """Needs no camera, but the environment itself."""
        return PolicySpec(name=self.name, privileged=True, fingerprint=f"{self.name}-1")

    def bind(self, env: Env) -> None:
        """Receive the simulation; nothing else has the state that the expert reads."""
        if not isinstance(env, SimEnv):
            raise ProctorError(f"policy {self.name!r} works in the simulation only, not in {env.spec().name!r}")
        self._env = env

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode; the instruction is not read, the goal is."""
        self.begin(self._simulation().scene.task.goal)

    def begin(self, goal: Expr | None) -> None:
        """Begin to reach ``goal`` in the scene at hand, whatever its own is; without one, hold still."""
        env = self._simulation()
        # A new one per episode costs 10 ms; keeping one per scene would keep every scene alive.
        self._script = Script(env, Clearance(env.scene), avoid=self.avoid)
        watchful = self.avoid and bool(env.movers)
        self._actions = None if goal is None else self._paced(goal) if watchful else self._script.play(goal)
        self.failure = ""

    def _simulation(self) -> SimEnv:
        if self._env is None:
            raise ProctorError(f"policy {self.name!r} was not given the environment")
        return self._env

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do: the goal is reached, or was given up, or never was."""
        return self._actions is None

    def _paced(self, goal: Expr) -> Doing:
        """Rehearse what is left of the episode in a simulation of our own, and play it with pauses for what moves."""
        env, assistant = self._simulation(), self._assistant or SimEnv()
        assert self._script is not None
        self._assistant = assistant
        assistant.reset(env.episode)
        assistant.restore(env.snapshot())
        steps = env.episode.max_steps - env.monitor.step
        take = rehearse(assistant, Script(assistant, Clearance(assistant.scene), avoid=True).play(goal), steps)
        return paced(self._script.play(goal), Schedule(env, take, steps), env)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the next action; hold still once done or stuck."""
        assert self._script is not None
        if self._actions is not None:
            try:
                return next(self._actions)
            except StopIteration:
                self._actions = None
            except (SkillError, SceneError) as error:
                # A goal of another task may name what this scene has not.
                self._actions, self.failure = None, str(error)
        return self._script.idle()


class RecklessPolicy(ExpertPolicy):
    """The expert without avoidance."""

    name = "reckless"
    avoid = False
