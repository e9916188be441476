"""Cards: n-th largest, the smallest that still wins, the best five of seven."""

from __future__ import annotations

from collections.abc import Sequence

from .._model import Answer, Found, Item, Question, one
from ..solvers import best_by_brute_force, best_fives, rank_value
from ._registry import check, rule


def _cards(items: Sequence[Item]) -> dict[str, tuple[int, str]]:
    return {i.name: (rank_value(i.look("rank")), i.look("suit")) for i in items if i.category == "card"}


@rule("nth_card", "all ranks differ; the ace is high")
def nth_largest(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``n`` (1 is the largest), or ``n`` with ``end`` smallest. The margin is the distance to the next rank."""
    cards = _cards(items)
    order = sorted(cards, key=lambda name: cards[name][0], reverse=question.get("end", "largest") == "largest")
    ranks = [cards[name][0] for name in order]
    if len(set(ranks)) < len(ranks) or question["n"] > len(order):
        return Found(frozenset(), ("two cards have the same rank, or there are too few",))
    at = question["n"] - 1
    margin = min((abs(rank - ranks[at]) for index, rank in enumerate(ranks) if index != at), default=0)
    return Found(one(order[at]), (), float(margin))


@check("nth_card")
def _nth_by_counting(question: Question, items: Sequence[Item]) -> frozenset[Answer]:
    """Count the cards that beat each card."""
    cards = _cards(items)
    sign = 1 if question.get("end", "largest") == "largest" else -1
    beaten = {name: sum(sign * other > sign * rank for other, _ in cards.values()) for name, (rank, _) in cards.items()}
    return one(*(name for name, count in beaten.items() if count == question["n"] - 1))


@rule("beat_card", "exactly one card has the smallest rank above the shown one")
def smallest_winner(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``rank`` of the shown card; higher rank wins, suits do not count."""
    cards = _cards(items)
    above = [rank for rank, _ in cards.values() if rank > rank_value(question["rank"])]
    return Found(one(*(name for name, (rank, _) in cards.items() if above and rank == min(above))))


@rule("best_five", "exactly one five-card subset of the seven is worth the most")
def best_five(question: Question, items: Sequence[Item]) -> Found:
    """No params."""
    return Found(_subsets(items, best_fives(list(_cards(items).values()))))


@check("best_five")
def _best_by_brute_force(question: Question, items: Sequence[Item]) -> frozenset[Answer]:
    return _subsets(items, best_by_brute_force(list(_cards(items).values())))


def _subsets(items: Sequence[Item], hands: Sequence[frozenset[tuple[int, str]]]) -> frozenset[Answer]:
    names = {card: name for name, card in _cards(items).items()}
    return frozenset((tuple(sorted(names[card] for card in hand)),) for hand in hands)
