"""Things by where they are. World frame, metres: +x away from the robot, +y to its left.

A relation holds with the table's margin; a thing that misses it by less than the slack (1.5 times the margin) is in
doubt, so a scene is used only if nobody could argue.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .._model import Found, Item, Question, one
from .._tables import table
from ._registry import rule


def _asked(question: Question, items: Sequence[Item]) -> list[Item]:
    """Return the items a spatial question is about: of the category, of the kind if one is named, not the anchor."""
    kind = question.get("of_kind")
    return [
        item
        for item in items
        if item.category == question["category"]
        and (kind is None or item.looks.get("kind") == kind)
        and item.name != question.get("anchor")
    ]


def _at(item: Item) -> tuple[float, float]:
    return item.at if item.at is not None else (float("nan"), float("nan"))


@rule("nth_place", "neighbours along the line differ by at least 3 cm")
def nth_place(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``, ``n``, ``side`` (left, right, near, far), ``inside`` (only those in or on it)."""
    line = [item for item in _asked(question, items) if question.get("inside") in (None, item.inside)]
    axis, sign = {"left": (1, -1), "right": (1, 1), "near": (0, 1), "far": (0, -1)}[question["side"]]
    line.sort(key=lambda item: sign * _at(item)[axis])
    if not 1 <= question["n"] <= len(line):
        return Found(frozenset())
    gaps = [abs(_at(b)[axis] - _at(a)[axis]) for a, b in pairwise(line)]
    margin = min(gaps, default=float("inf"))
    doubts = () if margin >= table("spatial")["margins"]["order"] else ("neighbours are too close",)
    return Found(one(line[question["n"] - 1].name), doubts, margin)


@rule("middle_place", "an odd number of things in a line, neighbours at least 3 cm apart")
def middle_place(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``: the middle one from left to right."""
    count = len(_asked(question, items))
    if count % 2 == 0:
        return Found(frozenset(), ("an even number has no middle",))
    return nth_place(Question("nth_place", {**question.params, "n": count // 2 + 1, "side": "left"}), items)


@rule("side_of", "beside the anchor on that side by at least 2 cm, no deeper than aside; others clearly not")
def side_of(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``, ``anchor``, ``side`` (left, right), ``of_kind``."""
    anchor = next(item for item in items if item.name == question["anchor"])
    gap, slack = table("spatial")["margins"]["side_gap"], table("spatial")["slack"]
    sign = 1 if question["side"] == "left" else -1
    fits, doubts, margins = [], [], []
    for item in _asked(question, items):
        aside = sign * (_at(item)[1] - _at(anchor)[1])
        depth = abs(_at(item)[0] - _at(anchor)[0])
        free = aside - item.radius - anchor.radius
        if free >= gap and depth <= aside:
            fits.append(item.name)
            margins.append(free - gap)
        elif free > gap - slack * gap and depth <= slack * aside:
            doubts.append(item.name)
    return Found(one(*fits), tuple(doubts), margins[0] if len(fits) == 1 else None)


@rule("inside", "exactly one is inside it")
def inside(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``, ``container``, ``of_kind``; ``outside`` true asks for the one that is not in it."""
    outside = bool(question.get("outside", False))
    asked = _asked(question, items)
    return Found(one(*(item.name for item in asked if (item.inside == question["container"]) != outside)))


@rule("nail_place", "exactly one nail is the outermost in that direction, by 4 cm each way")
def nail_place(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``nail``: upper or lower, then left or right. ``at`` of a nail is (height, y) on the panel."""
    height, side = question["nail"].split()
    nails = [item for item in items if item.category == "nail"]
    up, left = (1 if height == "upper" else -1), (1 if side == "left" else -1)
    gap = table("spatial")["margins"]["distance"]
    fits = [
        nail.name
        for nail in nails
        if all(
            up * (_at(nail)[0] - _at(other)[0]) >= gap or left * (_at(nail)[1] - _at(other)[1]) >= gap
            for other in nails
            if other is not nail
        )
        and all(up * (_at(nail)[0] - _at(other)[0]) >= -gap / 2 for other in nails)
        and all(left * (_at(nail)[1] - _at(other)[1]) >= -gap / 2 for other in nails)
    ]
    return Found(one(*fits))


@rule("cell", "the grid cell is filled by exactly one item")
def cell(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``, ``cell``: the name of the slot the item stands in (``tubestand_1/slot3``)."""
    return Found(one(*(item.name for item in _asked(question, items) if item.inside == question["cell"])))
