"""What can be asked about a scene: every question of a kind, before anything is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import TypeAlias

from ._model import Item, Question, Value
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


def naming(item: Item) -> tuple[str, ...]:
    """Return the looks that name an item in plain words."""
    return NAMED_BY.get(item.category, ("kind",))


def _looks(items: Sequence[Item]) -> Iterator[Question]:
    for item in items:
        for keys in dict.fromkeys((naming(item), ("title",))):
            if all(key in item.looks for key in keys):
                yield Question("look", {"category": item.category, **{key: item.looks[key] for key in keys}})


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
        yield Question("nth_card", {"n": n, "end": "smallest"})


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


def _dishes(items: Sequence[Item]) -> Iterator[Question]:
    for dish in table("recipes")["recipes"]:
        yield Question("recipe", {"dish": dish})


def _reactions(items: Sequence[Item]) -> Iterator[Question]:
    """By event alone, by colour, and by colour and product; a colour is always told where there is one."""
    seen = []
    for row in table("chemistry")["reactions"]:
        colour = {"colour": row["product_colour"]} if row["product_colour"] else {}
        product = {"product": row["product"]} if row["event"] == "precipitate" else {}
        for params in ({"event": row["event"], **colour}, {"event": row["event"], **colour, **product}):
            if params not in seen:
                seen.append(params)
                yield Question("reaction", params)


def _menus(items: Sequence[Item]) -> Iterator[Question]:
    for dish in table("dining")["menu_to_cutlery"]:
        for hand in ("right_handed", "left_handed"):
            yield Question("menu", {"dish": dish, "hand": hand})


def _problems(items: Sequence[Item]) -> Iterator[Question]:
    for row in table("math_problems")["problems"]:
        yield Question("number", {"problem": row["id"]})


def _groups(items: Sequence[Item]) -> Iterator[Question]:
    tables = {"book": "books", "toy": "toys", "bakery": "bakery", "drink": "drinks"}
    for category in {item.category for item in items} & set(tables):
        yield Question("group", {"table": tables[category]})


def _nth_places(items: Sequence[Item]) -> Iterator[Question]:
    """Counted in the whole scene where nothing stands in or on something, else within each layer."""
    sizes: dict[tuple[str, str], int] = {}
    for item in items:
        if item.at is not None:
            sizes[item.category, item.inside] = sizes.get((item.category, item.inside), 0) + 1
    for (category, inside), count in sizes.items():
        for side in ("left", "right", "near", "far"):
            for n in range(1, count + 1):
                yield Question("nth_place", {"category": category, "n": n, "side": side, "inside": inside})


def _containers(items: Sequence[Item]) -> Iterator[Question]:
    containers = {item.inside for item in items if item.inside}
    pairs = {(item.category, item.looks["kind"]) for item in items if "kind" in item.looks}
    for container in sorted(containers):
        for category, kind in sorted(pairs):
            params: dict[str, Value] = {"category": category, "of_kind": kind, "container": container}
            yield Question("inside", params)
            yield Question("inside", {**params, "outside": True})


def _sides(items: Sequence[Item]) -> Iterator[Question]:
    """Beside anything placed that is alone of its kind (or category, where it has no kind)."""
    placed = [item for item in items if item.at is not None]
    called = [item.looks.get("kind", item.category) for item in placed]
    for anchor, name in zip(placed, called, strict=True):
        if called.count(name) == 1:
            for category, kind in sorted({(i.category, i.looks["kind"]) for i in placed if "kind" in i.looks}):
                for side in ("left", "right"):
                    params = {"category": category, "of_kind": kind, "anchor": anchor.name, "side": side}
                    yield Question("side_of", params)


def _cells(items: Sequence[Item]) -> Iterator[Question]:
    for item in items:
        if item.inside:
            yield Question("cell", {"category": item.category, "cell": item.inside})


def _nails(items: Sequence[Item]) -> Iterator[Question]:
    for height in ("upper", "lower"):
        for side in ("left", "right"):
            yield Question("nail_place", {"nail": f"{height} {side}"})


_ASKING: dict[str, Asking] = {
    "attribute": _attributes,
    "author": _of_books("author"),
    "ball_value": _values,
    "beat_card": _beaten_cards,
    "best_five": _without_params("best_five"),
    "book_order": _orders,
    "cell": _cells,
    "clear_table": _without_params("clear_table"),
    "country": _countries,
    "extreme_ball": _ends,
    "group": _groups,
    "inside": _containers,
    "look": _looks,
    "loose_nail": _without_params("loose_nail"),
    "magnet": _magnets,
    "match_style": _without_params("match_style"),
    "material": _materials,
    "menu": _menus,
    "nail_place": _nails,
    "next_ball": _without_params("next_ball"),
    "nth_card": _nth_cards,
    "nth_place": _nth_places,
    "number": _problems,
    "odd_tile": _without_params("odd_tile"),
    "reaction": _reactions,
    "recipe": _dishes,
    "red_then_best": _without_params("red_then_best"),
    "run_tile": _runs,
    "side_of": _sides,
    "solution_colour": _from_looks("solution_colour", "solution"),
    "state": _states,
    "storage": _without_params("storage"),
    "study": _needs,
    "style": _from_looks("style", "style"),
    "subject": _of_books("subject"),
    "weight": _weights,
}
