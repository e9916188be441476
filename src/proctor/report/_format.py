"""How a number is written, and linked to the rows it came from; no digit that the data does not carry."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlencode

from markupsafe import Markup, escape

from ._summary import CostShare, Rated

_NARROW = "\u202f"  # narrow no-break space between number and unit


def percent(p: float) -> str:
    """Write a proportion; 0 % and 100 % are kept for none and all."""
    whole = round(100 * p)
    if whole == 0 and p > 0:
        return f"<1{_NARROW}%"
    if whole == 100 and p < 1:
        return f">99{_NARROW}%"
    return f"{whole}{_NARROW}%"


def rate(proportion: Rated | None) -> str:
    """Write k/n as a percentage, a dash without trials."""
    return "–" if proportion is None or proportion.rate is None else percent(proportion.rate)


def interval(proportion: Rated | None) -> str:
    """Write the interval as ``40–89 %``, a dash where there is none. The ends are rounded outwards."""
    if proportion is None or not proportion.n or proportion.interval is None:
        return "–"
    low, high = proportion.interval
    return f"{int(100 * low + 1e-9)}–{-int(-100 * high // 1)}{_NARROW}%"


def number(value: float | None, digits: int = 1) -> str:
    """Write a number with thousands apart and at most ``digits`` decimals, a dash for None."""
    if value is None:
        return "–"
    text = f"{value:,.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if float(text.replace(",", "")) == 0 and value != 0:
        return f"<{10**-digits:g}" if value > 0 else f">-{10**-digits:g}"
    return text


def signed(value: float, digits: int = 0) -> str:
    """Write a change with its sign and a true minus; what rounds to 0 has none."""
    text = f"{value:+,.{digits}f}".replace("-", "\u2212")
    return text[1:] if float(text[1:].replace(",", "")) == 0 else text


def severity(share: CostShare) -> str:
    """Write the worst that was measured: a force in newtons, a distance in centimetres."""
    if share.unit == "m":
        return f"{number(100 * share.worst, 1)}{_NARROW}cm"
    return f"{number(share.worst, 1)}{_NARROW}{share.unit}".rstrip()


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{number(value, 2)}{_NARROW}s"


def plural(n: int, word: str) -> str:
    """Write a count with its noun."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def moment(text: str) -> str:
    """Write an ISO 8601 time to the minute; anything else as it is."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return text
    zone = " UTC" if value.utcoffset() == timedelta(0) else ""
    return f"{value:%Y-%m-%d %H:%M}{zone}"


def breakable(text: str) -> Markup:
    """Let a long name break after its underscores."""
    return Markup("_<wbr>").join(escape(part) for part in text.split("_"))


# Links from a number to the rows it came from: the page of rows with a filter in its fragment.


def rows_link(page: str = "", **wanted: str) -> str:
    """Return the address of the rows with these values, e.g. ``episodes.html#arm=expert&level=L1&result=success``.

    Filters: ``arm``, ``suite``, ``level``, ``task`` (exact), ``result`` (success, failure, completed, error),
    ``cost`` (some, none), ``predicate``, ``policy`` (over all its runs), ``told`` (the row's ``language``), ``object``
    and ``action`` (types of a paraphrase, ``none``, or ``any`` for every type but none). Without ``page`` the link
    stays on the page it is on.
    """
    return f"{page}#{urlencode(wanted)}"
