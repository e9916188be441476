"""Where: left and right, rows and shelves, and the places that a sentence names.

Left and right are as the robot sees them (left is +y); near is towards the robot (-x).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from ._answer import Wish, wish
from ._scene import Scene, Thing
from ._text import ORDINALS, ordinal, said

# Things closer than this along a line have no order that a viewer would swear to (m).
APART = 0.02
_ALONG: dict[str, Callable[[Thing], float]] = {
    "left": lambda thing: -thing.at[1],
    "right": lambda thing: thing.at[1],
    "near": lambda thing: thing.at[0],
    "far": lambda thing: -thing.at[0],
}
# What places are called, and the categories that are called so.
_PLACES = {
    "plate": ("serving_plate",),
    "(gift )?box": ("giftbox", "giftbox_lid"),
    "vase": ("flower_vase",),
    "pan": ("pan",),
    "(cutting )?board": ("board",),
    "mat": ("placemat",),
    "bin": ("bin",),
    "flask": ("flask",),
    "microwave": ("microwave",),
    "fridge": ("fridge", "fridge_door"),
    "(table|desk)": ("table",),
}
_RECEPTACLES = ("plate", "vase", "pan", "(cutting )?board", "mat")


def ranked(things: Sequence[Thing], side: str) -> list[Thing]:
    """Return things in order from a side."""
    return sorted(things, key=_ALONG[side])


def clear(things: Sequence[Thing], side: str) -> bool:
    """Return whether neighbours along the line are apart."""
    values = [_ALONG[side](thing) for thing in ranked(things, side)]
    return all(b - a > APART for a, b in pairwise(values))


def counted(text: str, things: Sequence[Thing]) -> list[Thing] | None:
    """Return what ``the second … from the left (on the upper shelf)`` means, or None where nothing is counted."""
    side = re.search(r"\bfrom the (left|right|near|far)\b", text)
    n = ordinal(text)
    if side is None or n is None:
        return None
    on = on_layer(text, things)
    if n > len(on):
        return []
    row = ranked(on, side[1])
    return [row[n - 1]] if clear(on, side[1]) else row


def on_layer(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Return the things on the shelf or layer that is named (upper, top, lower, bottom), or all."""
    layer = re.search(r"\b(upper|top|lower|bottom) (shelf|layer)\b", text)
    if layer is None:
        return list(things)
    heights = [thing.at[2] for thing in things]
    middle = (min(heights) + max(heights)) / 2
    high = layer[1] in ("upper", "top")
    return [thing for thing in things if (thing.at[2] > middle) == high]


def beside(text: str, things: Sequence[Thing], names: Callable[[str], list[Thing]]) -> list[Thing] | None:
    """Return what ``the peach left of the grape`` means: the peaches on that side of every grape that is there."""
    found = re.search(r"(.*?)\b(?:to the |that is |on the )?(left|right) of the (\w[\w -]*?)(?: on the | and |$)", text)
    if found is None:
        return None
    anchors = names(found[3])
    sign = 1 if found[2] == "left" else -1
    return [
        thing
        for thing in names(found[1])
        if thing not in anchors and all(sign * (thing.at[1] - anchor.at[1]) > APART for anchor in anchors)
    ]


def picked(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Return the things of a kind that an adjective of place leaves: leftmost, middle, nearest, the left vase."""
    for words, side in (
        ("left(most)?", "left"),
        ("right(most)?", "right"),
        ("near(est)?", "near"),
        ("far(thest)?", "far"),
    ):
        if said(text, rf"\b(the )?{words} (gift box|box|vase)"):
            return ranked(things, side)[:1] if clear(things, side) else list(things)
    if said(text, r"\bmiddle (gift )?box"):
        return ranked(things, "left")[1:2] if len(things) == 3 and clear(things, "left") else list(things)
    return list(things)


def destinations(text: str, scene: Scene) -> list[str]:
    """Return the places that the text sends things to, as far as they stand in the scene."""
    to = rf"\b(on|onto|into|in|to) (the|your|my) ((?!{'|'.join(ORDINALS)})[\w-]+ ){{0,2}}?"
    # Where nothing is sent anywhere, a place that is spoken of is meant: "The vase is still empty. Put it in."
    for before, names in ((to, _PLACES), (r"\b(the|my) ", _RECEPTACLES)):
        for words in names:
            places = scene.of(*_PLACES[words])
            if places and said(text, rf"{before}{words}\b"):
                return [thing.name for thing in picked(text, places)]
    return []


def doors(text: str, scene: Scene) -> list[Wish]:
    """Return what is said about doors and lids: closed at the end."""
    shut = said(text, r"\b(shut|close[sd]?|closed)\b", r"not leave the door open", r"mind the door", r"lid .*down")
    names = {"fridge_door": "door", "giftbox_lid": "lid"}
    return [wish(f"{thing.name}/{names[thing.category]}", "closed") for thing in scene.of(*names) if shut]
