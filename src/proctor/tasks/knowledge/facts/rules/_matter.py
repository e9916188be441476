"""Materials and masses: intervals with gaps, magnets, weights, levers; and what solutions do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from .._model import Found, Item, Question, one
from .._tables import table
from ..solvers import events, to_avoid
from ._registry import rule


@rule("material", "its interval of handbook values lies beyond every other one by the gap ratio of the property")
def extreme_material(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``property``, ``direction`` (largest, smallest). The margin is the ratio to the nearest interval."""
    data = table("materials")["properties"][question["property"]]
    samples = [item for item in items if item.category == "sample"]
    intervals = {item.name: tuple(map(float, data["values"][item.look("material")][1:])) for item in samples}
    return _extreme(intervals, data["gap_ratio"], question["direction"])


@rule("weight", "density times volume: its interval lies beyond every other one by the gap ratio")
def extreme_weight(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``direction``. Items need ``volume_cm3``."""
    data = table("materials")
    density = data["properties"]["density"]["values"]
    intervals = {}
    for item in items:
        if item.category == "sample":
            _, low, high = density[item.look("material")]
            intervals[item.name] = (low * item.volume_cm3 / 1000, high * item.volume_cm3 / 1000)
    return _extreme(intervals, data["weight"]["gap_ratio"], question["direction"])


def _extreme(intervals: Mapping[str, tuple[float, ...]], gap: float, direction: str) -> Found:
    """An interval wins if its near end is ``gap`` times beyond the near end of every other; zero never separates."""
    margins = {}
    for name, (low, high) in intervals.items():
        others = [value for other, value in intervals.items() if other != name]
        if direction == "largest":
            ratios = [low / far if far > 0 else float("inf") for _, far in others]
        else:
            ratios = [near / high if high > 0 else float("inf") for near, _ in others]
        margins[name] = min(ratios, default=float("inf"))
    fits = [name for name, margin in margins.items() if margin >= gap]
    return Found(one(*fits), (), margins[fits[0]] if len(fits) == 1 else None)


@rule("magnet", "exactly one sample is attracted (or is not), and none is of a banned material")
def by_magnet(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``attracted`` (bool)."""
    data = table("materials")["magnetism"]
    samples = {item.name: item.look("material") for item in items if item.category == "sample"}
    doubts = [name for name, m in samples.items() if m not in data["attracted"] and m not in data["not attracted"]]
    wanted = data["attracted" if question["attracted"] else "not attracted"]
    return Found(one(*(name for name, material in samples.items() if material in wanted)), tuple(doubts))


@rule("reaction", "exactly one pair of tubes gives the event, and no pair of the scene has an unclear outcome")
def by_reaction(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``event`` (precipitate, neutralisation, gas) and, where asked, ``product`` or ``colour``."""
    tubes = {item.name: item.look("solution") for item in items if item.category == "tube"}
    fits, doubts = set(), []
    for pair in combinations(sorted(tubes), 2):
        solutions = [tubes[name] for name in pair]
        seen = events(solutions[0], solutions[1])
        if to_avoid(solutions[0], solutions[1]):
            doubts.append(" and ".join(pair))
        # An acid is neutralised by a carbonate too, with a gas on top.
        if question["event"] == "neutralisation" and any(event.event == "gas" for event in seen):
            doubts.append(" and ".join(pair))
        if any(_is(question, event) for event in seen):
            fits.add((pair,))
    return Found(frozenset(fits), tuple(doubts))


def _is(question: Question, event: object) -> bool:
    return all(getattr(event, key) == value for key, value in question.params.items())
