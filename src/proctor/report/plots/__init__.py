"""Plots of statistics, as SVG or PNG, with Matplotlib (the extra ``plots``); and one as plain text for a terminal.

Each function takes results of ``proctor.analysis.stats`` and returns a figure; `save` writes it, always the same bytes.
"""

from ._comparison import write_comparison
from ._curves import plot_cdf, plot_pp, plot_qq, plot_trade_off
from ._planning import plot_calibration, plot_detection, plot_power
from ._style import PlotError, save
from ._tables import plot_forest, plot_letters
from ._text import text_cdf

__all__ = [
    "PlotError",
    "plot_calibration",
    "plot_cdf",
    "plot_detection",
    "plot_forest",
    "plot_letters",
    "plot_power",
    "plot_pp",
    "plot_qq",
    "plot_trade_off",
    "save",
    "text_cdf",
    "write_comparison",
]
