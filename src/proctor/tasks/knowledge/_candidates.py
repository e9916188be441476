"""Candidates are what most questions are asked about: things of one set in slots, one of which is the answer.

Tracks 1, 2, 3, 4 and 7 share them: the things are drawn once per family, so that a base question, a question by
fact and a question in conversation meet one and the same scene; track 2 puts the unseen partner of each thing in its
slot. A family is accepted only if all of these have exactly one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from . import facts
from ._errors import RejectedError
from ._file import PAIRED, KnowledgeFile
from ._sampler import Sampler
from ._scene import ScenePiece, numbered
from .facts import Item, NotUniqueError, Question, Split, prove, table


@dataclass(frozen=True, slots=True)
class Candidates:
    """Things in the order of the slots, and the slot of the thing that is asked for."""

    pieces: tuple[ScenePiece, ...]
    target: int

    @property
    def items(self) -> list[Item]:
        """The things as the rules see them, without places."""
        return [piece.item for piece in self.pieces]

    @property
    def asked(self) -> ScenePiece:
        return self.pieces[self.target]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is said, and the question behind it."""

    text: str
    question: Question


# Asks about candidates; raises `RejectedError` where no question has exactly one answer.
QuestionFunction: TypeAlias = Callable[[Sampler, Candidates], AskedQuestion]
# Draws candidates whose target the questions have words for.
SampleFunction: TypeAlias = Callable[[Sampler, Sequence[QuestionFunction]], Candidates]


@dataclass(frozen=True, slots=True)
class ObjectSet:
    """Things of a category, the look that tells them apart, and the keys of its two sides, partner for
    partner. ``named`` gives entities the name of their key.
    """

    category: str
    look: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    named: bool = True
    more: Callable[[str], Mapping[str, str]] = lambda _: {}

    @classmethod
    def of(cls, name: str, category: str, look: str, *, named: bool = True) -> ObjectSet:
        """Return the set of a knowledge table with a split."""
        sides = table(name)["split"]
        return cls(category, look, tuple(sides["seen"]), tuple(sides["unseen"]), named)

    def side(self, split: Split) -> tuple[str, ...]:
        return (*self.seen, *self.unseen) if split == "all" else self.seen if split == "seen" else self.unseen

    def pieces(self, keys: Sequence[str], seeds: Sequence[int]) -> tuple[ScenePiece, ...]:
        names = numbered([key if self.named else self.category for key in keys])
        return tuple(
            ScenePiece(name, self.category, seed, {self.look: key, **self.more(key)})
            for name, key, seed in zip(names, keys, seeds, strict=True)
        )

    def partner(self, candidates: Candidates) -> Candidates:
        """Return the candidates with every thing replaced by its unseen partner, of an instance of the other parity."""
        keys = [self.unseen[self.seen.index(piece.looks[self.look])] for piece in candidates.pieces]
        return Candidates(self.pieces(keys, [piece.seed ^ 1 for piece in candidates.pieces]), candidates.target)


@cache
def askable(things: ObjectSet, split: Split, asks: tuple[QuestionFunction, ...]) -> tuple[str, ...]:
    """Return the keys of a side that every one of ``asks`` has words for, were they alone."""
    sampler = Sampler(KnowledgeFile("select_fruit"), 0, 0)

    def spoken(key: str) -> bool:
        candidates = Candidates(things.pieces([key], [0]), 0)
        try:
            return all(ask(sampler, candidates).text for ask in asks)
        except RejectedError:
            return False

    return tuple(key for key in things.side(split) if spoken(key))


def sample_candidates(
    sampler: Sampler,
    things: ObjectSet,
    slots: tuple[int, int],
    targets: Sequence[str] | None = None,
    *,
    asks: Sequence[QuestionFunction] = (),
) -> Candidates:
    """Draw candidates: how many, the target and its slot by turn, the others and all instances at random.

    The target is one of ``targets``, else one that all of ``asks`` have words for.
    """
    keys = things.side(sampler.split)
    targets = askable(things, sampler.split, tuple(asks)) if targets is None else targets
    counts = range(slots[0], slots[1] + 1)
    count = sampler.turn("count", counts)
    target = sampler.turn("target", targets)
    place = sampler.cycle(f"slot of {count}", count, every=len(counts))
    rest = sampler.sample([key for key in keys if key != target], count - 1)
    chosen_keys = [*rest[:place], target, *rest[place:]]
    return Candidates(things.pieces(chosen_keys, [sampler.instance() for _ in chosen_keys]), place)


def any_candidates(things: ObjectSet, low: int, high: int) -> SampleFunction:
    return lambda sampler, asks: sample_candidates(sampler, things, (low, high), asks=asks)


def on_track(
    sampler: Sampler,
    functions: Mapping[str, QuestionFunction],
    make: SampleFunction,
    partner: Callable[[Candidates], Candidates],
) -> tuple[Candidates, AskedQuestion]:
    """Return the candidates of an episode and what is asked about them; ``functions`` are by task, ``make`` draws
    candidates that the functions it is given can ask about.

    On a track the seen side is drawn and every function must succeed, each with randomness of its own, so that what one
    track says does not depend on which track is run.
    """
    request = sampler.request
    if request.track not in PAIRED:
        candidates = make(sampler, (functions[request.task],))
        return candidates, functions[request.task](sampler, candidates)
    candidates = make(sampler.of("", "seen"), tuple(functions.values()))
    asked = {task: ask(sampler.of(task, "seen"), candidates) for task, ask in functions.items()}
    swapped = partner(candidates)
    unseen = functions[request.family](sampler.of("partner", "unseen"), swapped)
    return (swapped, unseen) if request.track == 2 else (candidates, asked[request.task])


def proved(candidates: Candidates, text: str, question: Question) -> AskedQuestion:
    """Return the question, if the thing asked for is its one answer."""
    try:
        proof = prove(question, candidates.items)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    if proof.names != (candidates.asked.name,):
        raise RejectedError(f"{question.kind} means {', '.join(proof.names)}")
    return AskedQuestion(text, question)


def said(sampler: Sampler, task: str, question: Question, items: Sequence[Item], **fills: str) -> AskedQuestion:
    """Return a question with words of a task's bank; ``fills`` are words that the question does not hold (``box``)."""
    return AskedQuestion(facts.say(sampler.of("words").rng, task, question, items, fills), question)


def by_bank(task: str, *, any_answer: bool = False, **fills: str) -> QuestionFunction:
    """Return the function that takes an instruction of a task's bank whose one answer is the target.

    ``any_answer``: whose one answer is any of the candidates. ``fills`` are words for gaps of the text.
    """

    def ask(sampler: Sampler, candidates: Candidates) -> AskedQuestion:
        try:
            asked = facts.ask(
                sampler.rng, task, candidates.items, None if any_answer else candidates.asked.name, fills=fills
            )
        except NotUniqueError as error:
            raise RejectedError(str(error)) from None
        return AskedQuestion(asked.text, asked.question)

    return ask
