"""Books: by title, subject, author, plot; in an order; grouped; and the desk with its laptop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from ._answer import Answer, answer, wish
from ._cues import meant, table
from ._scene import Scene, Thing
from ._text import mentioned, said
from ._where import counted

# Two works whose years are this close are not told apart by a reader.
_YEARS_APART = 10


def read_books(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about books."""
    books = scene.of("book")
    if said(text, r"oldest|newest|family name"):
        return _ordered(text, books, _empty_shelf(scene))
    if said(text, r"(sort|group|put) the books (of|by (subject|what))"):
        return _grouped(books, scene.of("shelf")[0])
    if scene.has("laptop"):
        return _desk(text, books, scene)
    return [answer(wish(book.name)) for book in _one(text, books)]


def _one(text: str, books: Sequence[Thing]) -> list[Thing]:
    by_place = counted(text, books)
    if by_place is not None:
        return by_place
    titles = mentioned(text, [book.look("title") for book in books])
    if titles:
        return [book for book in books if book.look("title") in titles]
    authors = mentioned(text, [_facts(book).get("author", "") for book in books])
    if authors:
        return [book for book in books if _facts(book).get("author") in authors]
    hints = meant(text, "book") or set()
    return [book for book in books if book.look("title") in hints or hints & _subjects(book)]


def _desk(text: str, books: Sequence[Thing], scene: Scene) -> list[Answer]:
    lid = f"{scene.one('laptop')}/lid"
    if said(
        text,
        r"\b(laptop|computer)\b.*\b(shut|closed?)\b",
        r"\bclose the laptop\b",
        r"shut the laptop",
        r"lid of the laptop down",
    ):
        shelf = _empty_shelf(scene)
        return [answer(*(wish(book.name, shelf) for book in books), wish(lid, "closed"))]
    table_name = scene.one("table")
    return [answer(wish(book.name, table_name), wish(lid, "open")) for book in _one(text, books)]


def _ordered(text: str, books: Sequence[Thing], shelf: str) -> list[Answer]:
    """Return every order that fits; an author or year that leaves doubt leaves no order."""
    years = said(text, "oldest|newest")
    keys: dict[str, Any] = {book.name: _facts(book).get("year" if years else "family_name") for book in books}
    if None in keys.values():
        return []
    row = sorted(books, key=lambda book: keys[book.name])
    pairs = [(keys[a.name], keys[b.name]) for a, b in pairwise(row)]
    if any(b - a < _YEARS_APART if years else a == b for a, b in pairs):
        return []
    if said(text, r"from the newest", r"\bz to a\b"):
        row.reverse()
    return [answer(*(wish(book.name, shelf) for book in books), order=[book.name for book in row])]


def _grouped(books: Sequence[Thing], shelf: Thing) -> list[Answer]:
    groups: dict[str, list[str]] = {}
    for book in books:
        groups.setdefault(_subject(book), []).append(book.name)
    if len(groups) != 2:
        return []
    layers = (f"{shelf.name}/layer1", f"{shelf.name}/layer2")
    return [answer(*(wish(book.name, *layers) for book in books), groups=groups.values())]


def _empty_shelf(scene: Scene) -> str:
    held = {book.holder for book in scene.of("book")}
    return next((shelf.name for shelf in scene.of("shelf") if shelf.name not in held), "")


def _subject(book: Thing) -> str:
    facts = _facts(book)
    return str(facts.get("subject") or facts.get("genre") or "")


def _subjects(book: Thing) -> set[str]:
    """Return what a reader might say a book is about, as cues call it."""
    return {f"subject:{subject}" for subject in (_subject(book), _facts(book).get("also")) if subject}


def _facts(book: Thing) -> dict[str, Any]:
    return _catalogue().get(book.look("title"), {})


@cache
def _catalogue() -> dict[str, dict[str, Any]]:
    rows = [row for value in table("books").values() if isinstance(value, list) for row in value]
    return {row["title"]: row for row in rows if isinstance(row, dict) and re.search(r"\w", row.get("title", ""))}
