"""Links from a number to the rows it came from: the page of rows with a filter in its fragment."""

from __future__ import annotations

from urllib.parse import urlencode


def rows_link(page: str = "", **wanted: str) -> str:
    """Return the address of the rows with these values, e.g. ``episodes.html#arm=expert&level=L1&result=success``.

    Filters: ``arm``, ``suite``, ``level``, ``task`` (exact), ``result`` (success, failure, completed, error),
    ``cost`` (some, none), ``predicate``, ``policy`` (over all its runs), ``told`` (the row's ``language``), ``object``
    and ``action`` (types of a paraphrase, ``none``, or ``any`` for every type but none). Without ``page`` the link
    stays on the page it is on.
    """
    return f"{page}#{urlencode(wanted)}"
