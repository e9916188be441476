"""Sets, groups and orders: recipes, storage, cutlery, classes, digits, pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from .._model import Answer, Found, Item, Question
from .._tables import attribute_table, table
from ..solvers import evaluate
from ._books import book
from ._registry import rule


@rule("recipe", "the scene holds each ingredient of the dish once and none that a cook might add")
def by_recipe(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``dish``."""
    data = table("recipes")
    wanted = data["recipes"][question["dish"]]
    extra = data["tolerated_extra"].get(question["dish"], ())
    kinds = {item.name: item.look("kind") for item in items if item.category == "ingredient"}
    doubts = tuple(name for name, kind in kinds.items() if kind in extra)
    return Found(_sets([[name for name, kind in kinds.items() if kind == need] for need in wanted]), doubts)


@rule("storage", "every food is on one of the two clear lists; all that must be kept cold are the answer")
def by_storage(question: Question, items: Sequence[Item]) -> Found:
    """No params."""
    data = table("storage")
    foods = {item.name: item.look("kind") for item in items if item.category == "food"}
    cold = tuple(sorted(name for name, kind in foods.items() if kind in data["fridge"]))
    doubts = [n for n, kind in foods.items() if kind not in data["fridge"] and kind not in data["room_temperature"]]
    return Found(frozenset({(cold,)} if cold else ()), tuple(doubts))


@rule("menu", "each piece of the menu's cutlery occurs once; left to right as the diner sees it")
def by_menu(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``dish``, ``hand`` (right_handed, left_handed). The plate is part of the order."""
    data = table("dining")
    needed = data["menu_to_cutlery"][question["dish"]]
    order = list(data["order_left_to_right"][question["hand"]])
    if "chopsticks" in needed:
        order = (
            ["plate", "chopsticks"] if data["chopsticks_side"][question["hand"]] == "right" else ["chopsticks", "plate"]
        )
    places = [piece for piece in order if piece == "plate" or piece in needed]
    named = [[i.name for i in items if i.looks.get("kind") == piece or i.category.endswith(piece)] for piece in places]
    return Found(frozenset(tuple((name,) for name in names) for names in product(*named)))


@rule("group", "two classes with two items each, and no other attribute that splits them two and two")
def by_class(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``table`` (books, toys, bakery, drinks)."""
    classes = {item.name: class_of(question["table"], item) for item in items}
    sizes = Counter(value for value in classes.values() if value)
    groups = sorted(tuple(sorted(n for n, value in classes.items() if value == name)) for name in sizes)
    doubts = [name for name, value in classes.items() if not value]
    if sorted(sizes.values()) != [2, 2]:
        doubts.append("not two classes of two")
    if question["table"] == "drinks" and not doubts:
        doubts += _rival_splits(items, {frozenset(group) for group in groups})
    return Found(frozenset({tuple(groups)}), tuple(doubts))


def class_of(name: str, item: Item) -> str:
    """Return the class of an item, "" if it has none; ``name`` is the table that classes it."""
    if name == "books":
        return str(book(item.look("title"))["subject"] or "")
    if name == "toys":
        return str(table("toys")["characters"][item.look("kind")]["family"])
    classes = table("bakery")["classes"] if name == "bakery" else table("drinks")["grouping"]["classes"]
    return next((key for key, kinds in classes.items() if item.look("kind") in kinds), "")


def _rival_splits(items: Sequence[Item], groups: set[frozenset[str]]) -> list[str]:
    """Return the attributes that split the drinks into two pairs in another way than ``groups``."""
    facts = attribute_table("drinks")
    rivals = []
    for attribute in facts.attributes:
        true = frozenset(item.name for item in items if facts.value(item.look("kind"), attribute))
        if len(true) == 2 and true not in groups:
            rivals.append(f"{attribute} joins {' and '.join(sorted(true))}")
    return rivals


@rule("number", "one number; every copy of a digit is as good as another, the first in the scene is named")
def by_number(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``problem`` of the math table. Digits left to right for the reader."""
    problem = next(entry for entry in table("math_problems")["problems"] if entry["id"] == question["problem"])
    free = [item for item in items if item.category == "number_cube"]
    order: list[tuple[str]] = []
    for digit in str(evaluate(problem["expression"])):
        cube = next((item for item in free if item.look("text") == digit), None)
        if cube is None:
            return Found(frozenset(), (f"no cube shows {digit}",))
        free.remove(cube)
        order.append((cube.name,))
    return Found(frozenset({tuple(order)}))


@rule("match_style", "each cube names a style that exactly one painting of the scene has; no confusable styles")
def by_match(question: Question, items: Sequence[Item]) -> Found:
    """No params: an answer pairs every name cube with its painting."""
    boards = {item.name: item.look("style") for item in items if item.category == "painting"}
    cubes = {item.name: item.look("text") for item in items if item.category == "number_cube"}
    spoken = table("paintings")["spoken"]
    choices = [[(c, b) for b, style in boards.items() if text in (style, spoken[style])] for c, text in cubes.items()]
    pairs = table("paintings")["confusable_pairs_never_together"]
    doubts = tuple(f"{a} beside {b}" for a, b in pairs if {a, b} <= set(boards.values()))
    return Found(frozenset(tuple(answer) for answer in product(*choices)), doubts)


def _sets(choices: Sequence[Sequence[str]]) -> frozenset[Answer]:
    """Return every set that takes one name of each list."""
    return frozenset((tuple(sorted(names)),) for names in product(*choices) if len(set(names)) == len(names))
