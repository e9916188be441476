"""Playing cards (63 x 88 mm, 2 mm thick so that a jaw can hold one) and the leaning slots they stand in.

Pips, ranks and back patterns are our own drawings. A card stands upright with its face towards -x. Slots are holes: a
card in one has the hole's frame, leaning back by `LEAN_RAD`; slot 1 is the leftmost one seen from the robot (+y).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._colliders import about_y, times, vec3
from .._mesh import rotation
from .._model import IDENTITY, Quat, Vec3
from ._print import CHALK, Rgb, canvas, font

WIDE_M, HIGH_M, THICK_M = 0.063, 0.088, 0.002

RED, BLACK = (196, 24, 36), (22, 22, 26)

PX_PER_MM = 8

LEAN_RAD = math.radians(18)

PITCH_M, GAP_M, DEPTH_M, FLOOR_M = 0.075, 0.004, 0.020, 0.005

BACK_HIGH_M, FRONT_HIGH_M, FLARE_M, WALL_M = 0.040, 0.012, 0.008, 0.004

FLARE_RAD = math.radians(32)

# Columns and rows of pips as shares of the field between the indices, for the number cards.
_COLUMNS = {"l": 0.0, "m": 0.5, "r": 1.0}

_PIPS: dict[str, str] = {
    "2": "m0 m6", "3": "m0 m3 m6", "4": "l0 r0 l6 r6", "5": "l0 r0 m3 l6 r6", "6": "l0 r0 l3 r3 l6 r6",
    "7": "l0 r0 m1.5 l3 r3 l6 r6", "8": "l0 r0 m1.5 l3 r3 m4.5 l6 r6", "9": "l0 r0 l2 r2 m3 l4 r4 l6 r6",
    "10": "l0 r0 m1 l2 r2 l4 r4 m5 l6 r6",
}  # fmt: skip


def draw_suit(pen: Any, suit: str, x: float, y: float, size: float, ink: Rgb, *, upside_down: bool = False) -> None:
    """Draw a suit's sign in a square of side ``size`` about (x, y)."""
    flip = -1.0 if upside_down else 1.0
    r = size / 2

    def at(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x + r * a, y + flip * r * b) for a, b in points]

    def disc(a: float, b: float, radius: float) -> None:
        cx, cy, rr = x + r * a, y + flip * r * b, r * radius
        pen.ellipse((cx - rr, cy - rr, cx + rr, cy + rr), ink)

    if suit == "diamonds":
        pen.polygon(at([(0, -1), (0.74, 0), (0, 1), (-0.74, 0)]), ink)
    elif suit == "hearts":
        disc(-0.43, -0.38, 0.47)
        disc(0.43, -0.38, 0.47)
        pen.polygon(at([(-0.86, -0.18), (0, -0.30), (0.86, -0.18), (0, 1)]), ink)
    elif suit == "spades":
        disc(-0.41, 0.22, 0.45)
        disc(0.41, 0.22, 0.45)
        pen.polygon(at([(-0.83, 0.04), (0, -1), (0.83, 0.04), (0, 0.32)]), ink)
        pen.polygon(at([(0, 0.1), (0.36, 1), (-0.36, 1)]), ink)
    else:
        disc(0, -0.50, 0.43)
        disc(-0.50, 0.22, 0.43)
        disc(0.50, 0.22, 0.43)
        pen.polygon(at([(0, -0.2), (0.36, 1), (-0.36, 1)]), ink)


