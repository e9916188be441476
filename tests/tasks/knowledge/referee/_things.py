"""Single things to be put somewhere, taken out, poured: by name, by place, by state, or by what is said about them."""

from __future__ import annotations

from collections.abc import Sequence

from ._answer import Answer, Wish, answer, wish
from ._cues import cued
from ._scene import Scene, Thing
from ._text import named, said
from ._where import beside, counted, destinations, doors

_GOODS = ("fruit", "drink", "toy", "ingredient", "condiment", "food", "snack", "flower")


def read_things(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about a thing among others."""
    things = scene.of(*_GOODS)
    found = _one(text, things)
    to = destinations(text, scene) or _implied(text, scene)
    return [answer(wish(thing.name, *to), *doors(text, scene)) for thing in found]


def _implied(text: str, scene: Scene) -> list[str]:
    """Return where things go by the verb: what is packed into the gift box, what is cooled into the fridge, what a dish
    lacks into the pan.
    """
    boxes = scene.of("giftbox", "giftbox_lid") if said(text, r"\b(pack|wrap)\b") else []
    cold = scene.of("fridge_door") if said(text, r"\bcool\b") else []
    return [thing.name for thing in boxes or cold or scene.of("pan")]


def _one(text: str, things: Sequence[Thing]) -> list[Thing]:
    by_place = counted(text, things)
    if by_place is None:
        by_place = beside(text, things, lambda words: named(words, things))
    if by_place is None and said(text, r"\btray\b"):
        out = said(text, r"\b(not in|outside) the tray\b")
        by_place = [t for t in named(text, things) if t.inside.startswith("tray") != out]
    if by_place is not None:
        return by_place
    if said(text, r"\bin bloom\b", r"\bfresh\b", r"not wilted") and things[0].category == "flower":
        return [thing for thing in things if thing.look("state") == "fresh"]
    return called(text, things)


def called(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Return the things that cues allow, and of these the named ones if any; without cues the named ones."""
    hints, names = cued(text, things), named(text, things)
    if hints is None:
        return names
    return [thing for thing in hints if thing in names] or hints


def read_swap(text: str, scene: Scene) -> list[Answer]:
    """Return: the flower of the vase into the bin, the named fresh one into the vase."""
    flowers, vase = scene.of("flower"), scene.one("flower_vase")
    old = [flower for flower in flowers if flower.holder == vase]
    new = [flower for flower in named(text, flowers) if flower not in old]
    return [
        answer(wish(out.name, scene.one("bin")), wish(into.name, vase)) for out in old for into in new if len(old) == 1
    ]


def read_juice(text: str, scene: Scene) -> list[Answer]:
    """Return: the fruit into the juicer, the lid on top."""
    juicer = scene.one("juicer")
    lid = wish(scene.one("lid"), f"{juicer}/top")
    return [answer(wish(fruit.name, juicer), lid, *_power(scene)) for fruit in named(text, scene.of("fruit"))]


def _power(scene: Scene) -> list[Wish]:
    """Return that the plug shall be in the socket, where there is one: without power nothing runs."""
    return [wish(plug.name, scene.one("socket")) for plug in scene.of("plug")]


def read_microwave(text: str, scene: Scene) -> list[Answer]:
    """Return: the food into the microwave, its door shut."""
    oven = scene.one("microwave")
    shut = wish(f"{oven}/door", "closed")
    return [answer(wish(food.name, oven), shut, *_power(scene)) for food in named(text, scene.of("food"))]


def read_coffee(text: str, scene: Scene) -> list[Answer]:
    """Return: the mug filled with coffee, and what is to be poured into it."""
    mugs = scene.of("mug")
    added = _added(text, scene.of("condiment"))
    return [answer(wish(mug.name, "coffee"), *more(mug.name)) for mug in mugs for more in added]


class _Pour:
    """What is poured into a mug."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self, mug: str) -> list[Wish]:
        return [wish(name, mug) for name in self.names]


def _added(text: str, bottles: Sequence[Thing]) -> list[_Pour]:
    plain = said(text, r"\bplain\b", r"nothing in it") or (
        said(text, r"\bblack coffee\b") and not said(text, "milk", "sweet", "latte")
    )
    if plain or not bottles:
        return [_Pour()]
    return [_Pour(bottle.name) for bottle in called(text, bottles)]
