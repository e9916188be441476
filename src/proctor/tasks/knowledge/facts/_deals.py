"""Scenes that are built towards their answer, because dealing at random would hardly ever give one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from proctor.core import ProctorError

from ._model import Item, Value
from ._pools import pool, shuffled
from ._tables import Split, table
from .rules import class_of
from .solvers import evaluate, kinds

Deal: TypeAlias = Callable[[np.random.Generator, Split, int, Mapping[str, Value]], list[Item]]


def _recipe(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """The recipe and others that no cook would add; ``dish`` is fixed."""
    data = table("recipes")
    wanted = list(data["recipes"][params["dish"]])
    barred = {*wanted, *data["tolerated_extra"].get(params["dish"], ())}
    others = shuffled(rng, [item for item in data["items"] if item not in barred])
    return _named(rng, "ingredient", "kind", wanted + others[: max(n - len(wanted), 0)])


def _reaction(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
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
    others = shuffled(rng, [name for name, e in data["solutions"].items() if "cation" in e and name not in pair])
    return _named(rng, "tube", "solution", pair + others[: n - 2])


def _number(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """The digits of the answer and other digits; ``problem`` is fixed."""
    problem = next(row for row in table("math_problems")["problems"] if row["id"] == params["problem"])
    digits = list(str(evaluate(problem["expression"])))
    others = shuffled(rng, [digit for digit in "0123456789" if digit not in digits])
    return _named(rng, "number_cube", "text", digits + others[: n - len(digits)])


def _group(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """Four things of a table, two of each of two classes."""
    things = pool("group", split, params)
    category, looks = things[0]
    (look,) = looks
    order = shuffled(rng, [str(thing[look]) for _, thing in things])
    return _named(rng, category, look, _two_and_two(str(params["table"]), order, category, look))


def _two_and_two(name: str, order: list[str], category: str, look: str) -> list[str]:
    classes: dict[str, list[str]] = {}
    for value in order:
        group = classes.setdefault(class_of(name, Item("x", category, {look: value})), [])
        if len(group) < 2:
            group.append(value)
    full = [group for key, group in classes.items() if key and len(group) == 2]
    return [value for group in full[:2] for value in group]


def _wait(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """A hand of 13 that waits, named ``mahjong_1`` to ``mahjong_13``, and ``n`` candidates of which one may win."""
    hand = winning_hand(rng)
    winner = hand.pop(int(rng.integers(14)))
    others = shuffled(rng, [kind for kind in kinds() if kind != winner])[: n - 1]
    spare = shuffled(rng, [winner, *others])
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


def _match(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """``n`` paintings of different styles and a name cube for each."""
    styles = shuffled(rng, [thing["style"] for _, thing in pool("style", split, {})])[:n]
    spoken = table("paintings")["spoken"]
    boards = [Item(f"painting_{i + 1}", "painting", {"style": style}) for i, style in enumerate(styles)]
    names = enumerate(shuffled(rng, styles))
    return boards + [Item(f"number_cube_{i + 1}", "number_cube", {"text": spoken[style]}) for i, style in names]


def _menu(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """All cutlery and a plate."""
    pieces = _named(rng, "cutlery", "kind", list(table("dining")["cutlery"]))
    return [*pieces, Item("serving_plate_1", "serving_plate")]


def _odd_tile(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """One tile of a group of its own, the others of one or two other groups."""
    by_group: dict[str, list[str]] = {}
    for _, looks in pool("odd_tile", split, {}):
        by_group.setdefault(looks["kind"][1] if len(looks["kind"]) == 2 else "honour", []).append(looks["kind"])
    odd, *rest = shuffled(rng, list(by_group))
    others = shuffled(rng, [kind for group in rest[: 1 + int(rng.integers(2))] for kind in by_group[group]])
    return _named(rng, "mahjong", "kind", [shuffled(rng, by_group[odd])[0], *others[: n - 1]])


def _weight(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """Solid cubes of different materials with edges of 30, 40, 50 or 60 mm."""
    materials = shuffled(rng, [looks["material"] for _, looks in pool("weight", split, {})])[:n]
    edges = [3 + int(rng.integers(4)) for _ in materials]
    pairs = enumerate(zip(materials, edges, strict=True))
    return [Item(f"sample_{i + 1}", "sample", {"material": m}, volume_cm3=float(e**3)) for i, (m, e) in pairs]


def _state(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """One flower in the state that is asked for (fresh by default), the others in the other one."""
    asked = str(params.get("state", "fresh"))
    other = "wilted" if asked == "fresh" else "fresh"
    flowers = shuffled(rng, [looks["kind"] for _, looks in pool("state", split, {})])[:n]
    odd = int(rng.integers(n))
    pairs = [(kind, asked if index == odd else other) for index, kind in enumerate(flowers)]
    return [Item(f"flower_{i + 1}", "flower", {"kind": kind, "state": s}) for i, (kind, s) in enumerate(pairs)]


def _lever(rng: np.random.Generator, split: Split, n: int, params: Mapping[str, Value]) -> list[Item]:
    """Cubes of printed masses around the load (``load_g``): one, or two together (``count`` 2), lift it."""
    load = float(params["load_g"])  # type: ignore[arg-type]
    if params["count"] == 1:
        masses = [load * rng.uniform(1.7, 3.5), *(load * rng.uniform(0.1, 0.85 / (n - 1)) for _ in range(n - 1))]
    else:
        masses = [load * 0.8, load * 0.8, *(load * rng.uniform(0.02, 0.1) for _ in range(n - 2))]
    rounded = [float(int(mass / 5) * 5) for mass in masses]
    order = enumerate(rounded[int(index)] for index in rng.permutation(n))
    return [Item(f"weight_{i + 1}", "weight", {"mass_g": f"{mass:.0f}"}, mass_g=mass) for i, mass in order]


def _named(rng: np.random.Generator, category: str, look: str, values: list[str]) -> list[Item]:
    order = enumerate(shuffled(rng, values))
    return [Item(f"{category}_{number + 1}", category, {look: value}) for number, value in order]


DEALS: dict[str, Deal] = {
    "group": _group,
    "lever": _lever,
    "match_style": _match,
    "menu": _menu,
    "number": _number,
    "odd_tile": _odd_tile,
    "reaction": _reaction,
    "recipe": _recipe,
    "state": _state,
    "wait": _wait,
    "weight": _weight,
}
