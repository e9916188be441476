"""One look for all plots, and files that do not change from run to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from proctor.core import ProctorError

COLOURS = ("#0072b2", "#00825f", "#b85a91", "#a87000", "#2f87bd", "#c24f00", "#000000", "#757575")
"""Okabe and Ito's hues, distinguishable with any colour vision, dark enough for lines on white; as in report.css."""

GREY = "#777777"
_P = ParamSpec("_P")
_RC = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "proctor",
    "svg.fonttype": "none",
}


def colours(names: Iterable[str], palette: Mapping[str, str] | None = None) -> list[str]:
    """Return a colour for each name: the palette's, else the next of ours; they repeat after eight."""
    return [(palette or {}).get(name, COLOURS[i % len(COLOURS)]) for i, name in enumerate(names)]


class PlotError(ProctorError):
    """A plot that cannot be made; the text says what is missing."""


def styled(plot: Callable[_P, Any]) -> Callable[_P, Any]:
    """Run a plot function in our style; without Matplotlib say how to get it."""

    @wraps(plot)
    def in_style(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        try:
            import matplotlib as mpl
        except ImportError:
            raise PlotError("plots need Matplotlib: pip install 'proctor[plots]'") from None
        with mpl.rc_context(_RC):
            return plot(*args, **kwargs)

    return in_style


def new_figure(width: float = 6.0, height: float = 3.8, columns: int = 1) -> tuple[Any, Any]:
    """Return a figure and its axes (an array when there are several columns)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    return figure, figure.subplots(1, columns)


def save(figure: Any, path: str | Path) -> Path:
    """Write a figure as the path's suffix says, without dates: the same figure gives the same bytes."""
    import matplotlib as mpl

    target = Path(path)
    if target.suffix not in (".svg", ".png"):
        raise PlotError(f"{target}: a plot is written as .svg or .png")
    target.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if target.suffix == ".svg" else {"Software": None}
    with mpl.rc_context(_RC):
        figure.savefig(target, metadata=metadata)
    return target
