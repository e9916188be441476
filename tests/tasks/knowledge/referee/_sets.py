"""Sets: groups for two trays, the ingredients of a dish, what is kept cold, cutlery for a menu, digits of a number."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from itertools import combinations, product

from ._answer import Answer, answer, wish
from ._cues import cues, table
from ._scene import Scene, Thing
from ._text import mentioned, said
from ._where import doors

_WORLDS = (
    {"pirate", "deep-sea diver", "crab"},
    {"astronaut", "alien visitor", "robot"},
    {"knight", "wizard", "dragon"},
    {"bear", "duck", "hedgehog"},
)
_SWEET = {"cupcake", "cream cake slice", "ring doughnut"}
_SAVOURY = {"baguette", "bagel", "bread roll", "pretzel"}
_DRINKS = {
    "alcohol": {"beer", "red wine"},
    "fizzy soft": {"cola", "energy drink", "lemonade"},
    "juice": {"orange juice", "tomato juice", "grape juice"},
    "dairy": {"milk", "yoghurt drink"},
    "water": {"still water", "sparkling water"},
}
_LAID = {
    "steak": ("fork", "knife"),
    "fish": ("fork", "knife"),
    "soup": ("spoon",),
    "cereal": ("spoon",),
    "sushi": ("chopsticks",),
}
_DO: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def read_groups(text: str, scene: Scene) -> list[Answer]:
    """Return every split into two pairs that a sorting by class allows."""
    trays = [tray.name for tray in scene.of("tray")]
    things = [thing for thing in scene.of("toy", "bakery", "drink") if thing.holder not in trays]
    splits = {frozenset(map(frozenset, split)) for split in _splits(text, things)}
    return [answer(*(wish(t.name, *trays) for t in things), groups=split) for split in splits]


def _splits(text: str, things: Sequence[Thing]) -> list[tuple[set[str], set[str]]]:
    named = [kinds for word, kinds in _DRINKS.items() if said(text, rf"\b{word}")]
    if things[0].category == "toy":
        classes = list(_WORLDS)
    elif things[0].category == "bakery":
        classes = [_SWEET, _SAVOURY]
    else:
        # Where the classes are not named, whatever two of the drinks share and the others lack is a reason.
        classes = named or [*_DRINKS.values(), *(set(kinds) for kinds in cues()["drink"].values())]
    found = []
    for kinds in classes:
        inside = {thing.name for thing in things if thing.kind in kinds}
        rest = {thing.name for thing in things} - inside
        if len(inside) == len(rest) == 2:
            found.append((inside, rest))
    return found


def read_dish(text: str, scene: Scene) -> list[Answer]:
    """Return the ingredients of the dish that is named: all of them, and none that a cook might add stands by."""
    data = table("recipes")
    dishes = mentioned(text, data["recipes"])
    if len(dishes) != 1:
        return []
    dish, plate = dishes[0], scene.one("serving_plate")
    things = scene.of("ingredient")
    must = [[t for t in things if t.kind == kind] for kind in data["recipes"][dish]]
    may = [t for t in things if t.kind in data["tolerated_extra"].get(dish, ())]
    extras = [chosen for count in range(len(may) + 1) for chosen in combinations(may, count)]
    sets = {frozenset(t.name for t in (*main, *more)) for main in product(*must) for more in extras}
    return [answer(*(wish(name, plate) for name in names)) for names in sets]


def read_storage(text: str, scene: Scene) -> list[Answer]:
    """Return the food that has to be kept cold; food that nobody has decided about leaves no answer."""
    data, fridge = table("storage"), scene.one("fridge_door", "fridge")
    foods = scene.of("food")
    if any(food.kind not in (*data["fridge"], *data["room_temperature"]) for food in foods):
        return []
    cold = [wish(food.name, fridge) for food in foods if food.kind in data["fridge"]]
    return [answer(*cold, *doors(text, scene))]


def read_menu(text: str, scene: Scene) -> list[Answer]:
    """Return the cutlery of a menu with the plate, in the order that the diner, who sits beside the robot, sees."""
    needed = {kind for word, kinds in _LAID.items() if said(text, rf"\b{word}") for kind in kinds}
    if said(text, r"\bsoup\b", r"\bcereal\b") and not said(text, "steak", "fish"):
        needed = {"spoon"}
    row = ["fork", "plate", "knife", "spoon", "chopsticks"]
    if said(text, "left-handed"):
        row.reverse()
    mat, plate = scene.one("placemat"), scene.one("serving_plate")
    pieces = {thing.kind: thing.name for thing in scene.of("cutlery")}
    if not needed or not needed <= pieces.keys():
        return []
    order = [plate if kind == "plate" else pieces[kind] for kind in row if kind == "plate" or kind in needed]
    return [answer(*(wish(name, mat) for name in order), order=order)]


def read_number(text: str, scene: Scene) -> list[Answer]:
    """Return the cubes that show the answer of a word problem; copies of a digit may change places."""
    rows = [row for row in table("math_problems")["problems"] if row["question"].lower() in text]
    if len(rows) != 1:
        return []
    mat = scene.one("placemat")
    cubes = [
        [cube for cube in scene.of("number_cube") if cube.look("text") == digit]
        for digit in str(_value(rows[0]["expression"]))
    ]
    ways = [way for way in product(*cubes) if len({cube.name for cube in way}) == len(way)]
    return [answer(*(wish(cube.name, mat) for cube in way), order=[cube.name for cube in way]) for way in ways]


def _value(expression: str) -> int:
    """Return the value of an expression of whole numbers."""

    def walk(node: ast.expr) -> int:
        if isinstance(node, ast.BinOp):
            return _DO[type(node.op)](walk(node.left), walk(node.right))
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, int)
        return node.value

    return walk(ast.parse(expression, mode="eval").body)
