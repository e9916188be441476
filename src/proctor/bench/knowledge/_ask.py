"""What can be asked about a scene: every question of a kind, before anything is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import TypeAlias

from ._model import Item, Question
from ._tables import ATTRIBUTE_TABLES, attribute_table, table
from .rules import book, completion
from .solvers import kinds

Asking: TypeAlias = Callable[[Sequence[Item]], Iterator[Question]]
# The looks that tell things of a category apart in plain words.
NAMED_BY = {
    "billiard_ball": ("ball",),
    "book": ("title",),
    "card": ("rank", "suit"),
    "number_cube": ("text",),
    "sample": ("material",),
    "tube": ("solution",),
}


def possible(kind: str, items: Sequence[Item]) -> Iterator[Question]:
    """Yield every question of a kind that could be put about ``items``."""
    return _ASKING[kind](items)


def can_ask(kind: str) -> bool:
    """Return whether `possible` knows the questions of a kind; for the others the caller gives all parameters."""
    return kind in _ASKING


def named(item: Item) -> Question:
    """Return the question that names an item by its looks (kind, or what `NAMED_BY` says)."""
    keys = NAMED_BY.get(item.category, ("kind",))
    return Question("look", {"category": item.category, **{key: item.look(key) for key in keys}})


def _looks(items: Sequence[Item]) -> Iterator[Question]:
    for item in items:
        if all(key in item.looks for key in NAMED_BY.get(item.category, ("kind",))):
            yield named(item)


def _attributes(items: Sequence[Item]) -> Iterator[Question]:
    categories = {item.category for item in items}
    for name in ATTRIBUTE_TABLES:
        facts = attribute_table(name)
        if facts.category in categories:
            for attribute in facts.attributes:
                yield Question("attribute", {"table": name, "attributes": (attribute,)})


def _from_looks(kind: str, key: str) -> Asking:
    def ask(items: Sequence[Item]) -> Iterator[Question]:
        for value in dict.fromkeys(item.looks[key] for item in items if key in item.looks):
            yield Question(kind, {key: value})

    return ask


def _countries(items: Sequence[Item]) -> Iterator[Question]:
    listed = table("flowers")["national_or_emblem_flower"]
    for item in items:
        for country in listed[item.look("kind")]:
            yield Question("country", {"country": country})


def _states(items: Sequence[Item]) -> Iterator[Question]:
    for state in ("fresh", "wilted"):
        yield Question("state", {"category": items[0].category, "state": state})


def _of_books(key: str) -> Asking:
    def ask(items: Sequence[Item]) -> Iterator[Question]:
        entries = (book(item.look("title")) for item in items)
        for value in dict.fromkeys(entry[key] for entry in entries if entry.get(key)):
            yield Question(key, {key: value})

    return ask


def _needs(items: Sequence[Item]) -> Iterator[Question]:
    for need in table("study")["needs"]:
        yield Question("study", {"need": need})


def _orders(items: Sequence[Item]) -> Iterator[Question]:
    for by in ("year", "author"):
        for direction in ("rising", "falling"):
            yield Question("book_order", {"by": by, "direction": direction})


def _nth_cards(items: Sequence[Item]) -> Iterator[Question]:
    for n in range(1, len(items) + 1):
        yield Question("nth_card", {"n": n, "end": "largest"})


def _beaten_cards(items: Sequence[Item]) -> Iterator[Question]:
    for rank in table("cards")["deck"]["ranks_low_to_high"]:
        yield Question("beat_card", {"rank": rank})


def _runs(items: Sequence[Item]) -> Iterator[Question]:
    for have in combinations_with_replacement(kinds(), 2):
        for end in ("low", "high", "middle", "same"):
            if completion(have, end):
                yield Question("run_tile", {"have": have, "end": end})


def _without_params(kind: str) -> Asking:
    def ask(items: Sequence[Item]) -> Iterator[Question]:
        yield Question(kind)

    return ask


def _values(items: Sequence[Item]) -> Iterator[Question]:
    for points in table("billiards")["snooker_values"].values():
        yield Question("ball_value", {"points": points})


def _ends(items: Sequence[Item]) -> Iterator[Question]:
    for end in ("highest", "lowest"):
        yield Question("extreme_ball", {"end": end})


def _materials(items: Sequence[Item]) -> Iterator[Question]:
    present = {item.look("material") for item in items if item.category == "sample"}
    for name, data in table("materials")["properties"].items():
        if present <= set(data["values"]):
            for direction in ("largest", "smallest"):
                yield Question("material", {"property": name, "direction": direction})


def _weights(items: Sequence[Item]) -> Iterator[Question]:
    for direction in ("largest", "smallest"):
        yield Question("weight", {"direction": direction})


def _magnets(items: Sequence[Item]) -> Iterator[Question]:
    for attracted in (True, False):
        yield Question("magnet", {"attracted": attracted})


_ASKING: dict[str, Asking] = {
    "attribute": _attributes,
    "author": _of_books("author"),
    "ball_value": _values,
    "beat_card": _beaten_cards,
    "best_five": _without_params("best_five"),
    "book_order": _orders,
    "clear_table": _without_params("clear_table"),
    "country": _countries,
    "extreme_ball": _ends,
    "look": _looks,
    "magnet": _magnets,
    "match_style": _without_params("match_style"),
    "material": _materials,
    "next_ball": _without_params("next_ball"),
    "nth_card": _nth_cards,
    "odd_tile": _without_params("odd_tile"),
    "red_then_best": _without_params("red_then_best"),
    "run_tile": _runs,
    "solution_colour": _from_looks("solution_colour", "solution"),
    "state": _states,
    "storage": _without_params("storage"),
    "study": _needs,
    "style": _from_looks("style", "style"),
    "subject": _of_books("subject"),
    "weight": _weights,
}
