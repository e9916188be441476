"""A lineup is what most questions are asked about: things of one sort in slots, one of which is the answer.

Tracks 1, 2, 3, 4 and 7 share lineups: the things are dealt once per family, so that a base question, a question by
fact and a question in conversation meet one and the same scene; track 2 puts the unseen partner of each thing in its
slot. A family is accepted only if all of these have exactly one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ._deal import Deal
from ._draft import Draft
from ._errors import RejectedError
from ._file import BenchFile
from ._proof import Proof
from ._scene import SceneText
from ._tables import partner, side
from ._translate import Bindings


@dataclass(frozen=True, slots=True)
class Lineup:
    """Keys of a table in the order of the slots, the instance of each, and the slot of the answer."""

    keys: tuple[str, ...]
    instances: tuple[int, ...]
    target: int

    @property
    def asked(self) -> str:
        """The key of the answer."""
        return self.keys[self.target]


@dataclass(frozen=True, slots=True)
class Question:
    """What is said, which slot answers it, and how the rule saw every key."""

    instruction: str
    answer: int
    rule: str
    asked: str
    seen_as: tuple[str, ...]
    margin: float | None = None


# Asks about a lineup; raises `RejectedError` where no question has exactly one answer.
Asker: TypeAlias = Callable[[Deal, Lineup], Question]


def deal_lineup(deal: Deal, targets: Sequence[str], others: Sequence[str], slots: tuple[int, int]) -> Lineup:
    """Deal a lineup: the target by turn, its slot by turn, the others and their instances at random."""
    counts = range(slots[0], slots[1] + 1)
    count = deal.turn("count", counts)
    target = deal.turn("target", targets)
    place = deal.wheel(f"slot of {count}", count, every=len(counts))
    rest = deal.sample([key for key in others if key != target], count - 1)
    keys = (*rest[:place], target, *rest[place:])
    return Lineup(keys, tuple(deal.instance() for _ in keys), place)


def on_track(
    deal: Deal,
    request: BenchFile,
    split: Mapping[str, Sequence[str]],
    askers: Mapping[str, Asker],
    make: Callable[[Deal, tuple[str, ...]], Lineup],
) -> tuple[Lineup, Question]:
    """Return the lineup of an episode and the question of its task.

    ``askers`` are by slug; ``make`` deals a lineup from the keys that may be used. On a track the seen side is dealt
    and every asker must succeed, each with the randomness of its own name, so that its words do not depend on which
    track is run.
    """
    if request.track is None:
        lineup = make(deal, side(split, deal.split))
        return lineup, askers[request.task](deal, lineup)
    lineup = make(deal.of("", "seen"), side(split, "seen"))
    questions = {slug: ask(deal.of(slug, "seen"), lineup) for slug, ask in askers.items()}
    swapped = partnered(lineup, split)
    unseen = askers[request.family](deal.of("partner", "unseen"), swapped)
    if request.track == 2:
        return swapped, unseen
    return lineup, questions[request.task]


def partnered(lineup: Lineup, split: Mapping[str, Sequence[str]]) -> Lineup:
    """Return the lineup with every thing replaced by its unseen partner, of an instance of the other parity."""
    keys = tuple(partner(split, key) for key in lineup.keys)
    return replace(lineup, keys=keys, instances=tuple(number ^ 1 for number in lineup.instances))


def only(lineup: Lineup, flags: Sequence[bool | None], asked: str) -> int:
    """Return the one slot whose flag is true; a second one, or an unknown one, rejects the scene."""
    true = [slot for slot, flag in enumerate(flags) if flag]
    if len(true) != 1 or any(flag is None for flag in flags):
        raise RejectedError(f"{asked} fits {len(true)} of {', '.join(lineup.keys)}")
    return true[0]


def draft_of(
    scene: SceneText, names: Sequence[str], question: Question, bindings: Bindings, faults: Sequence[str] = ()
) -> Draft:
    """Return the draft of a question about things that stand in the slots ``names``."""
    seen = tuple(zip(names, question.seen_as, strict=True))
    proof = Proof(question.rule, question.asked, seen, (names[question.answer],), question.margin)
    facts = {"slot": question.answer, "slots": len(names)}
    return Draft(scene, question.instruction, bindings, proof, question.seen_as[question.answer], faults, facts=facts)
