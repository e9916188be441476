"""Snooker: a ball by its value, the next ball, the order in which the table is cleared."""

from __future__ import annotations

from collections.abc import Sequence

from .._model import Found, Item, Question, one
from .._tables import table
from ._registry import rule


def _values(items: Sequence[Item]) -> dict[str, int]:
    """Return the points of every coloured ball; the white is never a target."""
    points = table("billiards")["snooker_values"]
    balls = {item.name: item.look("ball") for item in items if item.category == "billiard_ball"}
    return {name: points[ball] for name, ball in balls.items() if ball in points}


@rule("ball_value", "exactly one ball is worth the points")
def by_value(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``points``."""
    return Found(one(*(name for name, value in _values(items).items() if value == question["points"])))


@rule("next_ball", "no red is left: the colour of the lowest value")
def next_ball(question: Question, items: Sequence[Item]) -> Found:
    """No params; the instruction says that the reds are gone, so a red puts it in doubt."""
    values = _values(items)
    reds = tuple(name for name, value in values.items() if value == 1)
    return Found(one(*(name for name, value in values.items() if value == min(values.values()))), reds)


@rule("extreme_ball", "exactly one ball has the highest (lowest) value")
def extreme_ball(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``end`` (highest, lowest)."""
    values = _values(items)
    best = (max if question["end"] == "highest" else min)(values.values(), default=0)
    return Found(one(*(name for name, value in values.items() if value == best)))


@rule("clear_table", "no red is left and the values differ: rising value")
def clear_table(question: Question, items: Sequence[Item]) -> Found:
    """No params."""
    values = _values(items)
    if 1 in values.values() or len(set(values.values())) < len(values):
        return Found(frozenset(), ("a red is left, or two balls have one value",))
    return Found(frozenset({tuple((name,) for name in sorted(values, key=values.__getitem__))}))


@rule("red_then_best", "exactly one red and exactly one colour of the highest value")
def red_then_best(question: Question, items: Sequence[Item]) -> Found:
    """No params: pot the last red, then the colour that is worth the most."""
    values = _values(items)
    reds = [name for name, value in values.items() if value == 1]
    best = [name for name, value in values.items() if value > 1 and value == max(values.values())]
    return Found(frozenset(((red,), (colour,)) for red in reds for colour in best))