def face_picture(rank: str, suit: str) -> Any:
    """Return the face of a card: index in two corners, and its pips, or a large letter for ace and court cards."""
    wide, high = round(1000 * WIDE_M * PX_PER_MM), round(1000 * HIGH_M * PX_PER_MM)
    ink = RED if suit in ("hearts", "diamonds") else BLACK
    image, pen = canvas(wide, high)
    pen.rounded_rectangle((2, 2, wide - 3, high - 3), 28, outline=(176, 172, 164), width=3)
    corner, _ = canvas(136, 276)
    _index(corner, rank, suit, ink)
    image.paste(corner, (10, 14))
    image.paste(corner.rotate(180), (wide - 146, high - 290))
    if rank in _PIPS:
        left, top, field_x, field_y = 0.375 * wide, 0.145 * high, 0.25 * wide, 0.71 * high
        for spot in _PIPS[rank].split():
            row = float(spot[1:]) / 6
            draw_suit(
                pen, suit, left + _COLUMNS[spot[0]] * field_x, top + row * field_y, 84, ink, upside_down=row > 0.5
            )
    elif rank == "A":
        draw_suit(pen, suit, wide / 2, high / 2, 270, ink)
    else:
        pen.rounded_rectangle((0.27 * wide, 0.13 * high, 0.73 * wide, 0.87 * high), 18, outline=ink, width=6)
        pen.text((wide / 2, 0.40 * high), rank, ink, font(270), "mm", stroke_width=10, stroke_fill=ink)
        draw_suit(pen, suit, wide / 2, 0.70 * high, 150, ink)
    return image


def _index(image: Any, rank: str, suit: str, ink: Rgb) -> None:
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image)
    pen.text((68, 76), rank, ink, font(156 if rank != "10" else 112), "mm", stroke_width=8, stroke_fill=ink)
    draw_suit(pen, suit, 68, 208, 112, ink)


def _back_picture(rng: np.random.Generator, back: str) -> Any:
    wide, high = round(1000 * WIDE_M * PX_PER_MM), round(1000 * HIGH_M * PX_PER_MM)
    tone = {"blue": (34, 70, 150), "red": (160, 32, 40), "green": (24, 110, 66), "purple": (96, 46, 130)}[back]
    light = tuple(round(0.45 * c + 0.55 * 255) for c in tone)
    image, pen = canvas(wide, high)
    pen.rectangle((24, 24, wide - 25, high - 25), tone)
    step = int(rng.integers(30, 52))
    for k in range(-high, wide + high, step):
        pen.line((k, 24, k + high, high - 25), light, 5)
        pen.line((k, high - 25, k + high, 24), light, 5)
    pen.rectangle((0, 0, wide, 23), CHALK)
    pen.rectangle((0, high - 24, wide, high), CHALK)
    pen.rectangle((0, 0, 23, high), CHALK)
    pen.rectangle((wide - 24, 0, wide, high), CHALK)
    return image


def _walls(count: int, long: float) -> list[tuple[Vec3, Vec3, Quat, str]]:
    """Boxes of a holder as (half, centre, rotation, part): foot, two leaning walls with flares, dividers."""
    tilt, up = about_y(LEAN_RAD), rotation(about_y(LEAN_RAD))
    floor = np.array([0.0, 0.0, FLOOR_M])
    out: list[tuple[Vec3, Vec3, Quat, str]] = [
        ((0.030, long, FLOOR_M / 2), (0.004, 0.0, FLOOR_M / 2), IDENTITY, "foot")
    ]
    for side, high, part in ((-1.0, FRONT_HIGH_M, "front"), (1.0, BACK_HIGH_M, "back")):
        inner = side * GAP_M / 2
        centre = floor + up @ (inner + side * WALL_M / 2, 0.0, high / 2 - 0.001)
        out.append(((WALL_M / 2, long, high / 2 + 0.001), vec3(centre), tilt, part))
        lean = times(tilt, about_y(side * FLARE_RAD))
        edge = np.array([inner, 0.0, high])
        along = rotation(about_y(side * FLARE_RAD)) @ (side * WALL_M / 2, 0.0, FLARE_M / 2)
        out.append(((WALL_M / 2, long, FLARE_M / 2), vec3(floor + up @ (edge + along)), lean, part))
    for k in range(count + 1):
        y = (count / 2 - k) * PITCH_M
        centre = floor + up @ (0.0, 0.0, FRONT_HIGH_M / 2)
        out.append(((GAP_M / 2 + 0.001, 0.0025, FRONT_HIGH_M / 2), (centre[0], y, centre[2]), tilt, "divider"))
    return out
