"""Small inline drawings. Colours come from the style sheet, so they follow light and dark."""

from __future__ import annotations

from markupsafe import Markup

from ._summary import Rated
from ._timeline import Lane, Timeline

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
