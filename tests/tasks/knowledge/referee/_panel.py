"""A panel with nails: the loose one to be driven in, the one in a corner to hang a picture on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ._answer import Answer, Wish, answer, wish
from ._cues import meant
from ._scene import Scene, Thing
from ._text import said

# A nail that stands out this much farther than one that is in is loose (m).
_LOOSE_M = 0.01


def read_panel(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about nails and pictures."""
    (panel,) = scene.of("panel")
    if said(text, r"\bhang\b", r"\bpicture goes on\b"):
        pictures = _pictures(text, scene.of("picture_frame"))
        return [_hung(picture, nail, panel) for picture in pictures for nail in _asked(text, panel)]
    return [answer(*_built(scene), wish(f"{panel.name}/{nail}", "driven")) for nail in _loose(panel)]


def _hung(picture: Thing, nail: str, panel: Thing) -> Answer:
    """Return that a picture hangs on a nail; a loose nail does not hold it and has to be driven in."""
    place = f"{panel.name}/{nail}"
    driven = [wish(place, "driven")] if nail in _loose(panel) else []
    return answer(wish(picture.name, place), *driven)


def _built(scene: Scene) -> list[Wish]:
    """Return that the handle of a hammer in parts is put into its head; nothing else drives a nail."""
    parts = {part.look("part"): part.name for part in scene.of("hammer_parts")}
    return [wish(parts["handle"], parts["head"])] if parts.keys() == {"handle", "head"} else []


def _loose(panel: Thing) -> list[str]:
    return [name for name, at in panel.sites.items() if at[0] < -_LOOSE_M]


def _asked(text: str, panel: Thing) -> list[str]:
    """Return the nail in the corner that is named; left is +y."""
    corner = re.search(r"\b(upper|lower) (left|right) nail", text)
    if corner is None:
        return list(panel.sites)
    heights = [at[2] for at in panel.sites.values()]
    middle = (min(heights) + max(heights)) / 2
    up, left = corner[1] == "upper", corner[2] == "left"
    return [name for name, at in panel.sites.items() if (at[2] > middle) == up and (at[1] > 0) == left]


def _pictures(text: str, pictures: Sequence[Thing]) -> list[Thing]:
    styles = meant(text, "painting")
    return [picture for picture in pictures if styles is None or picture.look("style") in styles]
