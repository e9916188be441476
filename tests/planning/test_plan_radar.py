"""The radar of a run: every label lies within the picture."""

from __future__ import annotations

import re

from proctor.report import PlanFigures, Proportion, radar

NAMES = ["Mesh & texture", "Spatial", "Common sense & world knowledge", "Semantic", "Physical law", "Complex"]
NARROWEST_LETTER = 6.0


def test_labels_fit() -> None:
    for count in (3, 4, 5, 6):
        _fit(count)


def _fit(count: int) -> None:
    figure = Proportion(10, 20)
    groups = [PlanFigures(n, 20, 0, figure, figure, None, None, figure, 1.0, None, None) for n in NAMES[:count]]
    drawn = str(radar(groups))
    box = re.search(r'viewBox="(-?\d+) \d+ (\d+) \d+"', drawn)
    assert box is not None
    left, right = int(box[1]), int(box[1]) + int(box[2])
    labels = re.findall(r'<text x="([\d.-]+)" y="[\d.]+" text-anchor="(\w+)">([^<]+)<tspan class="quiet">(\d+)', drawn)
    assert len(labels) == count
    for x, side, name, answers in labels:
        width = NARROWEST_LETTER * len(name.replace("&amp;", "&") + answers)
        start = float(x) - {"start": 0.0, "middle": width / 2, "end": width}[side]
        assert left <= start
        assert start + width <= right
