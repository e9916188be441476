"""What can be asked about a scene: every question of a kind, before anything is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from ._model import Item, Question, Value
from ._tables import ATTRIBUTE_TABLES, attribute_table, table
from .rules import book, completion
from .solvers import kinds

Params: TypeAlias = Mapping[str, Value]
# The looks that tell things of a category apart in plain words.
NAMED_BY = {
    "billiard_ball": ("ball",),
    "book": ("title",),
    "card": ("rank", "suit"),
    "number_cube": ("text",),
    "sample": ("material",),
    "tube": ("solution",),
}
# The table that says what groups things of a category.
GROUPED_BY = {"book": "books", "toy": "toys", "bakery": "bakery", "drink": "drinks"}


def possible(kind: str, items: Sequence[Item]) -> Iterator[Question]:
    """Yield every question of a kind that could be put about ``items``."""
    return (Question(kind, params) for params in _PARAMS[kind](items))


def can_ask(kind: str) -> bool:
    """Return whether `possible` knows the questions of a kind; for the others the caller gives all parameters."""
    return kind in _PARAMS


def _each(**values: Callable[[], Iterable[Value]] | Iterable[Value]) -> Callable[[Sequence[Item]], Iterator[Params]]:
    """Return what yields all combinations of values, whatever is in the scene."""

    def params(items: Sequence[Item]) -> Iterator[Params]:
        lists = (found() if callable(found) else found for found in values.values())
        return (dict(zip(values, chosen, strict=True)) for chosen in product(*lists))

    return params


def _looks(items: Sequence[Item]) -> Iterator[Params]:
    for item in items:
        for keys in dict.fromkeys((NAMED_BY.get(item.category, ("kind",)), ("title",))):
            if all(key in item.looks for key in keys):
                yield {"category": item.category, **{key: item.looks[key] for key in keys}}


def _attributes(items: Sequence[Item]) -> Iterator[Params]:
    categories = {item.category for item in items}
    for name in ATTRIBUTE_TABLES:
        facts = attribute_table(name)
        if facts.category in categories:
            for attribute in facts.attributes:
                yield {"table": name, "attributes": (attribute,)}


def _from_looks(key: str) -> Callable[[Sequence[Item]], Iterator[Params]]:
    return lambda items: ({key: value} for value in dict.fromkeys(i.looks[key] for i in items if key in i.looks))


def _countries(items: Sequence[Item]) -> Iterator[Params]:
    listed = table("flowers")["national_or_emblem_flower"]
    return ({"country": country} for item in items for country in listed[item.look("kind")])


def _of_books(key: str) -> Callable[[Sequence[Item]], Iterator[Params]]:
    def params(items: Sequence[Item]) -> Iterator[Params]:
        entries = (book(item.look("title")) for item in items)
        return ({key: value} for value in dict.fromkeys(entry[key] for entry in entries if entry.get(key)))

    return params


def _runs(items: Sequence[Item]) -> Iterator[Params]:
    for have in combinations_with_replacement(kinds(), 2):
        for end in ("low", "high", "middle", "same"):
            if completion(have, end):
                yield {"have": have, "end": end}


def _materials(items: Sequence[Item]) -> Iterator[Params]:
    present = {item.look("material") for item in items if item.category == "sample"}
    for name, data in table("materials")["properties"].items():
        if present <= set(data["values"]):
            for direction in ("largest", "smallest"):
                yield {"property": name, "direction": direction}


def _reactions(items: Sequence[Item]) -> Iterator[Params]:
    """By event alone, by colour, and by colour and product; a colour is always told where there is one."""
    seen = []
    for row in table("chemistry")["reactions"]:
        colour = {"colour": row["product_colour"]} if row["product_colour"] else {}
        product_of = {"product": row["product"]} if row["event"] == "precipitate" else {}
        for params in ({"event": row["event"], **colour}, {"event": row["event"], **colour, **product_of}):
            if params not in seen:
                seen.append(params)
                yield params


def _groups(items: Sequence[Item]) -> Iterator[Params]:
    return ({"table": GROUPED_BY[category]} for category in {item.category for item in items} & set(GROUPED_BY))


def _nth_places(items: Sequence[Item]) -> Iterator[Params]:
    """Counted in the whole scene where nothing stands in or on something, else within each layer."""
    sizes: dict[tuple[str, str], int] = {}
    for item in items:
        if item.at is not None:
            sizes[item.category, item.inside] = sizes.get((item.category, item.inside), 0) + 1
    for (category, inside), count in sizes.items():
        for side, n in product(("left", "right", "near", "far"), range(1, count + 1)):
            yield {"category": category, "n": n, "side": side, "inside": inside}


def _containers(items: Sequence[Item]) -> Iterator[Params]:
    pairs = {(item.category, item.looks["kind"]) for item in items if "kind" in item.looks}
    for container, (category, kind) in product(sorted({i.inside for i in items if i.inside}), sorted(pairs)):
        params: Params = {"category": category, "of_kind": kind, "container": container}
        yield params
        yield {**params, "outside": True}


def _sides(items: Sequence[Item]) -> Iterator[Params]:
    """Beside anything placed that is alone of its kind (or category, where it has no kind)."""
    placed = [item for item in items if item.at is not None]
    called = [item.looks.get("kind", item.category) for item in placed]
    pairs = sorted({(item.category, item.looks["kind"]) for item in placed if "kind" in item.looks})
    for anchor, name in zip(placed, called, strict=True):
        if called.count(name) == 1:
            for (category, kind), side in product(pairs, ("left", "right")):
                yield {"category": category, "of_kind": kind, "anchor": anchor.name, "side": side}


_DIRECTIONS = ("largest", "smallest")
_PARAMS: dict[str, Callable[[Sequence[Item]], Iterator[Params]]] = {
    "attribute": _attributes,
    "author": _of_books("author"),
    "ball_value": _each(points=lambda: table("billiards")["snooker_values"].values()),
    "beat_card": _each(rank=lambda: table("cards")["deck"]["ranks_low_to_high"]),
    "best_five": _each(),
    "book_order": _each(by=("year", "author"), direction=("rising", "falling")),
    "cell": lambda items: ({"category": item.category, "cell": item.inside} for item in items if item.inside),
    "clear_table": _each(),
    "country": _countries,
    "extreme_ball": _each(end=("highest", "lowest")),
    "group": _groups,
    "inside": _containers,
    "look": _looks,
    "loose_nail": _each(),
    "magnet": _each(attracted=(True, False)),
    "match_style": _each(),
    "material": _materials,
    "menu": _each(dish=lambda: table("dining")["menu_to_cutlery"], hand=("right_handed", "left_handed")),
    "nail_place": _each(nail=("upper left", "upper right", "lower left", "lower right")),
    "next_ball": _each(),
    "nth_card": lambda items: ({"n": n + 1, "end": end} for n in range(len(items)) for end in _DIRECTIONS),
    "nth_place": _nth_places,
    "number": _each(problem=lambda: [row["id"] for row in table("math_problems")["problems"]]),
    "odd_tile": _each(),
    "reaction": _reactions,
    "recipe": _each(dish=lambda: table("recipes")["recipes"]),
    "red_then_best": _each(),
    "run_tile": _runs,
    "side_of": _sides,
    "solution_colour": _from_looks("solution"),
    "state": lambda items: ({"category": items[0].category, "state": state} for state in ("fresh", "wilted")),
    "storage": _each(),
    "study": _each(need=lambda: table("study")["needs"]),
    "style": _from_looks("style"),
    "subject": _of_books("subject"),
    "weight": _each(direction=_DIRECTIONS),
}
