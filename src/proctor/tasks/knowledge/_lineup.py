"""A lineup is what most questions are asked about: things of one sort in slots, one of which is the answer.

Tracks 1, 2, 3, 4 and 7 share lineups: the things are dealt once per family, so that a base question, a question by
fact and a question in conversation meet one and the same scene; track 2 puts the unseen partner of each thing in its
slot. A family is accepted only if all of these have exactly one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from ._deal import Deal, Split
from ._errors import RejectedError
from ._file import PAIRED, BenchFile
from ._scene import Piece, numbered
from .facts import Item, NotUniqueError, Question, prove, table


@dataclass(frozen=True, slots=True)
class Lineup:
    """Things in the order of the slots, and the slot of the thing that is asked for."""

    pieces: tuple[Piece, ...]
    target: int

    @property
    def items(self) -> list[Item]:
        """The things as the rules see them, without places."""
        return [piece.item for piece in self.pieces]

    @property
    def asked(self) -> Piece:
        """The thing that is asked for."""
        return self.pieces[self.target]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is said, and the question behind it."""

    text: str
    question: Question


# Asks about a lineup; raises `RejectedError` where no question has exactly one answer.
Asker: TypeAlias = Callable[[Deal, Lineup], Asked]
# Deals a lineup whose target the askers have words for.
Dealer: TypeAlias = Callable[[Deal, Sequence[Asker]], Lineup]


@dataclass(frozen=True, slots=True)
class Sort:
    """Things of one sort: a category, the look that tells them apart, and the keys of its two sides, partner for
    partner. ``named`` gives entities the name of their key.
    """

    category: str
    look: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    named: bool = True
    more: Callable[[str], Mapping[str, str]] = lambda _: {}

    @classmethod
    def of(cls, name: str, category: str, look: str, *, named: bool = True) -> Sort:
        """Return the sort of a knowledge table with a split."""
        sides = table(name)["split"]
        return cls(category, look, tuple(sides["seen"]), tuple(sides["unseen"]), named)

    def side(self, split: Split) -> tuple[str, ...]:
        """Return the keys of a side, or of both."""
        return (*self.seen, *self.unseen) if split == "all" else self.seen if split == "seen" else self.unseen

    def pieces(self, keys: Sequence[str], seeds: Sequence[int]) -> tuple[Piece, ...]:
        """Return one piece per key."""
        names = numbered([key if self.named else self.category for key in keys])
        return tuple(
            Piece(name, self.category, seed, {self.look: key, **self.more(key)})
            for name, key, seed in zip(names, keys, seeds, strict=True)
        )

    def partner(self, lineup: Lineup) -> Lineup:
        """Return the lineup with every thing replaced by its unseen partner, of an instance of the other parity."""
        keys = [self.unseen[self.seen.index(piece.looks[self.look])] for piece in lineup.pieces]
        return Lineup(self.pieces(keys, [piece.seed ^ 1 for piece in lineup.pieces]), lineup.target)


@cache
def askable(sort: Sort, split: Split, asks: tuple[Asker, ...]) -> tuple[str, ...]:
    """Return the keys of a side that every one of ``asks`` has words for, were they alone."""
    deal = Deal("askable", 0, 0)

    def spoken(key: str) -> bool:
        lineup = Lineup(sort.pieces([key], [0]), 0)
        try:
            return all(ask(deal, lineup).text for ask in asks)
        except RejectedError:
            return False

    return tuple(key for key in sort.side(split) if spoken(key))


def deal_lineup(
    deal: Deal,
    sort: Sort,
    slots: tuple[int, int],
    targets: Sequence[str] | None = None,
    *,
    asks: Sequence[Asker] = (),
) -> Lineup:
    """Deal a lineup: how many, the target and its slot by turn, the others and all instances at random.

    The target is one of ``targets``, else one that all of ``asks`` have words for.
    """
    keys = sort.side(deal.split)
    targets = askable(sort, deal.split, tuple(asks)) if targets is None else targets
    counts = range(slots[0], slots[1] + 1)
    count = deal.turn("count", counts)
    target = deal.turn("target", targets)
    place = deal.wheel(f"slot of {count}", count, every=len(counts))
    rest = deal.sample([key for key in keys if key != target], count - 1)
    dealt = [*rest[:place], target, *rest[place:]]
    return Lineup(sort.pieces(dealt, [deal.instance() for _ in dealt]), place)


def dealer(sort: Sort, low: int, high: int) -> Dealer:
    """Return what deals ``low`` to ``high`` things of a sort."""
    return lambda deal, asks: deal_lineup(deal, sort, (low, high), asks=asks)


def on_track(
    deal: Deal,
    request: BenchFile,
    askers: Mapping[str, Asker],
    make: Dealer,
    partner: Callable[[Lineup], Lineup],
) -> tuple[Lineup, Asked]:
    """Return the lineup of an episode and what is asked in it; ``askers`` are by task, ``make`` deals a
    lineup that the askers it is given can ask about.

    On a track the seen side is dealt and every asker must succeed, each with randomness of its own, so that what one
    track says does not depend on which track is run.
    """
    if request.track not in PAIRED:
        lineup = make(deal, (askers[request.task],))
        return lineup, askers[request.task](deal, lineup)
    lineup = make(deal.of("", "seen"), tuple(askers.values()))
    asked = {task: ask(deal.of(task, "seen"), lineup) for task, ask in askers.items()}
    swapped = partner(lineup)
    unseen = askers[request.family](deal.of("partner", "unseen"), swapped)
    return (swapped, unseen) if request.track == 2 else (lineup, asked[request.task])


def proved(lineup: Lineup, text: str, question: Question) -> Asked:
    """Return the question, if the thing asked for is its one answer."""
    try:
        proof = prove(question, lineup.items)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    if proof.names != (lineup.asked.name,):
        raise RejectedError(f"{question.kind} means {', '.join(proof.names)}")
    return Asked(text, question)
