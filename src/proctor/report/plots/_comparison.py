"""All plots of one comparison, into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from proctor.analysis.stats import Comparison, Operations, cdf_band, kaplan_meier

from ._curves import plot_cdf, plot_pp, plot_qq, plot_trade_off
from ._style import colours, save
from ._tables import plot_forest, plot_letters


def write_comparison(
    comparison: Comparison,
    arms: Mapping[str, Operations],
    folder: str | Path,
    *,
    suffix: Literal["svg", "png"] = "svg",
    timed: bool = True,
) -> list[Path]:
    """Write forest and letters, and with times also CDFs, P-P, Q-Q and the horizon plot; return the files.

    The reference of P-P and Q-Q is the best arm; their curves pool the operations of all strata. Colours follow the
    order of ``arms``, which is the report's.
    """
    target = Path(folder)
    order = [arm.name for arm in comparison.arms]
    written = [
        save(plot_forest(comparison), target / f"forest.{suffix}"),
        save(plot_letters(comparison), target / f"letters.{suffix}"),
    ]
    if not timed:
        return written
    tau = comparison.tau
    palette = dict(zip(arms, colours(arms), strict=True))
    bands = {name: cdf_band(arms[name], tau=tau, seed=comparison.seed) for name in order}
    curves = {name: kaplan_meier(arms[name].times, arms[name].events) for name in order}
    best, others = order[0], {name: curves[name] for name in order[1:]}
    written += [
        save(plot_cdf(bands, palette=palette), target / f"cdf.{suffix}"),
        save(plot_pp(others, curves[best], name=best, tau=tau, palette=palette), target / f"pp.{suffix}"),
        save(plot_qq(others, curves[best], name=best, palette=palette), target / f"qq.{suffix}"),
        save(plot_trade_off(curves, taus=(tau / 8, tau), palette=palette), target / f"horizon.{suffix}"),
    ]
    return written
