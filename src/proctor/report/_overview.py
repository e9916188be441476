"""Tables over arms: every suite at every level, and what the instruction is worth (right, none, wrong).

The drawing is that of VLA-Arena's Table 1: success over the levels on a scale from 0 to 1 that all cells share, the
highest and lowest level marked, cost above each level where a task defines one, success below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from proctor.analysis.stats import cost_change_interval, newcombe, newcombe_paired
from proctor.results import Episode

from ._format import number, percent, rows_link
from ._load import ReportArm
from ._summary import Proportion, Summary, summarise, watched_costs

_STEP, _LINE_TOP, _LINE_HEIGHT, _BOTTOM = 46.0, 16.0, 30.0, 16.0


@dataclass(frozen=True, slots=True)
class LevelChange:
    """How success and mean cost change from one level to a harder one; cost None where one of them defines none."""

    first: str
    second: str
    success: float
    success_interval: tuple[float, float]
    cost: float | None
    cost_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Line:
    """One policy on one suite: its numbers at each level, in order."""

    arm: ReportArm
    levels: Mapping[str, Summary]
    changes: tuple[LevelChange, ...]


def level_order(level: str) -> tuple[int, str]:
    """Return what sorts levels from the easiest on: L0, L1, L2 by name, the station's words by meaning."""
    words = ("easy", "medium", "hard")
    return (words.index(level) if level in words else 0, level)


def line_of(arm: ReportArm, by_level: Mapping[str, Sequence[Episode]]) -> Line:
    """Return the numbers of each level that has episodes, and the changes between neighbours and over all."""
    summaries = {level: summarise(by_level[level]) for level in sorted(by_level, key=level_order) if by_level[level]}
    names = [level for level, summary in summaries.items() if summary.success.n]
    steps = list(pairwise(names))
    if len(names) > 2:
        steps.append((names[0], names[-1]))
    changes = tuple(_change(first, second, summaries, by_level) for first, second in steps)
    return Line(arm, summaries, changes)


def _change(
    first: str, second: str, summaries: Mapping[str, Summary], by_level: Mapping[str, Sequence[Episode]]
) -> LevelChange:
    a, b = summaries[first].success, summaries[second].success
    cost = interval = None
    before, after = watched_costs(by_level[first]), watched_costs(by_level[second])
    if before[0] and after[0]:
        cost, low, high = cost_change_interval(before, after)
        interval = (low, high)
    return LevelChange(first, second, b.k / b.n - a.k / a.n, newcombe(b.k, b.n, a.k, a.n), cost, interval)


def best_of(lines: Sequence[Line]) -> dict[str, float]:
    """Return the highest success rate of each level, for levels that more than one policy played."""
    rates: dict[str, list[float]] = {}
    for line in lines:
        for level, summary in line.levels.items():
            if summary.success.rate is not None:
                rates.setdefault(level, []).append(summary.success.rate)
    return {level: max(values) for level, values in rates.items() if len(values) > 1}


