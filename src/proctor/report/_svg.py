"""The one layer of drawings whose marks are links: inline SVG of bars, radar, timeline and the page on language.

Two plotters, and why: matplotlib writes the figures that people take away (`proctor.report.plots`: PDF, PNG), and this
module what stands in a page, where every mark links to its rows, says its numbers on touch, and takes its colour from
the style sheet, light or dark. Matplotlib can do neither of these, so it draws nothing in a page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ._export import Lane, Timeline
from ._format import interval, number, percent
from ._language import Decomposition, LanguagePart, Weighed
from ._language_rates import (
    ALL,
    KEPT,
    ORIGINAL,
    PARAPHRASE,
    GridCell,
    Listener,
    RateGrid,
    WordLevel,
    wanted_type,
    words_for,
)
from ._scores import PlanFigures
from ._summary import Rated

_WIDTH, _MARGIN = 200.0, 3.0


def interval_bar(proportion: Rated, what: str = "success") -> Markup:
    """Draw a share and its interval on a scale from 0 to 1."""
    scale = _WIDTH - 2 * _MARGIN

    def x(p: float) -> str:
        return f"{_MARGIN + p * scale:.1f}"

    ticks = "".join(f'<line class="tick" x1="{x(p)}" x2="{x(p)}" y1="5" y2="11"/>' for p in (0.0, 0.5, 1.0))
    band = point = ""
    words = f"{what}: no completed episode"
    if proportion.rate is not None:
        point = f'<rect class="point" x="{float(x(proportion.rate)) - 1.5:.1f}" y="1" width="3" height="14" rx="1"/>'
        words = f"{what}: {proportion.rate:.0%}, interval unknown"
        if proportion.interval is not None:
            low, high = proportion.interval
            band = f'<rect class="band" x="{x(low)}" y="5" width="{(high - low) * scale:.1f}" height="6" rx="1"/>'
            words = f"{what}: {proportion.rate:.0%}, interval {low:.0%} to {high:.0%}"
    return Markup(
        f'<svg class="ci" viewBox="0 0 200 16" role="img" aria-label="{words}">'
        f'<line class="track" x1="{x(0)}" x2="{x(1)}" y1="8" y2="8"/>{ticks}{band}{point}</svg>'
    )


def lane_svg(lane: Lane, duration_s: float) -> Markup:
    """Draw the spans and marks of a lane, stretched to the width it is given."""
    per_s = 1000.0 / duration_s if duration_s > 0 else 0.0
    parts = [Markup('<line class="track" x1="0" x2="1000" y1="8" y2="8"/>')]
    for start, end in lane.spans:
        parts.append(
            Markup('<rect class="span" x="{:.1f}" y="3" width="{:.1f}" height="10"><title>{}</title></rect>').format(
                start * per_s, max((end - start) * per_s, 2.0), f"{start:.2f} s to {end:.2f} s"
            )
        )
    for mark in lane.marks:
        parts.append(
            Markup('<line class="mark {}" x1="{:.1f}" x2="{:.1f}" y1="0" y2="16"><title>{}</title></line>').format(
                _css_class(mark.kind),
                min(max(mark.time_s * per_s, 1.0), 999.0),
                min(max(mark.time_s * per_s, 1.0), 999.0),
                f"{mark.label}, {mark.time_s:.2f} s",
            )
        )
    return Markup(
        '<svg class="lane" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(Markup("").join(parts))


def _css_class(kind: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in kind.lower())


def axis_ticks(timeline: Timeline) -> list[tuple[float, str]]:
    """Return (percent, label) of about five round times along the axis."""
    duration = timeline.duration_s
    if duration <= 0:
        return [(0.0, "0 s")]
    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1e9) if duration / s <= 6)
    count = int(duration / step + 1e-9)
    return [(100.0 * i * step / duration, f"{i * step:g} s") for i in range(count + 1)]


# A radar of what plans are good at, dimension by dimension; colours come from the style sheet.

_SIZE, _RADIUS = 460.0, 150.0
_CUT = 44.0
"""What is cut off above and below: labels need room at the sides only."""
_RADAR_GAP = 16.0
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
    return _SIZE / 2 + (_RADIUS + _RADAR_GAP) * cosine, side


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
    y = _SIZE / 2 + (_RADIUS + _RADAR_GAP) * math.sin(_angle(k, count))
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


# Drawings of the page on language. Colours come from the style sheet; every mark says its numbers.

_LABEL, _CELL, _ROW, _GAP, _HEAD = 124.0, 54.0, 24.0, 7.0, 38.0


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """A plotting area: x from ``x0`` to ``x1`` of the data, y from 0 to 1, inside margins."""

    x0: float
    x1: float
    width: float = 400.0
    height: float = 250.0
    left: float = 38.0
    right: float = 12.0
    top: float = 12.0
    bottom: float = 36.0

    def x(self, value: float) -> float:
        """Return the place of a value of the data on the horizontal axis."""
        return self.left + (value - self.x0) / (self.x1 - self.x0) * (self.width - self.left - self.right)

    def y(self, share: float) -> float:
        """Return the place of a share on the vertical axis."""
        return self.top + (1 - share) * (self.height - self.top - self.bottom)

    def axes(self, ticks: Iterable[tuple[float, str]], label: str) -> list[Markup]:
        """Draw the grid lines of shares and the ticks and name of the horizontal axis."""
        parts = []
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            y = self.y(share)
            parts.append(
                Markup('<line class="track" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
                    self.left, self.width - self.right, y, y
                )
            )
            if share in (0.0, 0.5, 1.0):
                parts.append(_text(self.left - 6, y + 4, percent(share), "end"))
        parts += [_text(self.x(value), self.height - 18, word) for value, word in ticks]
        parts.append(_text((self.left + self.width - self.right) / 2, self.height - 3, label, "name"))
        return parts

    def svg(self, kind: str, words: str, parts: Iterable[Markup]) -> Markup:
        return _svg(kind, self.width, self.height, words, parts)


def _svg(kind: str, width: float, height: float, words: str, parts: Iterable[Markup]) -> Markup:
    return Markup(
        '<svg class="plot {}" viewBox="0 0 {:g} {:g}" style="max-width:{:g}px" role="group" aria-label="{}">{}</svg>'
    ).format(kind, width, height, 1.25 * width, words, Markup("").join(parts))


def _text(x: float, y: float, text: str, kind: str = "") -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, text)


def _linked(href: str, title: str, *parts: Markup) -> Markup:
    return Markup('<a href="{}"><title>{}</title>{}</a>').format(href, title, Markup("").join(parts))


def success_map(grid: RateGrid, listener: Listener) -> Markup:
    """Draw the success rate of each cell."""

    def shown(cell: GridCell) -> tuple[float, str, str]:
        rate = cell.success.rate or 0.0
        about = f"{cell.success.k} of {cell.success.n} episodes, {cell.success.n_tasks} tasks"
        known = f", interval {interval(cell.success)}" if cell.success.interval else ""
        return rate, f"{100 * rate:.0f}", f"{percent(rate)}: {about}{known}"

    return _heat_map(grid, listener, "rates", "success rate in percent", shown)


def distance_map(grid: RateGrid, listener: Listener, most: float) -> Markup:
    """Draw the mean PD of each cell; the darkest is ``most``."""

    def shown(cell: GridCell) -> tuple[float, str, str] | None:
        if cell.pd is None:
            return None
        return cell.pd / most if most else 0.0, f"{cell.pd:.2f}", f"mean PD {cell.pd:.3f} of {cell.n_texts} texts"

    return _heat_map(grid, listener, "distances", "mean distance PD", shown)


def _heat_map(
    grid: RateGrid,
    listener: Listener,
    kind: str,
    what: str,
    shown: Callable[[GridCell], tuple[float, str, str] | None],
) -> Markup:
    columns = (*grid.objects, ALL)
    parts = [
        _text(_LABEL - 8, _HEAD - 8, "how it is asked", "end axis"),
        _text(_LABEL, 11, "how things are named", "start axis"),
    ]
    parts += [_text(_LABEL + _CELL * (i + 0.5), _HEAD - 8, _head(name)) for i, name in enumerate(columns)]
    y = _HEAD
    for _, names in (*grid.actions, ("", (ALL,))):
        for name in names:
            parts.append(_text(_LABEL - 8, y + 16, _head(name), "end"))
            for i, column in enumerate(columns):
                cell = grid.cells.get((column, name))
                drawn = shown(cell) if cell else None
                parts.append(_tile(_LABEL + _CELL * i, y, drawn, listener, column, name))
            y += _ROW
        y += _GAP
    return _svg(f"heat {kind}", _LABEL + _CELL * len(columns), y, f"{what} by cell", parts)


def _head(name: str) -> str:
    return "all" if name == ALL else words_for(name)


def _tile(
    x: float, y: float, drawn: tuple[float, str, str] | None, listener: Listener, column: str, name: str
) -> Markup:
    size = Markup('x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"').format(
        x + 1, y + 1, _CELL - 2, _ROW - 2
    )
    if drawn is None:
        return Markup('<rect class="empty" {}/>').format(size)
    value, figure, about = drawn
    where = f"{_head(column)} × {_head(name)}"
    if (column, name) == (KEPT, KEPT):
        where, wanted = "the task's own words", {"told": ORIGINAL}
    else:
        wanted = {"told": PARAPHRASE} | ({} if column == ALL else {"object": wanted_type(column)})
        wanted |= {} if name == ALL else {"action": wanted_type(name)}
    margin = " margin" if ALL in (column, name) else ""
    return _linked(
        listener.link(**wanted),
        f"{where}: {about}",
        Markup('<rect class="ground" {}/><rect class="tile{}" style="--v:{:.3f}" {}/>').format(
            size, margin, value, size
        ),
        _text(x + _CELL / 2, y + 16, figure, "figure"),
    )


def distance_plot(found: Weighed, listener: Listener) -> Markup:
    """Draw success against distance: a dot per cell, and each bin of PD with its interval."""
    cells = found.summary.cells
    most = max([cell.pd for cell in cells] + [part.high for part in found.bins] + [0.1])
    frame = PlotFrame(0.0, most * 1.04)
    step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5) if most / s <= 8)
    ticks = [(i * step, f"{i * step:g}") for i in range(int(most / step) + 1)]
    parts = frame.axes(ticks, "paraphrase distance PD")
    for cell in cells:
        about = f"{_cell_words(cell.name)}: PD {cell.pd:.3f}, success {percent(cell.success)}, {cell.n} texts"
        parts.append(
            Markup('<circle class="cell" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>').format(
                frame.x(cell.pd), frame.y(cell.success), about
            )
        )
    points = []
    for part in found.bins:
        rate, x = part.success.rate or 0.0, frame.x(part.pd)
        points.append(f"{x:.1f},{frame.y(rate):.1f}")
        about = f"PD {part.low:.3f} to {part.high:.3f}: {percent(rate)} of {part.success.n} episodes"
        known = f", interval {interval(part.success)}" if part.success.interval else ""
        parts.append(_whisker(frame, x, part.success.interval))
        parts.append(
            Markup('<circle class="bin" cx="{:.1f}" cy="{:.1f}" r="4.5"><title>{}</title></circle>').format(
                x, frame.y(rate), about + known
            )
        )
    if points:
        parts.append(Markup('<polyline class="run" points="{}"/>').format(" ".join(points)))
    return frame.svg(f"scatter {listener.colour}", "success by paraphrase distance", parts)


def _cell_words(name: str) -> str:
    kinds = ["" if kind == "none" else kind for kind in name.split(" x ")]
    return " × ".join(words_for(kind) for kind in kinds)


def _whisker(frame: PlotFrame, x: float, ends: tuple[float, float] | None) -> Markup:
    if ends is None:
        return Markup("")
    return Markup('<path class="whisker" d="M{:.1f} {:.1f}V{:.1f}"/>').format(x, frame.y(ends[0]), frame.y(ends[1]))


def sweep_plot(found: Weighed, listener: Listener) -> Markup:
    """Draw PRIDE over α with its interval, and the success rate as a level to hold it against."""
    frame = PlotFrame(0.0, 1.0)
    summary = found.summary
    parts = frame.axes([(a / 10, f"{a / 10:g}") for a in range(0, 11, 2)], "α: weight of the keywords")
    ends = [(alpha, point.low, point.high) for alpha, point in summary.sweep]
    if all(low is not None and high is not None for _, low, high in ends):
        over = [f"{frame.x(alpha):.1f},{frame.y(high or 0.0):.1f}" for alpha, _, high in ends]
        under = [f"{frame.x(alpha):.1f},{frame.y(low or 0.0):.1f}" for alpha, low, _ in reversed(ends)]
        parts.append(Markup('<polygon class="band" points="{}"/>').format(" ".join([*over, *under])))
    level = frame.y(summary.success.estimate)
    parts.append(
        Markup('<line class="level" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>').format(
            frame.x(0), frame.x(1), level, level
        )
    )
    line = " ".join(f"{frame.x(alpha):.1f},{frame.y(point.estimate):.1f}" for alpha, point in summary.sweep)
    parts.append(Markup('<polyline class="run" points="{}"/>').format(line))
    for alpha, point in summary.sweep:
        about = f"α = {alpha:g}: PRIDE {100 * point.estimate:.1f}"
        if point.low is not None and point.high is not None:
            about += f", interval {100 * point.low:.1f} to {100 * point.high:.1f}"
        chosen = " chosen" if abs(alpha - summary.alpha) < 1e-9 else ""
        parts.append(
            Markup('<circle class="dot{}" cx="{:.1f}" cy="{:.1f}" r="{}"><title>{}</title></circle>').format(
                chosen, frame.x(alpha), frame.y(point.estimate), 5 if chosen else 3, about
            )
        )
    high = summary.success.estimate >= summary.pride.estimate
    parts.append(_text(frame.x(1), level + (-6 if high else 14), f"success {percent(summary.success.estimate)}", "end"))
    return frame.svg(f"sweep {listener.colour}", "PRIDE by alpha, and the success rate", parts)


def word_plot(levels: Sequence[WordLevel], listener: Listener) -> Markup:
    """Draw success over the number of words that were to be replaced, each with its interval."""
    frame = PlotFrame(-0.4, 4.4, height=220.0)
    parts = frame.axes([(i, f"W{i}") for i in range(5)], "words to replace")
    places = [(float(level.name[1:]), level) for level in levels]
    line = " ".join(f"{frame.x(x):.1f},{frame.y(level.success.rate or 0.0):.1f}" for x, level in places)
    parts.append(Markup('<polyline class="run" points="{}"/>').format(line))
    for x, level in places:
        rate = level.success.rate or 0.0
        about = (
            f"{level.name}: {level.success.k} of {level.success.n} episodes, {number(level.replaced, 2)} words replaced"
        )
        dot = Markup('<circle class="bin" cx="{:.1f}" cy="{:.1f}" r="4.5"/>').format(frame.x(x), frame.y(rate))
        figure = _text(frame.x(x) + 8, frame.y(rate) - 7, percent(rate), "start figure")
        parts.append(_whisker(frame, frame.x(x), level.success.interval))
        parts.append(_linked(listener.link(told=level.name), about, dot, figure))
    return frame.svg(f"words {listener.colour}", "success by words replaced", parts)


_BAR_LABEL, _BAR_WIDTH, _BAR_COUNT, _BAR_ROW = 126.0, 250.0, 44.0, 20.0


def failure_bars(found: Decomposition, listener: Listener) -> Markup:
    """Draw, for each type, the shares of its episodes by class; shares from 8 % on say their number."""
    parts, y, axis = [], 4.0, None
    for part in found.parts:
        if part.axis != axis:
            y += 18.0 if part.axis else 0.0
            title = {"object": "how things are named", "action": "how it is asked"}.get(part.axis)
            if title:
                parts.append(_text(_BAR_LABEL, y, title, "start axis"))
                y += 5.0
            axis = part.axis
        label = words_for(part.kind) if part.axis else "own words"
        wanted = {"told": PARAPHRASE, part.axis: wanted_type(part.kind)} if part.axis else {"told": ORIGINAL}
        counts = Markup('<a href="{}">{}</a>').format(
            listener.link(**wanted), _text(_BAR_LABEL + _BAR_WIDTH + _BAR_COUNT, y + 14, f"{part.n:,}", "end")
        )
        parts += [_text(_BAR_LABEL - 8, y + 14, label, "end"), *_stack(found, part, label, y), counts]
        y += _BAR_ROW
    width = _BAR_LABEL + _BAR_WIDTH + _BAR_COUNT
    return _svg("stack", width, y + 4, f"failures by {found.way}", parts)


def _stack(found: Decomposition, part: LanguagePart, label: str, y: float) -> list[Markup]:
    parts, x, n = [], _BAR_LABEL, part.n
    for kind, words in found.classes.items():
        count = part.counts.get(kind, 0)
        if not count:
            continue
        width = _BAR_WIDTH * count / n
        about = f"{label}, {words}: {count} of {n}, {percent(count / n)}"
        figure = _text(x + width / 2, y + 14, f"{100 * count / n:.0f}", "figure") if count / n >= 0.08 else Markup("")
        parts.append(
            Markup(
                '<g class="k-{}"><title>{}</title><rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}"/>{}</g>'
            ).format(kind.replace("_", "-"), about, x, y + 1, width, _BAR_ROW - 3, figure)
        )
        x += width
    return parts
