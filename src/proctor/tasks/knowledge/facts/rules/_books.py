"""Books by subject, author and need, and in the order of years and authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from .._model import Found, Item, Question, one
from .._tables import table
from ._registry import rule


@cache
def book(title: str) -> Mapping[str, Any]:
    """Return the entry of a title: ``subject`` for all, ``author``, ``family_name`` and ``year`` for classics."""
    books = table("books")
    for entry in (*books["classics"], *books["invented"]):
        if entry["title"] == title:
            return {"subject": entry.get("subject", entry.get("genre")), **entry}
    return {"subject": None, "title": title}


def _books(items: Sequence[Item]) -> dict[str, Mapping[str, Any]]:
    return {item.name: book(item.look("title")) for item in items if item.category == "book"}


@rule("subject", "exactly one book is about the subject, and none might also be counted to it")
def by_subject(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``subject`` (``novel`` counts as one)."""
    books = _books(items)
    doubts = tuple(
        name for name, entry in books.items() if entry["subject"] is None or entry.get("also") == question["subject"]
    )
    return Found(one(*(name for name, entry in books.items() if entry["subject"] == question["subject"])), doubts)


@rule("author", "exactly one book is by the author")
def by_author(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``author``."""
    return Found(one(*(name for name, entry in _books(items).items() if entry.get("author") == question["author"])))


@rule("study", "exactly one book is about what the need asks for, and it is no classic")
def by_need(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``need`` of the study table. Nobody keeps the household budget by The Wealth of Nations."""
    subject = table("study")["needs"][question["need"]]["book"]
    found = by_subject(Question("subject", {"subject": subject}), items)
    classics = (name for name, entry in _books(items).items() if entry["subject"] == subject and "year" in entry)
    return Found(found.answers, (*found.doubts, *classics))


@rule("book_order", "years at least 20 apart between neighbours, or family names of different first letters")
def in_order(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``by`` (year, author), ``direction`` (rising, falling). The margin of years is their smallest gap."""
    books = _books(items)
    key = "year" if question["by"] == "year" else "family_name"
    doubts = tuple(name for name, entry in books.items() if entry.get(key) is None)
    if doubts:
        return Found(frozenset(), doubts)
    order = sorted(books, key=lambda name: books[name][key], reverse=question["direction"] == "falling")
    margin = None
    if key == "year":
        gaps = [abs(books[b]["year"] - books[a]["year"]) for a, b in pairwise(order)]
        margin = float(min(gaps, default=0))
        doubts = ("two years are too close",) if margin < table("books")["year_gap"] else ()
    elif len({books[name]["family_name"][0] for name in order}) < len(order):
        doubts = ("two family names begin with the same letter",)
    return Found(frozenset({tuple((name,) for name in order)}), doubts, margin)
