"""The best five of seven by trying all subsets: the oracle of `_poker`, sharing nothing with it but the cards.

A hand's category follows from the number of equal pairs among its ten pairs of cards (1 one pair, 2 two pair, 3 three
of a kind, 4 full house, 6 four of a kind); its worth is one whole number in base 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

_BY_EQUAL_PAIRS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 6, 6: 7}


def worth(hand: Sequence[tuple[int, str]]) -> int:
    """Return the worth of exactly five cards; a greater number beats a smaller one, equal numbers tie."""
    ranks = [rank for rank, _ in hand]
    category = _BY_EQUAL_PAIRS[sum(a == b for a, b in combinations(ranks, 2))]
    # Groups first, higher ranks first: sort by how often a rank occurs, then by the rank.
    order = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    if category == 0:
        if sorted(ranks) == [2, 3, 4, 5, 14]:
            category, order = 4, [5, 4, 3, 2, 1]
        elif max(ranks) - min(ranks) == 4:
            category = 4
        if len({suit for _, suit in hand}) == 1:
            category = 8 if category == 4 else 5
    number = category
    for rank in order:
        number = number * 15 + rank
    return number


def best_by_brute_force(cards: Sequence[tuple[int, str]]) -> tuple[frozenset[tuple[int, str]], ...]:
    """Return all five-card subsets of the greatest worth."""
    worths = {frozenset(hand): worth(hand) for hand in combinations(cards, 5)}
    best = max(worths.values())
    return tuple(hand for hand, value in worths.items() if value == best)
