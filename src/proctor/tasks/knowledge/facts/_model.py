"""Questions about a scene, and what proves that they have exactly one answer.

A question is a kind with parameters; its rule looks at the scene's items and returns every answer that fits. An
answer is a sequence of sets of items, by name: ``(("mango_1",),)`` one thing, ``(("egg_1", "tomato_1"),)`` a set,
``(("a",), ("b",), ("c",))`` an order, ``(("a1", "a2"), ("b1", "b2"))`` groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from proctor.core import ProctorError

Answer: TypeAlias = tuple[tuple[str, ...], ...]
Value: TypeAlias = str | int | float | bool | tuple[str, ...]


class NotUniqueError(ProctorError):
    """A question that does not have exactly one certain answer in its scene."""


@dataclass(frozen=True, slots=True)
class Item:
    """A thing of a scene as the rules see it.

    ``looks`` are the asset's looks (kind, rank, suit, title, ...). ``at`` is the place of its centre on the table in
    the world frame (metres; x away from the robot, y to its left); ``radius`` its half width for surface distances;
    ``inside`` what it stands in or on (``tray_1``, ``shelf_1/top``). ``volume_cm3`` is for weights.
    """

    name: str
    category: str
    looks: Mapping[str, str] = field(default_factory=dict)
    at: tuple[float, float] | None = None
    radius: float = 0.0
    inside: str = ""
    volume_cm3: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "looks", MappingProxyType(dict(self.looks)))

    def look(self, key: str) -> str:
        """Return a look; raises where the item has none of that name."""
        if key not in self.looks:
            raise ProctorError(f"{self.name} ({self.category}) has no look {key!r}, so the question cannot be judged")
        return self.looks[key]

    def placed(self, at: tuple[float, float], inside: str = "") -> Item:
        return replace(self, at=at, inside=inside)


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question (one of `KINDS`) and its parameters."""

    kind: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(sorted(self.params.items()))))

    def __getitem__(self, key: str) -> Any:
        return self.params[key]

    def get(self, key: str, default: Any = None) -> Any:
        return self.params.get(key, default)

    def as_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in self.params.items()}
        return {"ask": self.kind, "params": values}


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found: all answers that fit, what stands in doubt (unknown facts), and the margin if it measures."""

    answers: frozenset[Answer]
    doubts: tuple[str, ...] = ()
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """Exactly one answer: the rule, all it looked at, the winner, and by how much it wins (None: nothing measured)."""

    rule: str
    question: Question
    candidates: tuple[str, ...]
    winner: Answer
    margin: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The winner's items in order."""
        return tuple(name for group in self.winner for name in group)

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "question": self.question.as_dict(),
            "candidates": list(self.candidates),
            "winner": [list(group) for group in self.winner],
            "margin": self.margin,
        }


def one(*names: str) -> frozenset[Answer]:
    """Return one single-item answer per name."""
    return frozenset(((name,),) for name in names)
