"""Curves: CDFs with bands, P-P and Q-Q against a reference, UPH against MTBF/A."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proctor.stats import Band, KaplanMeier, pp_curve, qq_curve

from ._style import GREY, colours, new_figure, styled


@styled
def plot_cdf(bands: Mapping[str, Band]) -> Any:
    """Draw each policy's share done by time t, averaged over strata, with its simultaneous band."""
    figure, axes = new_figure()
    for (name, band), colour in zip(bands.items(), colours(len(bands)), strict=True):
        axes.fill_between(band.times, band.low, band.high, step="post", color=colour, alpha=0.15, linewidth=0)
        axes.step(band.times, band.cdf, where="post", color=colour, linewidth=1.6, label=name)
    axes.set(xlabel="time [s]", ylabel="share done", ylim=(0, 1.02), title="Time to success")
    axes.set_xlim(left=0)
    axes.legend(loc="best")
    return figure


@styled
def plot_pp(
    curves: Mapping[str, KaplanMeier], reference: KaplanMeier, *, name: str, tau: float, first_colour: int = 0
) -> Any:
    """Draw each policy's share done against the reference's at the same time; above the diagonal is faster.

    ``first_colour`` is the place of the first curve's colour, so that a policy keeps its colour across plots.
    """
    figure, axes = new_figure(4.2, 4.2)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--")
    for (label, curve), colour in zip(curves.items(), colours(len(curves), first_colour), strict=True):
        x, y = pp_curve(curve, reference, tau=tau)
        axes.step(x, y, where="post", color=colour, linewidth=1.6, label=label)
    axes.set(xlabel=f"share done, {name}", ylabel="share done", xlim=(0, 1.02), ylim=(0, 1.02), title="P-P")
    axes.set_aspect("equal")
    axes.legend(loc="upper left")
    return figure


@styled
def plot_qq(curves: Mapping[str, KaplanMeier], reference: KaplanMeier, *, name: str, first_colour: int = 0) -> Any:
    """Draw the time by which the same share is done, reference against policy; above the diagonal is slower."""
    figure, axes = new_figure(4.2, 4.2)
    longest = 0.0
    for (label, curve), colour in zip(curves.items(), colours(len(curves), first_colour), strict=True):
        x, y = qq_curve(curve, reference)
        axes.plot(x, y, color=colour, linewidth=1.6, label=label)
        if x.size:
            axes.plot(x[-1:], y[-1:], "o", color=colour, fillstyle="none")
            longest = max(longest, float(x[-1]), float(y[-1]))
    axes.plot([0, longest], [0, longest], color=GREY, linewidth=0.8, linestyle="--")
    axes.set(xlabel=f"time [s], {name}", ylabel="time [s]", title="Q-Q; a circle ends at the last share both reach")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(loc="best")
    return figure


@styled
def plot_trade_off(curves: Mapping[str, KaplanMeier], *, taus: tuple[float, float], n: int = 60) -> Any:
    """Draw units per hour against time between failures as the horizon runs from ``taus[0]`` to ``taus[1]`` [s].

    Both move by algebra alone as the horizon grows; the plot shows that a horizon must be chosen, not a trade-off.
    """
    figure, axes = new_figure()
    horizons = np.linspace(*taus, n)
    for (label, curve), colour in zip(curves.items(), colours(len(curves)), strict=True):
        rmst = np.array([curve.rmst(float(tau)) for tau in horizons])
        done = curve.cdf_at(horizons)
        open_share = 1 - done > 1e-12
        uph, mtbf = 3600 * done[open_share] / rmst[open_share], rmst[open_share] / (1 - done[open_share])
        axes.plot(uph, mtbf / 60, color=colour, linewidth=1.6, label=label)
        if uph.size:
            axes.plot(uph[-1:], mtbf[-1:] / 60, "o", color=colour)
    axes.set(
        xlabel="units per hour (renewal)",
        ylabel="time between failures [min]",
        title=f"Horizon {taus[0]:g} to {taus[1]:g} s; a dot ends at the longest",
    )
    axes.legend(loc="best")
    return figure
