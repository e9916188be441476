"""Draws the things of a scene so that a question has exactly one answer in it.

    chosen = choose(rng, "recipe", 5, dish="omelette")
    chosen.items, chosen.question, chosen.proof

Scenes are built towards their answer, because things taken at random would hardly ever give one; a scene that answers
no question of the kind is built again. Items come without places, named by category and number, in random order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from proctor.core import ProctorError

from ._ask import can_ask, possible
from ._model import Item, NotUniqueError, Proof, Question, Value
from ._prove import prove
from ._tables import ATTRIBUTE_TABLES, Split, attribute_table, side, table
from .rules import class_of
from .solvers import evaluate, kinds

TRIES = 400
Params: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A scene's items, the question, and the proof that it has one answer."""

    question: Question
    items: tuple[Item, ...]
    proof: Proof


def choose(rng: np.random.Generator, kind: str, n: int, split: Split = "all", **params: Value) -> Chosen:
    """Draw ``n`` items and a question of ``kind`` (one of `KINDS`) with exactly one answer.

    ``params`` fix parameters of the question (``dish=...``). Raises where `TRIES` scenes give none.
    """
    for _ in range(TRIES):
        items = _BUILDERS[kind](rng, split, n, params)
        fitting = []
        for question in possible(kind, items) if can_ask(kind) else [Question(kind, params)]:
            if all(question.get(key, value) == value for key, value in params.items()):
                try:
                    fitting.append((question, prove(question, items)))
                except NotUniqueError:
                    continue
        if fitting:
            question, proof = fitting[int(rng.integers(len(fitting)))]
            return Chosen(question, tuple(items), proof)
    asked = ", ".join(f"{key}={value}" for key, value in params.items())
    raise ProctorError(f"no scene of {n} items answers a question of kind {kind!r} ({asked or 'any'})")


def _recipe(rng: np.random.Generator, split: Split, n: int, params: Params) -> list[Item]:
    """The recipe and others that no cook would add; ``dish`` is fixed."""
    data = table("recipes")
    wanted = list(data["recipes"][params["dish"]])
    barred = {*wanted, *data["tolerated_extra"].get(params["dish"], ())}
    others = _shuffled(rng, [item for item in data["items"] if item not in barred])
    return _named(rng, "ingredient", "kind", wanted + others[: max(n - len(wanted), 0)])


def _reaction(rng: np.random.Generator, split: Split, n: int, params: Params) -> list[Item]:
    """A pair that reacts as asked (``event``, ``product``, ``colour``) and others."""
    data = table("chemistry")
    rows = [
        row
        for row in data["reactions"]
        if all(row[{"colour": "product_colour"}.get(key, key)] == value for key, value in params.items())
    ]
    if not rows:
        raise ProctorError(f"no reaction is {dict(params)}")
    pair = list(rows[int(rng.integers(len(rows)))]["solutions"])
    others = _shuffled(rng, [name for name, e in data["solutions"].items() if "cation" in e and name not in pair])
    return _named(rng, "tube", "solution", pair + others[: n - 2])


def _number(rng: np.random.Generator, split: Split, n: int, params: Params) -> list[Item]:
    """The digits of the answer and other digits; ``problem`` is fixed."""
    problem = next(row for row in table("math_problems")["problems"] if row["id"] == params["problem"])
    digits = list(str(evaluate(problem["expression"])))
    others = _shuffled(rng, [digit for digit in "0123456789" if digit not in digits])
    return _named(rng, "number_cube", "text", digits + others[: n - len(digits)])


def _group(rng: np.random.Generator, split: Split, n: int, params: Params) -> list[Item]:
    """Four things of a table, two of each of two classes."""
    name = str(params["table"])
    category, look, things = name, "kind", [item for items in table(name).get("classes", {}).values() for item in items]
    if name in ATTRIBUTE_TABLES:
        facts = attribute_table(name)
        category, look, things = facts.category, facts.look, list(side(name, split))
    elif name == "books":
        category, look, things = "book", "title", list(side(name, split))
    classes: dict[str, list[str]] = {}
    for value in _shuffled(rng, things):
        group = classes.setdefault(class_of(name, Item("x", category, {look: value})), [])
        if len(group) < 2:
            group.append(value)
    full = [group for key, group in classes.items() if key and len(group) == 2]
    return _named(rng, category, look, [value for group in full[:2] for value in group])


def _wait(rng: np.random.Generator, split: Split, n: int, params: Params) -> list[Item]:
    """A hand of 13 that waits, named ``mahjong_1`` to ``mahjong_13``, and ``n`` candidates of which one may win."""
    hand = winning_hand(rng)
    winner = hand.pop(int(rng.integers(14)))
    others = _shuffled(rng, [kind for kind in kinds() if kind != winner])[: n - 1]
    spare = _shuffled(rng, [winner, *others])
    return [Item(f"mahjong_{i + 1}", "mahjong", {"kind": kind}) for i, kind in enumerate([*sorted(hand), *spare])]


def winning_hand(rng: np.random.Generator) -> list[str]:
    """Return 14 tiles: four melds and a pair, no kind more than four times."""
    runs = [f"{i}{s} {i + 1}{s} {i + 2}{s}".split() for s in "mps" for i in range(1, 8)]
    sets = [[kind] * 3 for kind in kinds()]
    while True:
        melds = [
            runs[int(rng.integers(len(runs)))] if rng.random() < 0.7 else sets[int(rng.integers(34))] for _ in "1234"
        ]
        hand = [kind for meld in melds for kind in meld] + [kinds()[int(rng.integers(34))]] * 2
        if all(hand.count(kind) <= 4 for kind in hand):
            return hand


def _shuffled(rng: np.random.Generator, values: Sequence[str]) -> list[str]:
    return [values[int(index)] for index in rng.permutation(len(values))]


def _named(rng: np.random.Generator, category: str, look: str, values: list[str]) -> list[Item]:
    order = enumerate(_shuffled(rng, values))
    return [Item(f"{category}_{number + 1}", category, {look: value}) for number, value in order]


_BUILDERS: dict[str, Callable[[np.random.Generator, Split, int, Params], list[Item]]] = {
    "group": _group,
    "number": _number,
    "reaction": _reaction,
    "recipe": _recipe,
    "wait": _wait,
}
KINDS = tuple(_BUILDERS)
