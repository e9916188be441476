"""A radar of what plans are good at, dimension by dimension; colours come from the style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from ._plans import PlanFigures
from ._summary import Rated

_SIZE, _RADIUS = 460.0, 150.0
_CUT = 44.0
"""What is cut off above and below: labels need room at the sides only."""
_GAP = 16.0
_LETTER = 7.2
"""Room for a letter of a label, generously: a label that does not fit is cut off by the edge of the picture."""
_SERIES = (("exact", "exact"), ("executable", "executable"), ("score", "plan score"), ("paper", "paper's score"))


def radar(groups: Sequence[PlanFigures]) -> Markup:
    """Return the radar of ``groups``, 0 at the centre and 100 at the rim; with fewer than three, bars."""
    if len(groups) < 3:
        return _bars(groups)
    centre = _SIZE / 2
    parts = [Markup("")]
    for ring in (25, 50, 75, 100):
        points = " ".join(_point(k, len(groups), ring) for k in range(len(groups)))
        parts.append(Markup('<polygon class="grid" points="{}"/>').format(points))
        parts.append(
            Markup('<text class="scale" x="{:.1f}" y="{:.1f}">{}</text>').format(
                centre + 4, centre - _RADIUS * ring / 100 + 11, ring
            )
        )
    for k, group in enumerate(groups):
        x, y = _point(k, len(groups), 100).split(",")
        parts.append(Markup('<line class="grid" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(centre, centre, x, y))
        parts.append(_label(k, len(groups), group))
    for index, (field, _) in enumerate(_SERIES):
        values = [_value(getattr(group, field)) for group in groups]
        points = " ".join(_point(k, len(groups), value) for k, value in enumerate(values))
        parts.append(Markup('<polygon class="series s{}" points="{}"/>').format(index, points))
    words = "; ".join(f"{group.name}: {_told(group)}" for group in groups)
    left, right = _room(groups)
    shape = (
        '<svg class="radar" style="width:{s:.0f}px" viewBox="{x:.0f} {c:.0f} {s:.0f} {h:.0f}" role="img" '
        'aria-label="{w}">{p}</svg>{l}'
    )
    return Markup(shape).format(
        x=left, s=right - left, c=_CUT, h=_SIZE - 2 * _CUT, w=words, p=Markup("").join(parts), l=_legend()
    )


def _room(groups: Sequence[PlanFigures]) -> tuple[float, float]:
    """Return how far the picture must reach to the left and right for all labels to fit."""
    edges = [0.0, _SIZE]
    for k, group in enumerate(groups):
        x, side = _anchor(k, len(groups))
        width = _LETTER * len(f"{group.name} {group.answers}")
        edges += {"middle": [x - width / 2, x + width / 2], "start": [x + width], "end": [x - width]}[side]
    return min(edges), max(edges)


def _anchor(k: int, count: int) -> tuple[float, str]:
    """Return where the label of an axis is, and which side of it is there."""
    cosine = math.cos(_angle(k, count))
    side = "middle" if abs(cosine) < 0.3 else "start" if cosine > 0 else "end"
    return _SIZE / 2 + (_RADIUS + _GAP) * cosine, side


def _told(group: PlanFigures) -> str:
    return ", ".join(f"{name} {_value(getattr(group, field)):.0f}" for field, name in _SERIES)


def _value(figure: Rated | None) -> float:
    return 0.0 if figure is None or figure.rate is None else 100 * figure.rate


def _angle(k: int, count: int) -> float:
    return -math.pi / 2 + 2 * math.pi * k / count


def _point(k: int, count: int, value: float) -> str:
    angle, reach = _angle(k, count), _RADIUS * value / 100
    return f"{_SIZE / 2 + reach * math.cos(angle):.1f},{_SIZE / 2 + reach * math.sin(angle):.1f}"


def _label(k: int, count: int, group: PlanFigures) -> Markup:
    x, side = _anchor(k, count)
    y = _SIZE / 2 + (_RADIUS + _GAP) * math.sin(_angle(k, count))
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{} <tspan class="quiet">{}</tspan></text>').format(
        x, y + 4, side, group.name, group.answers
    )


def _legend() -> Markup:
    items = Markup("").join(
        Markup('<li><span class="key s{}"></span>{}</li>').format(index, name)
        for index, (_, name) in enumerate(_SERIES)
    )
    return Markup('<ul class="legend">{}</ul>').format(items)


def _bars(groups: Sequence[PlanFigures]) -> Markup:
    """Draw bars: a radar needs three axes."""
    rows = []
    y = 20.0
    for group in groups:
        rows.append(Markup('<text x="0" y="{:.0f}">{}</text>').format(y, group.name))
        for index, (field, _) in enumerate(_SERIES):
            y += 18
            value = _value(getattr(group, field))
            rows.append(
                Markup('<rect class="bar s{}" x="0" y="{:.0f}" width="{:.1f}" height="12"/>').format(
                    index, y - 10, max(4.0 * value, 1.0)
                )
            )
            rows.append(Markup('<text x="{:.1f}" y="{:.0f}">{:.0f}</text>').format(4.0 * value + 6, y, value))
        y += 28
    return Markup('<svg class="radar" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="scores">{}</svg>{}').format(
        _SIZE, y, Markup("").join(rows), _legend()
    )
