"""The scripted expert as a policy, and its reckless twin.

Both see the true state (``privileged``) and act through the same 7-D actions as any policy. The reckless one takes
straight lines, looks at nothing but its target, and takes what is long by its middle: where it pays and the expert does
not, a task's safety constraint can be met and can be broken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from proctor.core import Env, EpisodeSpec, Observation, PolicySpec, ProctorError, policy_code
from proctor.sim import SceneError, SimEnv
from proctor.tasks.cbddl import Expr

from ._arm import Doing, SkillError
from ._hands import Hands
from ._script import Script
from ._timing import Schedule, paced, rehearse
from .skills import play


class ExpertPolicy:
    """Solves a task by the skills of its plan, or by those that its goal asks for."""

    name = "expert"
    avoid = True

    def __init__(self) -> None:
        self._env: SimEnv | None = None
        self._assistant: SimEnv | None = None
        self._hands: Hands | None = None
        self._actions: Doing | None = None
        self.failure = ""

    def spec(self) -> PolicySpec:
        """Needs no camera, but the environment itself."""
        return PolicySpec(name=self.name, privileged=True, fingerprint=f"{self.name}-{policy_code(type(self))}")

    def bind(self, env: Env) -> None:
        """Receive the simulation; nothing else has the state that the expert reads."""
        if not isinstance(env, SimEnv):
            raise ProctorError(f"policy {self.name!r} works in the simulation only, not in {env.spec().name!r}")
        self._env = env

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode; the instruction is not read, the plan or else the goal is."""
        task = self._simulation().scene.task
        if task.plan:
            self._start(partial(play, plan=task.plan))
        else:
            self.begin(task.goal)

    def begin(self, goal: Expr | None) -> None:
        """Begin to reach ``goal`` in the scene at hand, whatever its own is; without one, hold still."""
        self._start(None if goal is None else lambda hands: Script(hands).play(goal))

    def _start(self, doing: Callable[[Hands], Doing] | None) -> None:
        """Begin with new hands to do something, or nothing."""
        env = self._simulation()
        # A new one per episode costs 10 ms; keeping one per scene would keep every scene alive.
        self._hands = self.hands(env)
        watchful = self.avoid and bool(env.movers)
        self._actions = None if doing is None else self._paced(doing) if watchful else doing(self._hands)
        self.failure = ""

    def hands(self, env: SimEnv) -> Hands:
        return Hands(env, avoid=self.avoid)

    def _simulation(self) -> SimEnv:
        if self._env is None:
            raise ProctorError(f"policy {self.name!r} was not given the environment")
        return self._env

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do: the goal is reached, or was given up, or never was."""
        return self._actions is None

    def _paced(self, doing: Callable[[Hands], Doing]) -> Doing:
        """Rehearse what is left of the episode in a simulation of our own, and play it with pauses for what moves."""
        env, assistant = self._simulation(), self._assistant or SimEnv()
        assert self._hands is not None
        self._assistant = assistant
        assistant.reset(env.episode)
        assistant.restore(env.snapshot())
        steps = env.episode.max_steps - env.monitor.step
        take = rehearse(assistant, doing(self.hands(assistant)), steps)
        return paced(doing(self._hands), Schedule(env, take, steps), env)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the next action; hold still once done or stuck."""
        assert self._hands is not None
        if self._actions is not None:
            try:
                return next(self._actions)
            except StopIteration:
                self._actions = None
            except (SkillError, SceneError) as error:
                # A goal of another task may name what this scene has not.
                self._actions, self.failure = None, str(error)
        return self._hands.idle()


class RecklessPolicy(ExpertPolicy):
    """The expert without avoidance."""

    name = "reckless"
    avoid = False
