"""What scenes are drawn from: for each kind of question the items that may stand in its scene, by split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from proctor.core import ProctorError

from ._tables import ATTRIBUTE_TABLES, Split, attribute_table, side, table
from .rules import book
from .solvers import kinds, rank_value


def pool(kind: str, split: Split, params: Mapping[str, object]) -> tuple[tuple[str, dict[str, str]], ...]:
    """Return (category, looks) of everything that may stand in a scene of a question kind."""
    if kind in ("attribute", "group") and params.get("table") in ATTRIBUTE_TABLES:
        facts = attribute_table(str(params["table"]))
        return tuple((facts.category, {facts.look: item}) for item in side(facts.name, split))
    if kind == "group" and params.get("table") == "bakery":
        return tuple(("bakery", {"kind": item}) for items in table("bakery")["classes"].values() for item in items)
    if kind in ("subject", "author", "study", "book_order", "group"):
        titles = [title for title in side("books", split) if kind not in ("author", "book_order") or _filed(title)]
        return tuple(("book", {"title": title}) for title in titles)
    if kind in _SIMPLE:
        name, category, look = _SIMPLE[kind]
        return tuple((category, {look: item}) for item in side(name, split))
    if kind in ("nth_card", "beat_card", "best_five"):
        return tuple(("card", {"rank": rank, "suit": suit}) for rank, suit in cards(split))
    if kind in ("odd_tile", "run_tile"):
        return tuple(("mahjong", {"kind": tile}) for tile in tiles(split))
    if kind in ("ball_value", "next_ball", "extreme_ball", "clear_table", "red_then_best"):
        return tuple(("billiard_ball", {"ball": ball}) for ball in table("billiards")["snooker_values"])
    if kind in ("material", "weight", "magnet"):
        return tuple(("sample", {"material": material}) for material in materials(kind, params))
    if kind == "storage":
        data = table("storage")
        return tuple(("food", {"kind": item}) for item in (*data["fridge"], *data["room_temperature"]))
    raise ProctorError(f"scenes for questions of kind {kind!r} are not drawn from a pool")


_SIMPLE = {
    "country": ("flowers", "flower", "kind"),
    "state": ("flowers", "flower", "kind"),
    "style": ("paintings", "painting", "style"),
    "solution_colour": ("solutions", "tube", "solution"),
    "recipe": ("recipes", "ingredient", "kind"),
}


def cards(split: Split) -> tuple[tuple[str, str], ...]:
    """Return (rank, suit) of the cards of a side: rank value plus suit index even is seen, odd unseen."""
    deck = table("cards")["deck"]
    suits = list(deck["suits"])
    both = product(deck["ranks_low_to_high"], suits)
    return tuple((r, s) for r, s in both if split == "all" or (rank_value(r) + suits.index(s)) % 2 == _parity(split, 0))


def tiles(split: Split) -> tuple[str, ...]:
    """Return the tile kinds of a side: odd index seen, even index unseen."""
    return tuple(k for i, k in enumerate(kinds()) if split == "all" or i % 2 == _parity(split, 1))


def materials(kind: str, params: Mapping[str, object]) -> tuple[str, ...]:
    """Return the materials of a property, of weights (densities) or of magnetism."""
    data = table("materials")
    if kind == "magnet":
        return (*data["magnetism"]["attracted"], *data["magnetism"]["not attracted"])
    return tuple(data["properties"][str(params["property"]) if kind == "material" else "density"]["values"])


def shuffled(rng: np.random.Generator, values: Sequence[str]) -> list[str]:
    """Return the values in random order."""
    return [values[int(index)] for index in rng.permutation(len(values))]


def _parity(split: Split, seen: int) -> int:
    return seen if split == "seen" else 1 - seen


def _filed(title: str) -> bool:
    return book(title).get("family_name") is not None
