"""The sampler of an episode: randomness by name, cycles that keep targets balanced, and splits.

A cycle of ``n`` places gives every value once in each block of ``n`` episodes, in an order of its own per block, so
that any run of episodes has each value floor or ceil of its share. It depends on the task and the episode's number
only: the same episode of every run asks for the same kind of thing, in another layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from proctor.core import named_rng

from ._errors import RejectedError
from ._file import KnowledgeFile
from ._tasks import KnowledgeTask, knowledge_task
from .facts import Split

Item = TypeVar("Item")
# Instances per category: even seeds are for training, odd ones for unseen instances.
INSTANCES = 20


@dataclass(slots=True)
class Sampler:
    """One attempt at drawing an episode of what a ``.bench`` file names.

    What is drawn from one ``stream`` does not depend on how much was drawn from another.
    """

    request: KnowledgeFile
    seed: int
    episode: int
    split: Split = "all"
    attempt: int = 0
    stream: str = ""
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = named_rng(self.seed, "bench", self.request.family, self.attempt, self.stream)

    @property
    def task(self) -> KnowledgeTask:
        """The task whose episode is drawn; its scene is that of the request's family."""
        return knowledge_task(self.request.task)

    def of(self, stream: str, split: Split | None = None) -> Sampler:
        """Return the sampler of the same attempt with randomness of its own, on the same cycles."""
        return replace(self, stream=stream, split=split or self.split)

    def cycle(self, name: str, size: int, every: int = 1) -> int:
        """Return this episode's place, 0 to ``size - 1``, in the cycle ``name``, which moves on after ``every``."""
        block, place = divmod(self.episode // every, size)
        return int(named_rng(0, "bench wheel", self.request.family, name, size, block).permutation(size)[place])

    def turn(self, name: str, items: Sequence[Item]) -> Item:
        return items[self.cycle(name, len(items))]

    def choice(self, items: Sequence[Item]) -> Item:
        if not items:
            raise RejectedError("nothing to choose from")
        return items[int(self.rng.integers(len(items)))]

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return ``count`` different items in random order."""
        if count > len(items):
            raise RejectedError(f"{count} of {len(items)} items")
        return [items[int(i)] for i in self.rng.permutation(len(items))[:count]]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        return self.sample(items, len(items))

    def between(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return int(self.rng.integers(low, high + 1))

    def uniform(self, low: float, high: float) -> float:
        """Return a number, to a tenth of a millimetre."""
        return round(float(self.rng.uniform(low, high)), 4)

    def instance(self) -> int:
        """Return the seed of an instance: any, or an even (seen) or odd (unseen) one."""
        number = int(self.rng.integers(INSTANCES))
        if self.split == "all":
            return number
        return number - number % 2 + (self.split == "unseen")
