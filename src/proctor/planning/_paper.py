"""VLABench's own score of a plan (``compat="paper"``), for comparison with published tables.

    score = 100 (0.4 SR + 0.4 PR + 0.1 SPR + 0.1 PM)

Recall only: SR of skill names, PR of (role, id), SPR of (skill, entity, container), PM of sub-task nodes. Ids are
compared by type, so ``"3"`` is not 3. Sub-tasks are cut greedily from the left by a list of patterns, calls that fit
none are skipped; a node is (pattern, last entity, last container). Nodes form a chain, or a star where the task is
listed as free of order, and match at equal depth if each predecessor matches too. Source: facts on the original's
``evaluation/utils.py`` after its weights were fixed (before, the last two terms were never added).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._call import SkillCall

PATTERNS: tuple[tuple[str, ...], ...] = (
    ("pick", "place"),
    ("pick", "insert"),
    ("pick", "pour", "place"),
    ("pick", "pour"),
    ("pick", "pull"),
    ("pick", "lift"),
    ("pick", "push", "pull"),
    ("pick", "push", "place"),
    ("pick", "push"),
    ("pick", "open_door"),
    ("press",),
)
ORDER_FREE = ("cook_dishes", "texas_holdem")
"""The tasks whose sub-tasks the original compares without order."""

_NAMES = {"open": "open_door", "close": "close_door"}
_Triple = tuple[str, Any, Any]


@dataclass(frozen=True, slots=True)
class PaperScore:
    """The four recalls, 0 to 100, and their weighted sum."""

    skill: float
    parameter: float
    skill_parameter: float
    plan: float

    @property
    def total(self) -> float:
        """0.4 SR + 0.4 PR + 0.1 SPR + 0.1 PM."""
        return 0.4 * self.skill + 0.4 * self.parameter + 0.1 * self.skill_parameter + 0.1 * self.plan


NO_PAPER_SCORE = PaperScore(0.0, 0.0, 0.0, 0.0)


def paper_score(
    answer: Sequence[SkillCall], wanted: Sequence[SkillCall], order: Literal["sequential", "independent"] = "sequential"
) -> PaperScore:
    """Return the original's score of ``answer`` against the calls of the reference.

    A reference without any known pattern makes the original divide by zero, which it counts as 0 throughout.
    """
    said, meant = [_triple(call) for call in answer], [_triple(call) for call in wanted]
    nodes = _nodes(meant)
    if not nodes or not meant:
        return NO_PAPER_SCORE
    parameters = _parameters(meant)
    return PaperScore(
        skill=_recall([name for name, _, _ in said], [name for name, _, _ in meant]),
        # A reference whose calls name nothing has no parameter to miss; the original divides by zero there too.
        parameter=_recall(_parameters(said), parameters) if parameters else 0.0,
        skill_parameter=_recall([_key(t) for t in said], [_key(t) for t in meant]),
        plan=100.0 * _matched(_nodes(said), nodes, order) / len(nodes),
    )


def _triple(call: SkillCall) -> _Triple:
    """Return the original's (skill, entity, container): opening and closing name nothing there."""
    name = _NAMES.get(call.skill, call.skill)
    if call.skill in _NAMES:
        return name, None, None
    return name, call.args.get("object"), call.args.get("target")


def _key(parts: tuple[Any, ...]) -> Any:
    """Return what can be counted: as in the original, 3 equals 3.0 but not "3"; lists and objects equal their like."""
    return tuple(part if isinstance(part, str | int | float | None) else repr(part) for part in parts)


def _parameters(triples: Sequence[_Triple]) -> list[Any]:
    return [
        _key((role, value))
        for _, entity, container in triples
        for role, value in (("entity", entity), ("container", container))
        if value is not None
    ]


def _recall(said: Sequence[Any], meant: Sequence[Any]) -> float:
    return 100.0 * (Counter(said) & Counter(meant)).total() / len(meant)


def _nodes(triples: Sequence[_Triple]) -> list[Any]:
    """Cut the calls into sub-tasks, greedily from the left; what fits no pattern is skipped."""
    nodes = []
    at = 0
    while at < len(triples):
        pattern = next((p for p in PATTERNS if tuple(t[0] for t in triples[at : at + len(p)]) == p), None)
        if pattern is None:
            at += 1
            continue
        group = triples[at : at + len(pattern)]
        entity = next((e for _, e, _ in reversed(group) if e is not None), None)
        container = next((c for _, _, c in reversed(group) if c is not None), None)
        nodes.append(_key(("-".join(pattern), entity, container)))
        at += len(pattern)
    return nodes


def _matched(said: Sequence[Any], meant: Sequence[Any], order: Literal["sequential", "independent"]) -> int:
    if order == "independent":
        return (Counter(said) & Counter(meant)).total()
    # In a chain, depth is the index, and the predecessor of a node is the node before it.
    return sum(
        k < len(said) and said[k] == meant[k] and (k == 0 or said[k - 1] == meant[k - 1]) for k in range(len(meant))
    )