def sparkline(line: Line, suite: str, best: Mapping[str, float]) -> Markup:
    """Draw success over the levels; each figure links to its rows. ``best`` marks the highest rate of a level."""
    points = [(level, s) for level, s in line.levels.items() if s.success.rate is not None]
    if not points:
        return Markup('<span class="quiet">–</span>')
    rates = [s.success.rate or 0.0 for _, s in points]
    place = [(_STEP * (i + 0.5), _LINE_TOP + _LINE_HEIGHT * (1 - rate)) for i, rate in enumerate(rates)]
    top, bottom, width = _LINE_TOP, _LINE_TOP + _LINE_HEIGHT, _STEP * len(points)
    parts = [Markup('<line class="track" x1="0" x2="{0}" y1="{1}" y2="{1}"/>').format(width, y) for y in (top, bottom)]
    parts.append(Markup('<polyline class="run" points="{}"/>').format(" ".join(f"{x:.1f},{y:.1f}" for x, y in place)))
    for i, (x, y) in enumerate(place):
        parts.append(Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="3"/>').format(_mark(rates, i), x, y))
    for (x, _), (level, s), rate in zip(place, points, rates, strict=True):
        wanted = {"arm": line.arm.label, "suite": suite, "level": level}
        link = rows_link("episodes.html", **wanted, result="completed")
        if s.mean_cost is not None:
            parts.append(_figure(x, top - 6, number(s.mean_cost, 1), link, "cc", f"{level}: mean cost"))
        kind = "sr best" if best.get(level) == rate else "sr"
        parts.append(_figure(x, bottom + 12, percent(rate), link, kind, f"{level}: {s.success.k} of {s.success.n}"))
    words = ", ".join(f"{level} {percent(rate)}" for (level, _), rate in zip(points, rates, strict=True))
    return Markup(
        '<svg class="spark" viewBox="0 0 {0} {1}" style="width:{0}px" role="group" aria-label="success: {2}">{3}</svg>'
    ).format(width, bottom + _BOTTOM, words, Markup("").join(parts))


def _mark(rates: Sequence[float], i: int) -> str:
    """Name the first highest and the last lowest point; equal rates have neither."""
    if max(rates) > min(rates):
        if i == rates.index(max(rates)):
            return "dot most"
        if i == len(rates) - 1 - rates[::-1].index(min(rates)):
            return "dot least"
    return "dot"


def _figure(x: float, y: float, text: str, link: str, kind: str, title: str) -> Markup:
    return Markup('<a href="{}"><text class="{}" x="{:.1f}" y="{:.1f}">{}<title>{}</title></text></a>').format(
        link, kind, x, y, text, title
    )


# What the instruction is worth to a policy: success with the right one, with none, with a wrong one.
#
# The drawing is that of VLA-Arena's Figure 3. A drop is taken on the layouts that both conditions completed.

# The values of a row's ``language`` that the ablation is about, with the words for them.
CONDITIONS = {"W0": "correct", "none": "none", "wrong": "wrong"}
_BAR, _GAP, _TOP, _HEIGHT = 44.0, 22.0, 18.0, 120.0


@dataclass(frozen=True, slots=True)
class Condition:
    """Success under one kind of instruction; ``drop`` against the right one, in pairs, where there are pairs."""

    name: str
    arm: ReportArm
    success: Proportion
    drop: float | None
    drop_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """The conditions under which one policy was examined, the right instruction first."""

    policy: str
    conditions: tuple[Condition, ...]


def ablations(arms: Sequence[ReportArm]) -> list[Ablation]:
    """Return an ablation for each policy that was examined with the right instruction and at least one other."""
    found: dict[str, dict[str, tuple[ReportArm, list[Episode]]]] = {}
    for arm in arms:
        kinds = found.setdefault(arm.policy, {})
        for episode in arm.episodes:
            if episode.language.variant in CONDITIONS and episode.status == "completed":
                kinds.setdefault(episode.language.variant, (arm, []))[1].append(episode)
    result = []
    for policy, kinds in found.items():
        if "W0" in kinds and len(kinds) > 1:
            right = kinds["W0"][1]
            conditions = [_condition(kind, *kinds[kind], right) for kind in CONDITIONS if kind in kinds]
            result.append(Ablation(policy, tuple(conditions)))
    return result


def _condition(kind: str, arm: ReportArm, episodes: Sequence[Episode], right: Sequence[Episode]) -> Condition:
    success = Proportion(sum(bool(episode.outcome.success) for episode in episodes), len(episodes))
    if kind == "W0":
        return Condition(CONDITIONS[kind], arm, success, None, None)
    mine, theirs = _by_layout(episodes), _by_layout(right)
    pairs = [(mine[layout], theirs[layout]) for layout in mine.keys() & theirs.keys()]
    if not pairs:
        return Condition(CONDITIONS[kind], arm, success, None, None)
    table = [pairs.count(outcome) for outcome in ((True, True), (True, False), (False, True), (False, False))]
    drop = (table[1] - table[2]) / len(pairs)
    return Condition(CONDITIONS[kind], arm, success, drop, newcombe_paired(*table))


def _by_layout(episodes: Sequence[Episode]) -> dict[tuple[str, int], bool]:
    return {(episode.spec.task, episode.spec.seed): bool(episode.outcome.success) for episode in episodes}


def ablation_svg(ablation: Ablation) -> Markup:
    """Draw a bar per condition with its interval, on a scale from 0 to 1; each bar links to its rows."""
    width = _GAP + (_BAR + _GAP) * len(ablation.conditions) + 24
    bottom = _TOP + _HEIGHT

    def y(p: float) -> float:
        return bottom - _HEIGHT * p

    parts = []
    for p in (0.0, 0.5, 1.0):
        track = Markup('<line class="track" x1="24" x2="{0}" y1="{1}" y2="{1}"/>').format(width, y(p))
        parts += [track, Markup('<text class="tick" x="20" y="{}">{}</text>').format(y(p) + 4, f"{p:g}")]
    for i, condition in enumerate(ablation.conditions):
        rate, (low, high) = condition.success.rate or 0.0, condition.success.interval
        left = 24 + _GAP + i * (_BAR + _GAP)
        middle = left + _BAR / 2
        bar = Markup(
            '<rect class="bar c{}" x="{:.1f}" y="{:.1f}" width="{}" height="{:.1f}"><title>{}</title></rect>'
            '<path class="whisker" d="M{:.1f} {:.1f}V{:.1f}"/><text class="sr" x="{:.1f}" y="{:.1f}">{}</text>'
        ).format(
            i, left, y(rate), _BAR, max(_HEIGHT * rate, 0.5),
            f"{condition.name}: {condition.success.k} of {condition.success.n}",
            middle, y(low), y(high), middle, y(high) - 5, percent(rate),
        )  # fmt: skip
        link = rows_link("episodes.html", arm=condition.arm.label, result="completed")
        parts.append(Markup('<a href="{}">{}</a>').format(link, bar))
        parts.append(Markup('<text x="{:.1f}" y="{:.1f}">{}</text>').format(middle, bottom + 15, condition.name))
    words = ", ".join(f"{c.name} {percent(c.success.rate or 0.0)}" for c in ablation.conditions)
    return Markup(
        '<svg class="ablation" viewBox="0 0 {0} {1}" style="width:{0}px" role="group" aria-label="success: {2}">'
        "{3}</svg>"
    ).format(width, bottom + 20, words, Markup("").join(parts))
