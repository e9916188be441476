"""Draw the marks: an outline just outside each thing, a number on a plate beside it, a thin line between the two.

No pixel of a plate or line lies on anything that has a mark; an outline lies on nothing but the background and what
carries the thing (a plate under an apple). Both are checked on every picture, by pixels, after it was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from proctor.core import ProctorError

from ._canvas import MARGIN, Canvas, Mask, Pixel
from ._layout import MarkLayout, Tag
from ._things import Thing

MIN_PIXELS = 40
DIGIT_PX = 16
OUTLINE_PX, HALO_PX = 2, 1
PLATE_WHITE = 0.7
COLOURS = (
    (230, 25, 75),
    (255, 225, 25),
    (0, 130, 255),
    (60, 200, 75),
    (245, 130, 48),
    (200, 60, 240),
    (70, 240, 240),
    (240, 50, 230),
    (190, 255, 60),
    (255, 150, 180),
    (0, 190, 160),
    (255, 255, 255),
)
_DARK = (20, 20, 20)


class MarkError(ProctorError):
    """A mark would cover something: a defect of this code, not of the user."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A picture with marks; larger than the clean one by its ``margin`` (top, left) if a number had to go there.

    ``numbers`` are those that this view shows; ``drawn`` are the pixels of plates and leaders, ``outlined`` those of
    outlines, both in the marked picture. ``tags`` are the plates, placed as if the margin were there, and
    ``tag_numbers`` what they say.
    """

    picture: NDArray[np.uint8]
    margin: int
    numbers: tuple[int, ...]
    drawn: Mask
    outlined: Mask
    tags: tuple[Tag, ...]
    tag_numbers: tuple[int, ...]


def draw_marks(
    picture: NDArray[np.uint8],
    ids: NDArray[np.int32],
    things: Sequence[Thing],
    numbers: Mapping[str, int],
    points: Mapping[str, Pixel | None],
) -> Marked:
    """Return ``picture`` with the marks of all ``things`` in it. ``ids`` tells the geom of each pixel."""
    canvas = Canvas(ids, things)
    shown = [thing for thing in things if thing.name in numbers and _target(canvas, thing, points) is not None]
    carries = {thing.name: thing.carries for thing in things if thing.geoms}
    outlines = {thing.name: _rings(canvas, thing, carries) for thing in shown if thing.geoms}
    every = np.zeros_like(canvas.covered)
    for colour_ring, halo in outlines.values():
        every |= colour_ring | halo
    layout = MarkLayout(canvas, every)
    tags: dict[str, Tag] = {}
    for thing in sorted(shown, key=lambda thing: (not thing.geoms, _area(canvas, thing))):
        mask = _target(canvas, thing, points)
        assert mask is not None
        tag = layout.place(mask, plate_size(numbers[thing.name]), thing.name if thing.geoms else None)
        if tag is not None:
            tags[thing.name] = tag
    big = np.pad(picture, ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0)), constant_values=255)
    for name, (ring, halo) in outlines.items():
        big[halo] = _DARK
        big[ring] = colour_of(numbers[name])
    for name, tag in tags.items():
        _draw_tag(big, tag, numbers[name])
    _check(canvas, layout, outlines, carries)
    said = tuple(numbers[name] for name in tags)
    return _cropped(big, layout, every, tuple(tags.values()), said)


def colour_of(number: int) -> tuple[int, int, int]:
    return COLOURS[(number - 1) % len(COLOURS)]


def plate_size(number: int) -> tuple[int, int]:
    """Return height and width of the plate of a number."""
    left, top, right, bottom = _font().getbbox(str(number))
    return int(bottom - top) + 6, int(right - left) + 8


@cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own font in the size in which digits are `DIGIT_PX` high."""
    for size in range(12, 40):
        font = ImageFont.load_default(size)
        _, top, _, bottom = font.getbbox("8")
        if bottom - top >= DIGIT_PX:
            return font
    raise ProctorError("Pillow has no scalable font: install Pillow with FreeType")


def _target(canvas: Canvas, thing: Thing, points: Mapping[str, Pixel | None]) -> Mask | None:
    """Return the pixels that a mark is for: the thing's own, or a dot where its point is; None if there are too few."""
    if thing.geoms:
        mask = canvas.masks[thing.name]
        return mask if int(mask.sum()) >= MIN_PIXELS else None
    point = points.get(thing.name)
    if point is None or int(canvas.masks[thing.entity].sum()) < MIN_PIXELS:
        return None
    dot = np.zeros_like(canvas.covered)
    dot[point[0] + MARGIN - 1 : point[0] + MARGIN + 2, point[1] + MARGIN - 1 : point[1] + MARGIN + 2] = True
    return dot


def _area(canvas: Canvas, thing: Thing) -> int:
    return int(canvas.masks[thing.name].sum()) if thing.geoms else 0


def _rings(canvas: Canvas, thing: Thing, carries: Mapping[str, bool]) -> tuple[Mask, Mask]:
    """Return the coloured ring and the dark halo around it."""
    mask = canvas.masks[thing.name]
    over = {name: allowed and name != thing.name for name, allowed in carries.items()}
    ring = canvas.outline(mask, over, OUTLINE_PX)
    wide = canvas.outline(mask, over, OUTLINE_PX + HALO_PX)
    return ring, wide & ~ring


def _draw_tag(big: NDArray[np.uint8], tag: Tag, number: int) -> None:
    colour = colour_of(number)
    big[tag.leader] = colour
    box = (slice(tag.top, tag.top + tag.height), slice(tag.left, tag.left + tag.width))
    plate = big[box].astype(np.float64) * (1.0 - PLATE_WHITE) + 255.0 * PLATE_WHITE
    image = Image.fromarray(plate.astype(np.uint8))
    left, top, _, _ = _font().getbbox(str(number))
    pen = ImageDraw.Draw(image)
    pen.text((4 - left, 3 - top), str(number), fill=(0, 0, 0), font=_font())
    pen.rectangle((0, 0, tag.width - 1, tag.height - 1), outline=colour)
    big[box] = np.asarray(image)


def _check(
    canvas: Canvas, layout: MarkLayout, outlines: Mapping[str, tuple[Mask, Mask]], carries: Mapping[str, bool]
) -> None:
    """Assert by pixels that nothing is covered."""
    drawn = layout.plates | layout.leaders
    for name, mask in canvas.masks.items():
        if (drawn & mask).any():
            raise MarkError(f"a number or line covers {name}")
        if not carries[name] and any(((ring | halo) & mask).any() for ring, halo in outlines.values()):
            raise MarkError(f"an outline covers {name}")
        if name in outlines and ((outlines[name][0] | outlines[name][1]) & mask).any():
            raise MarkError(f"the outline of {name} covers it")


def _cropped(
    big: NDArray[np.uint8], layout: MarkLayout, outlined: Mask, tags: tuple[Tag, ...], said: tuple[int, ...]
) -> Marked:
    numbers = tuple(sorted(said))
    drawn = layout.plates | layout.leaders
    inner = np.zeros_like(drawn)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    if (drawn & ~inner).any():
        return Marked(big, MARGIN, numbers, drawn, outlined, tags, said)
    crop = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
    return Marked(np.ascontiguousarray(big[crop]), 0, numbers, drawn[crop], outlined[crop], tags, said)
