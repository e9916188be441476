"""Balls: by number, by value in snooker, in the order of the rules; and the pockets they go into."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ._answer import Answer, answer, wish
from ._scene import Scene, Thing
from ._text import NUMBERS, number, said

_RISING = ("red", "yellow", "green", "brown", "blue", "pink", "black")
_POCKET = r"\b(left|right) (top|middle|bottom) pocket"


def read_balls(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about balls."""
    balls = scene.of("billiard_ball")
    pockets = _pockets(text, scene.of("billiard_table")[0])
    if said(text, r"\bclear the table\b", r"\bpot (all )?the colours in\b", r"\bin the order\b"):
        return _in_turn([sorted(balls, key=_value)], pockets)
    if said(text, r"\b(first the|one|last) red\b") and said(text, "then", "after it"):
        reds = [ball for ball in balls if _value(ball) == 1]
        dearest = _most([ball for ball in balls if ball not in reds], highest=True)
        return _in_turn([[red, best] for red in reds for best in dearest], pockets)
    return [answer(wish(ball.name, *pockets)) for ball in _one(text, balls)]


def _in_turn(orders: list[list[Thing]], pockets: list[str]) -> list[Answer]:
    return [answer(*(wish(ball.name, *pockets) for ball in order), order=[b.name for b in order]) for order in orders]


def _one(text: str, balls: Sequence[Thing]) -> list[Thing]:
    numbered = re.search(r"\bball (?:(?:with the )?number )?(\d+)\b", text)
    if numbered:
        return [ball for ball in balls if ball.look("ball") == numbered[1]]
    coloured = re.search(rf"\b({'|'.join(_RISING)}) ball\b", text)
    if coloured:
        return [ball for ball in balls if ball.look("ball") == coloured[1]]
    points = _points(text)
    if points:
        return [ball for ball in balls if _value(ball) == points]
    if said(text, r"\b(most|highest|dearest|greedy)\b", "most expensive") and not said(text, "to the dearest"):
        return _most(balls, highest=True)
    if said(text, r"\b(least|lowest|cheapest)\b") and not said(text, "from the cheapest"):
        return _most(balls, highest=False)
    if said(text, r"\b(no|all|the) reds?\b", r"\bonly colours\b", r"\breds are\b"):
        return _most([ball for ball in balls if _value(ball) != 1], highest=False)
    return list(balls)


def _points(text: str) -> int:
    """Return the number of points that are needed or given, 0 where none is said."""
    sums = re.search(r"score is (\d+) and .* (\d+)\b", text)
    if sums:
        return int(sums[2]) - int(sums[1])
    words = "|".join(NUMBERS[1:8])
    found = re.search(rf"\b({words}|[1-7]) (?:single )?(points?\b|behind\b)", text)
    return number(found[1]) if found else 0


def _most(balls: Sequence[Thing], *, highest: bool) -> list[Thing]:
    values = [_value(ball) for ball in balls]
    edge = (max if highest else min)(values, default=0)
    return [ball for ball in balls if _value(ball) == edge]


def _value(ball: Thing) -> int:
    colour = ball.look("ball")
    return _RISING.index(colour) + 1 if colour in _RISING else 0


def _pockets(text: str, table: Thing) -> list[str]:
    """Return the pocket that is named by its place, or all; left is +y, top is far from the robot."""
    named = re.search(_POCKET, text)
    if named is None:
        return [f"{table.name}/{site}" for site in table.sites]
    side = sorted(table.sites, key=lambda site: table.sites[site][1], reverse=named[1] == "left")[:3]
    column = sorted(side, key=lambda site: table.sites[site][0], reverse=True)
    return [f"{table.name}/{column[('top', 'middle', 'bottom').index(named[2])]}"]
