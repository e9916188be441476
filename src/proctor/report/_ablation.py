"""What the instruction is worth to a policy: success with the right one, with none, with a wrong one.

The drawing is that of VLA-Arena's Figure 3. A drop is taken on the layouts that both conditions completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from proctor.analysis.stats import newcombe_paired
from proctor.results import Episode

from ._format import percent
from ._links import rows_link
from ._load import Arm
from ._summary import Proportion

# The values of a row's ``language`` that the ablation is about, with the words for them.
CONDITIONS = {"W0": "correct", "none": "none", "wrong": "wrong"}
_BAR, _GAP, _TOP, _HEIGHT = 44.0, 22.0, 18.0, 120.0


@dataclass(frozen=True, slots=True)
class Condition:
    """Success under one kind of instruction; ``drop`` against the right one, in pairs, where there are pairs."""

    name: str
    arm: Arm
    success: Proportion
    drop: float | None
    drop_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """The conditions under which one policy was examined, the right instruction first."""

    policy: str
    conditions: tuple[Condition, ...]


def ablations(arms: Sequence[Arm]) -> list[Ablation]:
    """Return an ablation for each policy that was examined with the right instruction and at least one other."""
    found: dict[str, dict[str, tuple[Arm, list[Episode]]]] = {}
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


def _condition(kind: str, arm: Arm, episodes: Sequence[Episode], right: Sequence[Episode]) -> Condition:
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
