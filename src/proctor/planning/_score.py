"""How well a plan agrees with a reference: precision and recall of its skills, parameters, calls and order.

    plan score = 100 (0.2 skill F1 + 0.2 parameter F1 + 0.2 call F1 + 0.4 order F1)
    exact      = order precision and recall are both 1

All are over multisets, of bound calls (see `bind`). Walking through the answer, a call is credited when it equals an
uncredited node of the reference whose required predecessors are all credited; where it equals several (copies of a
digit), with the one that lets most of the answer be credited. ``open`` and ``flip`` need a free hand, so between a
credited pick and its release they are not credited. Source: our specification, section 5.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ._call import Bound, BoundCall, SkillCall, bind
from ._names import Names
from ._reference import ReferencePlan
from ._skills import NEUTRAL, SKILLS
from ._symmetry import NO_FREE_PLACES, FreePlaces

WEIGHTS: Mapping[str, float] = MappingProxyType({"skill": 0.2, "parameter": 0.2, "call": 0.2, "order": 0.4})

_MOST_WALKS = 256
"""How many ways of crediting equal calls are followed at once."""

Verdict = Literal["credited", "optional", "neutral", "wrong call", "wrong moment"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision, recall and their harmonic mean, each 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """2 P R / (P + R); 0 where both are 0."""
        total = self.precision + self.recall
        return 2.0 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PlanScore:
    """The scores of one answer, and what became of each of its calls."""

    skill: Agreement
    parameter: Agreement
    call: Agreement
    order: Agreement
    length_ratio: float
    verdicts: tuple[Verdict, ...] = ()
    bound: tuple[BoundCall, ...] = ()

    @property
    def total(self) -> float:
        parts = {"skill": self.skill, "parameter": self.parameter, "call": self.call, "order": self.order}
        return 100.0 * sum(weight * parts[part].f1 for part, weight in WEIGHTS.items())

    @property
    def exact(self) -> bool:
        """Whether every required call was made, none besides, and in an order that works."""
        return self.order.precision == self.order.recall == 1.0


_NONE = Agreement(0.0, 0.0)
NO_PLAN = PlanScore(_NONE, _NONE, _NONE, _NONE, 0.0)
"""The score of an answer in which no plan was found."""


def score(
    calls: Sequence[SkillCall], references: Sequence[ReferencePlan], names: Names, free: FreePlaces = NO_FREE_PLACES
) -> PlanScore:
    """Return the best score of ``calls`` over the ``references`` of a task (several if its goal has an "or").

    ``free`` are places of which any will do, each for one thing.
    """
    bound = bind(calls, names)
    return max(
        (_against(_settled(bound, reference, free), reference) for reference in references),
        key=lambda s: (s.exact, s.total),
    )


def _settled(bound: Sequence[Bound], reference: ReferencePlan, free: FreePlaces) -> list[Bound]:
    calls = free.settle([item.call for item in bound], reference)
    return [Bound(call, item.hand_was_full) for call, item in zip(calls, bound, strict=True)]


def _against(bound: Sequence[Bound], reference: ReferencePlan) -> PlanScore:
    verdicts = _set_aside(bound, reference)
    counted = [k for k, verdict in enumerate(verdicts) if verdict is None]
    credited, moments = _walk(bound, counted, reference)
    for k in counted:
        verdicts[k] = "credited" if k in credited else "wrong moment" if k in moments else "wrong call"
    answer = [bound[k].call for k in counted]
    wanted = [reference.nodes[k].call for k in reference.required]
    return PlanScore(
        skill=_agreement((call.skill for call in answer), (call.skill for call in wanted)),
        parameter=_agreement(_parameters(answer), _parameters(wanted)),
        call=_agreement(answer, wanted),
        order=Agreement(_share(len(credited), len(answer)), _share(len(credited), len(wanted))),
        length_ratio=_share(len(answer), len(wanted)),
        verdicts=tuple(verdict for verdict in verdicts if verdict is not None),
        bound=tuple(b.call for b in bound),
    )


def _set_aside(bound: Sequence[Bound], reference: ReferencePlan) -> list[Verdict | None]:
    """Mark the calls that do not count: neutral ones the reference does not have, and its optional ones."""
    skills = {node.call.skill for node in reference.nodes}
    optional = Counter(node.call for node in reference.nodes if node.optional)
    verdicts: list[Verdict | None] = []
    for item in bound:
        if item.call.skill in NEUTRAL and item.call.skill not in skills:
            verdicts.append("neutral")
        elif optional[item.call] > 0:
            optional[item.call] -= 1
            verdicts.append("optional")
        else:
            verdicts.append(None)
    return verdicts


@dataclass(frozen=True, slots=True)
class _Walk:
    """How far a walk through an answer has come: nodes left, calls credited and calls too early, the hand."""

    left: frozenset[int]
    credited: frozenset[int] = frozenset()
    early: frozenset[int] = frozenset()
    gripping: bool = False


def _walk(
    bound: Sequence[Bound], counted: Sequence[int], reference: ReferencePlan
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the calls that are credited, and those that would have been at another moment."""
    walks = [_Walk(frozenset(reference.required))]
    for k, item in enumerate(bound):
        unlike: dict[tuple[frozenset[int], bool], _Walk] = {}
        for further in (after for walk in walks for after in _step(walk, k, item, k in counted, reference)):
            unlike.setdefault((further.left, further.gripping), further)
        walks = sorted(unlike.values(), key=lambda walk: len(walk.left))[:_MOST_WALKS]
    return walks[0].credited, walks[0].early


def _step(walk: _Walk, k: int, item: Bound, counts: bool, reference: ReferencePlan) -> Iterator[_Walk]:
    """Yield what a walk is after call ``k``: several where it may be credited with one of several nodes."""
    skill = SKILLS.get(item.call.skill)
    equal = [j for j in reference.required if j in walk.left and reference.nodes[j].call == item.call] if counts else []
    ready = [j for j in equal if not reference.required_before(j) & walk.left]
    if walk.gripping and skill is not None and skill.needs == "free" and skill.leaves != "holding":
        ready = []
    gripping = walk.gripping
    if skill is not None and skill.leaves == "holding":
        gripping = gripping or (bool(ready) and not item.hand_was_full)
    elif skill is not None and skill.leaves == "free" and skill.needs == "holding":
        gripping = False
    for j in ready:
        yield _Walk(walk.left - {j}, walk.credited | {k}, walk.early, gripping)
    if not ready:
        yield _Walk(walk.left, walk.credited, walk.early | {k} if equal else walk.early, gripping)


def _parameters(calls: Iterable[BoundCall]) -> list[tuple[str, str]]:
    return [pair for call in calls if call.known for pair in call.args]


def _agreement(answer: Iterable[Hashable], wanted: Iterable[Hashable]) -> Agreement:
    said, meant = Counter(answer), Counter(wanted)
    common = (said & meant).total()
    if not said and not meant:
        return Agreement(1.0, 1.0)
    return Agreement(_share(common, said.total()), _share(common, meant.total()))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
