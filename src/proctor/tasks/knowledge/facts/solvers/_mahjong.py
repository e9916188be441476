"""Mahjong by counts: a hand wins if, a pair aside, the lowest tile can always be taken away in a meld.

Kinds are ``1m`` to ``9s`` and the honours E S W N C F B. Winning: four melds and a pair, seven different pairs, or
thirteen orphans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from .._tables import table


def kinds() -> tuple[str, ...]:
    return tuple(table("mahjong")["tile_kinds"])


def wins(hand: Sequence[str]) -> bool:
    """Return whether 14 tiles win."""
    order = kinds()
    counts = [0] * 34
    for kind in hand:
        counts[order.index(kind)] += 1
    if len(hand) != 14 or max(counts) > 4:
        return False
    if sum(count == 2 for count in counts) == 7:
        return True
    orphans = [index for index in range(34) if index >= 27 or index % 9 in (0, 8)]
    if all(counts[index] for index in orphans) and sum(counts[index] for index in orphans) == 14:
        return True
    for index in range(34):
        if counts[index] >= 2:
            counts[index] -= 2
            found = _melds(tuple(counts))
            counts[index] += 2
            if found:
                return True
    return False


@lru_cache(maxsize=4096)
def _melds(counts: tuple[int, ...]) -> bool:
    first = next((index for index, count in enumerate(counts) if count), None)
    if first is None:
        return True
    left = list(counts)
    if left[first] >= 3:
        left[first] -= 3
        if _melds(tuple(left)):
            return True
        left[first] += 3
    if first < 27 and first % 9 <= 6 and left[first + 1] and left[first + 2]:
        for step in range(3):
            left[first + step] -= 1
        return _melds(tuple(left))
    return False


def waits(hand: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that make 13 tiles win, of which fewer than four are held."""
    held = Counter(hand)
    return tuple(kind for kind in kinds() if held[kind] < 4 and wins([*hand, kind]))
