"""Draws the things of a scene so that a question has exactly one answer in it.

    chosen = choose(rng, "attribute", "seen", 4, table="fruits", target={"kind": "plum"})
    chosen.items, chosen.question, chosen.proof

A scene is dealt and every question of the kind is put to the prover; scenes that answer none are dealt again. Items
come without places (`Item.placed` adds one). Names are category and number; the order of the items is random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from proctor.core import ProctorError

from ._ask import can_ask, possible
from ._deals import DEALS
from ._model import Item, NotUniqueError, Proof, Question, Value
from ._pools import pool
from ._prove import holds, prove
from ._tables import Split

TRIES = 400


@dataclass(frozen=True, slots=True)
class Chosen:
    """A scene's items, the question, and the proof that it has one answer."""

    question: Question
    items: tuple[Item, ...]
    proof: Proof

    @property
    def target(self) -> Item:
        """The answer, or the first thing of it."""
        return next(item for item in self.items if item.name == self.proof.names[0])


def questions(kind: str, items: Sequence[Item], target: str) -> tuple[Question, ...]:
    """Return every question of a kind whose one answer among ``items`` is ``target``."""
    return tuple(question for question in possible(kind, items) if holds(question, items, target))


def choose(
    rng: np.random.Generator,
    kind: str,
    split: Split = "all",
    n: int = 3,
    *,
    target: Mapping[str, str] | None = None,
    **params: Value,
) -> Chosen:
    """Draw ``n`` items and a question of ``kind`` with exactly one answer.

    ``params`` fix parameters of the question (``table="fruits"``, ``property="density"``, ``dish=...``); ``target``
    are looks that the answer must have. Raises where no scene was found in `TRIES` deals.
    """
    for _ in range(TRIES):
        items = _deal(rng, kind, split, n, target, params)
        found = list(_fitting(kind, items, target, params))
        if found:
            question, proof = found[int(rng.integers(len(found)))]
            return Chosen(question, tuple(items), proof)
    asked = ", ".join(f"{key}={value}" for key, value in params.items())
    raise ProctorError(f"no scene of {n} items answers a question of kind {kind!r} ({asked or 'any'}) for {target}")


def _deal(
    rng: np.random.Generator,
    kind: str,
    split: Split,
    n: int,
    target: Mapping[str, str] | None,
    params: Mapping[str, Value],
) -> list[Item]:
    if kind in DEALS:
        return DEALS[kind](rng, split, n, params)
    things = pool(kind, split, params)
    first = [thing for thing in things if target is not None and dict(target).items() <= thing[1].items()]
    if target is not None and not first:
        raise ProctorError(f"nothing on the {split} side looks like {dict(target)} for questions of kind {kind!r}")
    rest = [thing for thing in things if thing not in first]
    dealt = [first[int(rng.integers(len(first)))]] if first else []
    dealt += [rest[int(index)] for index in rng.permutation(len(rest))[: n - len(dealt)]]
    return [
        Item(f"{category}_{number + 1}", category, looks)
        for number, (category, looks) in enumerate(dealt[int(index)] for index in rng.permutation(len(dealt)))
    ]


def _fitting(
    kind: str, items: Sequence[Item], target: Mapping[str, str] | None, params: Mapping[str, Value]
) -> list[tuple[Question, Proof]]:
    asked = possible(kind, items) if can_ask(kind) else [Question(kind, params)]
    fitting = []
    for question in asked:
        if all(question.get(key, value) == value for key, value in params.items()):
            try:
                proof = prove(question, items)
            except NotUniqueError:
                continue
            first = next(item for item in items if item.name == proof.names[0])
            if target is None or dict(target).items() <= dict(first.looks).items():
                fitting.append((question, proof))
    return fitting
