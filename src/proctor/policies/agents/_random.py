"""The floor: skills drawn at random among those that the hand allows, on things drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from proctor.core import EpisodeSpec, named_rng
from proctor.planning import SKILLS, Skill

from ._policy import AgentPolicy
from ._types import AgentObservation, Budget, Done, Level, Reference, Tool, ToolCall


class Dice:
    """Draws calls; ``rng`` is set per episode."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self._things: list[Reference] = []
        self._skills: list[Skill] = []

    def reset(self, instruction: str, tools: Sequence[Tool]) -> None:
        self._things, self._skills = [], [SKILLS[tool.name] for tool in tools if tool.name in SKILLS]

    def step(self, observation: AgentObservation) -> ToolCall | Done:
        """Return a random call whose precondition on the hand holds."""
        if observation.look is not None:
            seen = observation.look.things
            self._things = [thing.name for thing in seen] + [part.name for thing in seen for part in thing.parts]
        if not self._things:
            return Done("nothing to see")
        unfit = "holding" if observation.holding is None else "free"
        skills = [skill for skill in self._skills if skill.needs != unfit]
        skill = skills[int(self.rng.integers(len(skills)))]
        args: dict[str, Any] = {}
        for role in skill.roles:
            thing = self._things[int(self.rng.integers(len(self._things)))]
            args[role] = round(float(self.rng.uniform(0.0, 2.0)), 2) if role == "seconds" else thing
        return ToolCall(skill.name, args)

    def spent(self) -> Mapping[str, Any]:
        """Return nothing: dice cost no tokens."""
        return {}


class RandomAgent(AgentPolicy):
    """Random valid skill calls, at ``state`` or ``marks``; drawn from the episode's seed."""

    name = "random-agent"

    def __init__(self, perception: Level = "state", calls: int = 60) -> None:
        self._dice = Dice()
        super().__init__(self._dice, perception, budget=Budget(calls=calls))

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self._dice.rng = named_rng(episode.seed, "random-agent", episode.episode_id)
        super().reset(instruction, episode)
