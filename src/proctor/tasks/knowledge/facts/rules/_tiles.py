"""Mahjong tiles: the odd one out, what completes a run or a set, the winning tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .._model import Answer, Found, Item, Question, one
from ..solvers import waits, wins_by_search
from ._registry import check, rule

_WINDS = ("E", "S", "W", "N")


def _tiles(items: Sequence[Item]) -> dict[str, str]:
    return {item.name: item.look("kind") for item in items if item.category == "mahjong"}


def tile_group(kind: str) -> str:
    """Return the group of a tile: its suit (m, p, s) or honour."""
    return kind[1] if len(kind) == 2 else "honour"


@rule("odd_tile", "one tile is alone in its group (suit or honour), and no wind or dragon is alone among honours")
def odd_one_out(question: Question, items: Sequence[Item]) -> Found:
    tiles = _tiles(items)
    sizes = Counter(tile_group(kind) for kind in tiles.values())
    # Who counts winds and dragons as suits of their own sees another tile alone.
    honours = {name: kind in _WINDS for name, kind in tiles.items() if tile_group(kind) == "honour"}
    alone = [name for name, wind in honours.items() if list(honours.values()).count(wind) == 1]
    doubts = tuple(alone) if len(honours) > 1 else ()
    return Found(one(*(name for name, kind in tiles.items() if sizes[tile_group(kind)] == 1)), doubts)


@rule("run_tile", "exactly one tile completes the run or the set that is spoken of")
def completes(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``have`` (two kinds) and ``end`` (low, high, middle, same: which tile is asked for)."""
    wanted = completion(tuple(question["have"]), question["end"])
    return Found(one(*(name for name, kind in _tiles(items).items() if kind == wanted)))


def completion(have: tuple[str, ...], end: str) -> str:
    """Return the tile that makes a run of two (low, high, middle) or a set of three (same) complete; "" if none."""
    first, second = sorted(have)
    if end == "same":
        return first if first == second else ""
    if len(first) != 2 or len(second) != 2 or first[1] != second[1]:
        return ""
    low, high = int(first[0]), int(second[0])
    if end == "middle":
        return f"{low + 1}{first[1]}" if high - low == 2 else ""
    number = low - 1 if end == "low" else high + 1
    return f"{number}{first[1]}" if high - low == 1 and 1 <= number <= 9 else ""


@rule("wait", "exactly one candidate kind wins with the 13 tiles of the hand; at most 4 of a kind are visible")
def winning_tile(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``hand``, the names of the 13 tiles; every other tile is a candidate."""
    tiles = _tiles(items)
    hand = [tiles[name] for name in question["hand"]]
    winners = set(waits(hand))
    fits = [name for name, kind in tiles.items() if name not in question["hand"] and kind in winners]
    crowded = [kind for kind, count in Counter(tiles.values()).items() if count > 4]
    return Found(one(*fits), tuple(f"more than four {kind}" for kind in crowded))


@check("wait")
def _winning_by_search(question: Question, items: Sequence[Item]) -> frozenset[Answer]:
    tiles = _tiles(items)
    hand = [tiles[name] for name in question["hand"]]
    return one(*(n for n, k in tiles.items() if n not in question["hand"] and wins_by_search([*hand, k])))
