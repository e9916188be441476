"""Curves in a terminal: no Matplotlib, no colour needed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from proctor.analysis.stats import Band

_MARKS = "ox+*#%@&"


def text_cdf(bands: Mapping[str, Band], *, width: int = 64, height: int = 12) -> str:
    """Return the share done against time as lines of text, one mark per policy; ``=`` where several coincide."""
    tau = max(float(band.times[-1]) for band in bands.values())
    grid = [[" "] * width for _ in range(height + 1)]
    columns = np.linspace(0.0, tau, width)
    for (_, band), mark in zip(bands.items(), _MARKS * (1 + len(bands) // len(_MARKS)), strict=False):
        place = np.clip(np.searchsorted(band.times, columns, side="right") - 1, 0, band.times.size - 1)
        for x, share in enumerate(band.cdf[place]):
            y = height - round(float(share) * height)
            grid[y][x] = mark if grid[y][x] in (" ", mark) else "="
    lines = []
    for y, row in enumerate(grid):
        share = 100 * (height - y) / height
        label = f"{share:3.0f} %" if y % (height // 4 or 1) == 0 else ""
        lines.append(f"{label:>5} |{''.join(row).rstrip()}")
    lines.append(f"{'':>5} +{'-' * width}")
    lines.append(f"{'':>5}  0{f'{tau:.4g} s':>{width - 1}}")
    marks = zip(bands, _MARKS * (1 + len(bands) // len(_MARKS)), strict=False)
    lines.append(f"{'':>7}" + "   ".join(f"{mark} {name}" for name, mark in marks))
    return "\n".join(lines)
