"""Cards: named, counted, compared, and the best five of seven. Aces are high."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from ._answer import Answer, answer, wish
from ._scene import Scene, Thing
from ._text import ORDINALS, ordinal, said
from ._where import counted

_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
_LETTERS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS = ("clubs", "diamonds", "hearts", "spades")
_RANK = rf"\b({'|'.join(reversed(_ORDER))})\b"


def read_cards(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about cards."""
    cards = scene.of("card")
    racks = [thing for thing in scene.of("cardholder") if not any(card.holder == thing.name for card in cards)]
    if said(text, r"\bfive\b"):
        to = [rack.name for rack in racks]
        return [answer(*(wish(card.name, *to) for card in hand)) for hand in best_hands(cards)]
    return [answer(wish(card.name)) for card in _one(text, cards)]


def _one(text: str, cards: Sequence[Thing]) -> list[Thing]:
    named = re.search(rf"{_RANK} of ({'|'.join(_SUITS)})", text)
    if named and not said(text, "beat", "win"):
        return [card for card in cards if _word(card) == named[1] and card.look("suit") == named[2]]
    by_place = counted(text, cards)
    return by_place if by_place is not None else _compared(text, cards)


def _compared(text: str, cards: Sequence[Thing]) -> list[Thing]:
    """Return the card that a game asks for; cards of equal rank all fit."""
    shown = re.search(rf"\b(?:an?|my) {_RANK}(?! is the highest| on me)", text)
    if shown and said(text, "beat", "win", "higher", "takes? it", "take me down"):
        higher = [card for card in cards if _value(card) > _ORDER.index(shown[1])]
        return _nth(higher, 1, highest=False)
    low = said(text, r"\b(lowest|smallest|worst|miss least)\b")
    if said(text, "next best", "second[- ]best", "right below it"):
        return _nth(cards, 2, highest=True)
    place = ordinal(re.sub(rf"(?<!the )(?<!your )\b({'|'.join(ORDINALS)})\b", "", text))
    return _nth(cards, place or 1, highest=not low)


def _nth(cards: Sequence[Thing], n: int, *, highest: bool) -> list[Thing]:
    row = sorted(cards, key=_value, reverse=highest)
    return [card for card in cards if len(row) >= n and _value(card) == _value(row[n - 1])]


def _word(card: Thing) -> str:
    return _LETTERS.get(card.look("rank"), card.look("rank"))


def _value(card: Thing) -> int:
    return _ORDER.index(_word(card))


def best_hands(cards: Sequence[Thing]) -> list[tuple[Thing, ...]]:
    """Return every choice of five that no other choice beats."""
    hands = list(combinations(cards, 5))
    top = max(map(strength, hands))
    return [hand for hand in hands if strength(hand) == top]


def strength(hand: Sequence[Thing]) -> tuple[int, ...]:
    """Return a number per rule of poker, first the strongest: straight flush, four, full house, flush, straight, …"""
    values = sorted((_value(card) for card in hand), reverse=True)
    counts = Counter(values)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card.look("suit") for card in hand}) == 1
    top = _straight(values)
    ranks = sorted(values, key=lambda value: (counts[value], value), reverse=True)
    marks = (
        flush and top is not None,
        shape[0] == 4,
        shape == [3, 2],
        flush,
        top is not None,
        shape[0] == 3,
        shape[:2] == [2, 2],
        shape[0] == 2,
    )
    first = marks.index(True) if any(marks) else len(marks)
    return (-first, *((top,) if top is not None and first in (0, 4) else ranks))


def _straight(values: Sequence[int]) -> int | None:
    """Return the top of five in a row; the ace also stands below the two."""
    if len(set(values)) == 5 and values[0] - values[4] == 4:
        return values[0]
    return 3 if list(values) == [12, 3, 2, 1, 0] else None
