"""Mahjong tiles: named, counted, the odd one, the missing one, the winning one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ._answer import Answer, answer, wish
from ._scene import Scene, Thing
from ._text import NUMBERS, number, said
from ._where import counted

_SUITS = {"characters": "m", "circles": "p", "bamboo": "s"}
_HONOURS = {
    "east wind": "E",
    "south wind": "S",
    "west wind": "W",
    "north wind": "N",
    "red dragon": "C",
    "green dragon": "F",
    "white dragon": "B",
}
_TILE = rf"\b({'|'.join(NUMBERS[1:10])}|[1-9]) of ({'|'.join(_SUITS)})|\b({'|'.join(_HONOURS)})"
_ORPHANS = frozenset([*(f"{n}{s}" for n in "19" for s in "mps"), *_HONOURS.values()])


def read_tiles(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about tiles."""
    mat = scene.one("placemat")
    return [answer(wish(tile.name, mat)) for tile in _one(text, scene.of("mahjong"))]


def _one(text: str, tiles: Sequence[Thing]) -> list[Thing]:
    by_place = counted(text, tiles)
    if by_place is not None:
        return by_place
    if said(text, "wins?\\b", "winning", "completes your hand"):
        return _winning(tiles)
    if said(text, r"\bsuit\b"):
        # Some count the honours as one suit, others winds and dragons as two.
        counts = [Counter(group(tile) for tile in tiles) for group in (_group, _finer)]
        return [tile for tile in tiles if 1 in (counts[0][_group(tile)], counts[1][_finer(tile)])]
    have = [_kind(found) for found in re.finditer(_TILE, text)]
    wanted = _missing(text, have) if len(have) > 1 or said(text, r"\bpair\b", r"\bboth\b", "two are") else set(have)
    return [tile for tile in tiles if tile.kind in wanted]


def _kind(found: re.Match[str]) -> str:
    return _HONOURS[found[3]] if found[3] else f"{number(found[1])}{_SUITS[found[2]]}"


def _missing(text: str, have: list[str]) -> set[str]:
    """Return what completes two tiles as the text wants it."""
    first, last = have[0], have[-1]
    if said(text, r"\bpair\b", r"\bboth\b", "equal", "third", "triplet"):
        return {first}
    low, high = sorted((int(first[0]), int(last[0])))
    if said(text, "low end is gone", "go up", "higher", "upper end", "comes after", "above", "follows?"):
        return {f"{high + 1}{first[1]}"}
    if said(text, "high end is gone", "go down", "lower", "comes before", "below"):
        return {f"{low - 1}{first[1]}"}
    if said(text, "hole", "between", "gap", "middle"):
        return {f"{n}{first[1]}" for n in range(low + 1, high)}
    return {f"{low - 1}{first[1]}", f"{high + 1}{first[1]}"}


def _group(tile: Thing) -> str:
    return tile.kind[1] if len(tile.kind) == 2 else "honour"


def _finer(tile: Thing) -> str:
    return "wind" if tile.kind in ("E", "S", "W", "N") else "dragon" if len(tile.kind) == 1 else tile.kind[1]


def _winning(tiles: Sequence[Thing]) -> list[Thing]:
    """Return the spare tiles that win with the hand: thirteen in one row, the spare ones in another."""
    rows: dict[int, list[Thing]] = {}
    for tile in tiles:
        rows.setdefault(round(tile.at[0] / 0.03), []).append(tile)
    hand = max(rows.values(), key=len)
    if len(hand) != 13:
        return list(tiles)
    counts = Counter(tile.kind for tile in hand)
    return [
        tile for tile in tiles if tile not in hand and counts[tile.kind] < 4 and wins([*counts.elements(), tile.kind])
    ]


def wins(kinds: Sequence[str]) -> bool:
    """Return whether fourteen tiles are a winning hand."""
    counts = Counter(kinds)
    if sorted(counts.values()) == [2] * 7 or (set(counts) == _ORPHANS and len(kinds) == 14):
        return True
    return any(_melds(counts - Counter({pair: 2})) for pair, held in counts.items() if held >= 2)


def _melds(left: Counter[str]) -> bool:
    """Return whether the tiles fall into threes: equal ones or runs."""
    if not left:
        return True
    kind = min(left)
    if left[kind] >= 3 and _melds(left - Counter({kind: 3})):
        return True
    if len(kind) == 1:
        return False
    run = Counter(f"{int(kind[0]) + step}{kind[1]}" for step in range(3))
    return all(left[tile] for tile in run) and _melds(left - run)
