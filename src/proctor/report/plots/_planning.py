"""Detection curves with their null envelope, power curves, and the calibration of tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from proctor.analysis.stats import DetectionCurve, PowerCurve

from ._style import COLOURS, GREY, new_figure, styled


@styled
def plot_detection(curve: DetectionCurve, *, title: str = "Detection by subsampling") -> Any:
    """Draw the detection rate of each metric with the envelope of permuted labels: only above it is evidence."""
    figure, axes = new_figure(9.0, 2.9, columns=len(curve.metrics))
    for m, (panel, metric) in enumerate(zip(axes, curve.metrics, strict=True)):
        colour = COLOURS[m]
        panel.fill_between(curve.sizes, 0, curve.null_high[:, m], color=GREY, alpha=0.25, linewidth=0)
        panel.plot(curve.sizes, curve.null_mean[:, m], color=GREY, linestyle="--", linewidth=1.0)
        panel.plot(curve.sizes, curve.rate[:, m], "o-", color=colour, linewidth=1.6, markersize=4)
        panel.axhline(curve.alpha, color="black", linewidth=0.6, linestyle=":")
        panel.set(title=metric, xlabel="episodes per cell", ylim=(0, 1.02))
    axes[0].set_ylabel(f"share with p < {curve.alpha:g}")
    figure.suptitle(f"{title} (grey: the same with labels permuted)", fontsize=9, x=0.01, ha="left")
    return figure


@styled
def plot_power(curve: PowerCurve, *, target: float = 0.8) -> Any:
    """Draw power against episodes per cell, on fresh data."""
    figure, axes = new_figure()
    for j, (test, colour) in enumerate(zip(curve.tests, COLOURS, strict=False)):
        axes.errorbar(
            curve.sizes, curve.power[:, j], 1.96 * curve.error[:, j], fmt="o-", color=colour, capsize=2, label=test
        )
    axes.axhline(target, color=GREY, linestyle="--", linewidth=0.8)
    axes.axhline(curve.alpha, color="black", linestyle=":", linewidth=0.6)
    axes.set(xlabel="episodes per cell", ylabel="power", ylim=(0, 1.02), title=f"Power at alpha {curve.alpha:g}")
    axes.legend(loc="best")
    return figure


@styled
def plot_calibration(rows: Sequence[Mapping[str, Any]], *, alpha: float = 0.05) -> Any:
    """Draw the rejection rate of each test under no difference, per generator and size, with 95 % simulation bounds.

    Each row has test, generator, n, alpha, rate and trials.
    """
    chosen = [row for row in rows if row["alpha"] == alpha]
    generators = list(dict.fromkeys(row["generator"] for row in chosen))
    tests = list(dict.fromkeys(row["test"] for row in chosen))
    figure, axes = new_figure(9.0, 0.9 + 0.27 * len(tests) + 0.8, columns=len(generators))
    panels = np.atleast_1d(axes)
    for panel, generator in zip(panels, generators, strict=True):
        trials = max(row["trials"] for row in chosen if row["generator"] == generator)
        slack = 1.96 * np.sqrt(alpha * (1 - alpha) / trials)
        panel.axvspan(alpha - slack, alpha + slack, color=GREY, alpha=0.2, linewidth=0)
        panel.axvline(alpha, color="black", linewidth=0.6, linestyle=":")
        sizes = sorted({row["n"] for row in chosen})
        for row in chosen:
            if row["generator"] == generator:
                k = sizes.index(row["n"])
                y = len(tests) - 1 - tests.index(row["test"]) + 0.18 * (1 - k)
                panel.plot([row["rate"]], [y], "o", color=COLOURS[k], markersize=4)
        panel.set_yticks(range(len(tests)), tests[::-1] if panel is panels[0] else [""] * len(tests))
        panel.set(title=generator, xlabel=f"share with p ≤ {alpha:g}", xlim=(0, max(0.2, 4 * alpha)))
        panel.set_ylim(-0.6, len(tests) - 0.4)
    for k, n in enumerate(sizes):
        panels[-1].plot([], [], "o", color=COLOURS[k], markersize=4, label=f"n = {n}")
    panels[-1].legend(loc="lower right")
    return figure
