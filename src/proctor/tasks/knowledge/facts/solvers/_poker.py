"""The best five of up to seven cards, found directly from the counts of ranks and suits.

A hand is worth (category, ranks): categories 0 high card to 8 straight flush; ranks decide ties, pairs before kickers.
The ace is 14 and also 1 below a two (A-2-3-4-5 is worth its five). Suits break no tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from typing import TypeAlias

from .._tables import table

Card: TypeAlias = tuple[int, str]
Strength: TypeAlias = tuple[int, tuple[int, ...]]


def rank_value(rank: str) -> int:
    """Return 2 to 14."""
    return int(table("cards")["deck"]["values"][rank])


def strength(cards: Sequence[Card]) -> Strength:
    """Return what the best five of ``cards`` (five to seven) are worth."""
    return _plan(cards)[0]


def best_fives(cards: Sequence[Card]) -> tuple[frozenset[Card], ...]:
    """Return every five-card subset of ``cards`` that is worth the most."""
    _, ranks, suit = _plan(cards)
    wanted = Counter(ranks)
    choices = [
        list(combinations([card for card in cards if card[0] == rank and suit in ("", card[1])], count))
        for rank, count in wanted.items()
    ]
    return tuple(frozenset(card for part in parts for card in part) for parts in product(*choices))


def _plan(cards: Sequence[Card]) -> tuple[Strength, tuple[int, ...], str]:
    """Return the strength, the five ranks it takes, and the suit it takes them from ("": any)."""
    by_suit = {suit: sorted((r for r, s in cards if s == suit), reverse=True) for _, suit in cards}
    flush = next((suit for suit, ranks in by_suit.items() if len(ranks) >= 5), "")
    if flush and (top := _straight(by_suit[flush])):
        return (8, (top,)), _run(top), flush
    counts = Counter(rank for rank, _ in cards)
    ranks = sorted(counts, reverse=True)
    four = next((rank for rank in ranks if counts[rank] == 4), 0)
    if four:
        kicker = next(rank for rank in ranks if rank != four)
        return (7, (four, kicker)), (four,) * 4 + (kicker,), ""
    three = next((rank for rank in ranks if counts[rank] >= 3), 0)
    pair = next((rank for rank in ranks if counts[rank] >= 2 and rank != three), 0)
    if three and pair:
        return (6, (three, pair)), (three,) * 3 + (pair,) * 2, ""
    if flush:
        best = tuple(by_suit[flush][:5])
        return (5, best), best, flush
    if top := _straight(ranks):
        return (4, (top,)), _run(top), ""
    return _grouped(ranks, counts, three, pair)


def _grouped(ranks: list[int], counts: Counter[int], three: int, pair: int) -> tuple[Strength, tuple[int, ...], str]:
    if three:
        kickers = tuple([rank for rank in ranks if rank != three][:2])
        return (3, (three, *kickers)), (three,) * 3 + kickers, ""
    second = next((rank for rank in ranks if counts[rank] >= 2 and rank != pair), 0)
    if second:
        kicker = next(rank for rank in ranks if rank not in (pair, second))
        return (2, (pair, second, kicker)), (pair, pair, second, second, kicker), ""
    if pair:
        kickers = tuple([rank for rank in ranks if rank != pair][:3])
        return (1, (pair, *kickers)), (pair, pair, *kickers), ""
    return (0, tuple(ranks[:5])), tuple(ranks[:5]), ""


def _straight(ranks: Sequence[int]) -> int:
    """Return the top of the highest run of five among ``ranks``, 0 if there is none."""
    held = set(ranks) | ({1} if 14 in ranks else set())
    return next((top for top in range(14, 4, -1) if all(top - step in held for step in range(5))), 0)


def _run(top: int) -> tuple[int, ...]:
    return tuple(14 if rank == 1 else rank for rank in range(top, top - 5, -1))
