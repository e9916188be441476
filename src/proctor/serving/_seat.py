"""One foreign client's place at the engine.

Foreign wires know sessions and episodes only in part: openpi has neither. A seat opens its session with the first
observation (a client that only looks around is no live session, which the batching would wait for), and begins an
episode when the wire says so, or when the prompt changes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from proctor.core import EpisodeSpec, Observation, PolicySpec, TaskEntry, episode_spec, named_seed
from proctor.policies.wire import OURS, FrameError, spec_from_map

from ._engine import Engine
from ._replica import Answer

_LOADING_CHECK_S = 0.05


async def loaded_spec(engine: Engine) -> PolicySpec:
    """Wait for the policy and return its spec; raises `EngineError` when it cannot be loaded."""
    while engine.status() == "loading":
        await asyncio.sleep(_LOADING_CHECK_S)
    return engine.wait(0.0) if engine.status() == "failed" else engine.spec


class Seat:
    """Use from one task at a time. ``wire`` names the episodes of clients that do not name them."""

    def __init__(self, engine: Engine, wire: str) -> None:
        self._engine, self._wire = engine, wire
        self._session = ""
        self._prompt: str | None = None
        self._episodes = 0
        self.step = 0

    def new_episode(self) -> None:
        """Let the next observation begin an episode."""
        self._prompt = None

    async def begin(self, instruction: str, episode: EpisodeSpec | None = None) -> None:
        if not self._session:
            self._session = self._engine.open()
        self._episodes += 1
        self.step = 0
        spec = episode or self._unnamed(instruction)
        await asyncio.wrap_future(self._engine.begin(self._session, instruction, spec))
        self._prompt = instruction

    async def act(self, images: dict[str, Any], state: Any, instruction: str, step: int | None = None) -> Answer:
        """Ask for actions; begins an episode first where there is none, or where the prompt is another."""
        if self._prompt != instruction:
            await self.begin(instruction)
        observation = Observation(images, state, instruction, self.step if step is None else step)
        self.step += 1
        return await asyncio.wrap_future(self._engine.act(self._session, observation))

    def _unnamed(self, instruction: str) -> EpisodeSpec:
        """Return a spec for an episode of which only the prompt is known; a connection's n-th has the n-th seed."""
        number = self._episodes - 1
        task = TaskEntry(task=instruction, suite=self._wire, instruction=instruction)
        return episode_spec(task, number, seed=named_seed(0, self._wire, number), policy=self._engine.spec.name)

    def close(self) -> None:
        if self._session:
            self._engine.close(self._session)
            self._session = ""


def told_episode(values: Any) -> EpisodeSpec:
    """Return the episode that a client of ours sent along."""
    return spec_from_map(EpisodeSpec, values)


def told_step(values: Any) -> int | None:
    """Return the step that a client of ours sent along, None from others."""
    if values is None:
        return None
    if type(values) is not int or values < 0:
        raise FrameError(f"{OURS} step is {str(values)[:40]!r}, not a whole number")
    return values
