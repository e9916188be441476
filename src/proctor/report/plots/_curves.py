"""Curves: CDFs with bands, P-P and Q-Q against a reference, UPH against MTBF/A."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proctor.analysis.stats import Band, KaplanMeier, pp_curve, qq_curve

from ._style import GREY, colours, new_figure, styled


@styled
def plot_cdf(bands: Mapping[str, Band], *, palette: Mapping[str, str] | None = None) -> Any:
    """Draw each policy's share done by time t, averaged over strata, with its simultaneous band."""
    figure, axes = new_figure()
    for (name, band), colour in zip(bands.items(), colours(bands, palette), strict=True):
        axes.fill_between(band.times, band.low, band.high, step="post", color=colour, alpha=0.15, linewidth=0)
        axes.step(band.times, band.cdf, where="post", color=colour, linewidth=1.6, label=name)
    axes.set(xlabel="time [s]", ylabel="share done", ylim=(0, 1.02), title="Time to success")
    axes.set_xlim(left=0)
    axes.legend(loc="best")
    return figure


@styled
def plot_pp(
    curves: Mapping[str, KaplanMeier],
    reference: KaplanMeier,
    *,
    name: str,
    tau: float,
    palette: Mapping[str, str] | None = None,
) -> Any:
    """Draw each policy's share done against the reference's at the same time; above the diagonal is faster.

    ``palette`` gives each policy its colour, so that it keeps it across plots.
    """
    figure, axes = new_figure(6.0, 4.2)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--")
    for (label, curve), colour in zip(curves.items(), colours(curves, palette), strict=True):
        x, y = pp_curve(curve, reference, tau=tau)
        axes.step(x, y, where="post", color=colour, linewidth=1.6, label=label)
    axes.set(
        xlabel=f"share done, {name}",
        ylabel="share done",
        xlim=(0, 1.02),
        ylim=(0, 1.02),
        title="P-P: share done at equal times",
    )
    axes.set_aspect("equal")
    axes.legend(loc="upper left")
    return figure


@styled
def plot_qq(
    curves: Mapping[str, KaplanMeier],
    reference: KaplanMeier,
    *,
    name: str,
    palette: Mapping[str, str] | None = None,
) -> Any:
    """Draw the time by which the same share is done, reference against policy; above the diagonal is slower."""
    figure, axes = new_figure(6.0, 4.2)
    longest = 0.0
    for (label, curve), colour in zip(curves.items(), colours(curves, palette), strict=True):
        x, y = qq_curve(curve, reference)
        axes.plot(x, y, color=colour, linewidth=1.6, label=label)
        if x.size:
            axes.plot(x[-1:], y[-1:], "o", color=colour, fillstyle="none")
            longest = max(longest, float(x[-1]), float(y[-1]))
    axes.plot([0, longest], [0, longest], color=GREY, linewidth=0.8, linestyle="--")
    axes.set(
        xlabel=f"time [s], {name}",
        ylabel="time [s]",
        title="Q-Q: time for equal shares (circle: last shared)",
    )
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(loc="best")
    return figure


@styled
def plot_trade_off(
    curves: Mapping[str, KaplanMeier],
    *,
    taus: tuple[float, float],
    n: int = 60,
    palette: Mapping[str, str] | None = None,
) -> Any:
    """Draw units per hour against time between failures as the horizon runs from ``taus[0]`` to ``taus[1]`` [s].

    Both move by algebra alone as the horizon grows; the plot shows that a horizon must be chosen, not a trade-off.
    """
    figure, axes = new_figure()
    horizons = np.linspace(*taus, n)
    for (label, curve), colour in zip(curves.items(), colours(curves, palette), strict=True):
        rmst = np.array([curve.rmst(float(tau)) for tau in horizons])
        done = curve.cdf_at(horizons)
        open_share = 1 - done > 1e-12
        uph, mtbf = 3600 * done[open_share] / rmst[open_share], rmst[open_share] / (1 - done[open_share])
        axes.plot(uph, mtbf / 60, color=colour, linewidth=1.6, label=label)
        if uph.size:
            axes.plot(uph[-1:], mtbf[-1:] / 60, "o", color=colour)
    axes.set(
        xlabel="successes per hour",
        ylabel="time between failures [min]",
        title=f"Time limit from {taus[0]:.3g} to {taus[1]:.3g} s (dot)",
    )
    axes.legend(loc="best")
    return figure
