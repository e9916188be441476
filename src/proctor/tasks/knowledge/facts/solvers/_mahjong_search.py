"""Mahjong by exhaustive search over single tiles: the oracle of `_mahjong`, sharing nothing with it but the names.

Every way to give the first tile two partners of a meld, or the one of the pair, is tried.
"""

from __future__ import annotations

from collections.abc import Sequence

_ORPHANS = {"1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "C", "F", "B"}


def wins_by_search(hand: Sequence[str]) -> bool:
    """Return whether 14 tiles win: four melds and a pair, seven different pairs, thirteen orphans."""
    if len(hand) != 14 or any(hand.count(kind) > 4 for kind in hand):
        return False
    if set(hand) == _ORPHANS:
        return True
    if len(set(hand)) == 7 and all(hand.count(kind) == 2 for kind in hand):
        return True
    return _split(sorted(hand), False)


def _split(tiles: list[str], paired: bool) -> bool:
    if not tiles:
        return paired
    first, rest = tiles[0], tiles[1:]
    if not paired and first in rest:
        at = rest.index(first)
        if _split(rest[:at] + rest[at + 1 :], True):
            return True
    for a in range(len(rest)):
        for b in range(a + 1, len(rest)):
            if _is_meld(first, rest[a], rest[b]):
                left = [tile for index, tile in enumerate(rest) if index not in (a, b)]
                if _split(left, paired):
                    return True
    return False


def _is_meld(*tiles: str) -> bool:
    if len(set(tiles)) == 1:
        return True
    if any(len(tile) != 2 for tile in tiles) or len({tile[1] for tile in tiles}) != 1:
        return False
    numbers = sorted(int(tile[0]) for tile in tiles)
    return numbers == list(range(numbers[0], numbers[0] + 3))
