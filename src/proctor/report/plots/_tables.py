"""Forest plot and letter display of a comparison."""

from __future__ import annotations

from typing import Any

from proctor.analysis.stats import Comparison

from ._style import COLOURS, GREY, new_figure, styled


@styled
def plot_forest(comparison: Comparison) -> Any:
    """Draw, pair by pair, the difference of success shares and of restricted means with their intervals."""
    timed = any(pair.rmst_difference is not None for pair in comparison.pairs)
    height = 1.2 + 0.32 * len(comparison.pairs)
    figure, axes = new_figure(7.0 if timed else 5.5, height, columns=2 if timed else 1)
    left, right = axes if timed else (axes, None)
    rows = list(range(len(comparison.pairs)))[::-1]
    for row, pair in zip(rows, comparison.pairs, strict=True):
        colour = COLOURS[0] if pair.verdict.resolved else GREY
        low, high = 100 * pair.success_low, 100 * pair.success_high
        left.plot([low, high], [row, row], color=colour, linewidth=1.6)
        left.plot([100 * pair.success_difference], [row], "s", color=colour, markersize=5)
        if right is not None and pair.rmst_difference is not None:
            found = pair.rmst_difference
            right.plot([found.low, found.high], [row, row], color=colour, linewidth=1.6)
            right.plot([found.estimate], [row], "s", color=colour, markersize=5)
    names = [f"{pair.a} − {pair.b}" for pair in comparison.pairs]
    left.set_yticks(rows, names)
    left.set(xlabel="success rate difference [points]", title="right of 0: the first is better")
    left.axvline(0, color=GREY, linewidth=0.8)
    left.set_ylim(-0.6, len(rows) - 0.4)
    if right is not None:
        right.set_yticks(rows, [""] * len(rows))
        right.set(xlabel="restricted mean time difference [s]", title="left of 0: the first is faster")
        right.axvline(0, color=GREY, linewidth=0.8)
        right.set_ylim(-0.6, len(rows) - 0.4)
    return figure


@styled
def plot_letters(comparison: Comparison) -> Any:
    """Draw policies best first with their success and letters: those that share a letter are not resolved."""
    arms = comparison.arms
    figure, axes = new_figure(6.0, 1.2 + 0.32 * len(arms))
    rows = list(range(len(arms)))[::-1]
    for row, arm in zip(rows, arms, strict=True):
        axes.plot([100 * arm.success_low, 100 * arm.success_high], [row, row], color=COLOURS[0], linewidth=1.6)
        axes.plot([100 * arm.success], [row], "o", color=COLOURS[0])
        axes.text(103, row, arm.letters, va="center", family="monospace", weight="bold")
    axes.set_yticks(rows, [arm.name for arm in arms])
    axes.set(xlabel="success rate [%]", xlim=(0, 100), title="Policies that share a letter are not resolved")
    axes.set_ylim(-0.6, len(rows) - 0.4)
    return figure
