"""Mahjong tiles: 36 x 50 x 26 mm, standing on their short side with the face towards -x; all 34 kinds.

The spec has 26 x 36 x 20 mm; more makes them readable from the robot's side in small pictures.

Glyphs are our own: characters are a numeral over a red brush mark, circles are discs, bamboo are sticks, winds are
letters with a compass needle, dragons are a red square, a green square and an empty frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ._print import Box, Rgb, canvas, font

RED, GREEN, BLUE, BLACK = (190, 28, 32), (18, 116, 60), (26, 62, 148), (26, 26, 30)

_WIDE, _HIGH = 368, 526
"""Pixels of a face."""


def face_picture(kind: str, ground: Rgb) -> Any:
    image, pen = canvas(_WIDE, _HIGH, ground)
    if kind[-1] == "m":
        _characters(pen, int(kind[0]))
    elif kind[-1] == "p":
        _circles(pen, int(kind[0]), ground)
    elif kind[-1] == "s":
        _bamboo(pen, int(kind[0]))
    elif kind in "ESWN":
        _wind(pen, kind)
    else:
        _dragon(pen, kind, ground)
    return image


def _characters(pen: Any, number: int) -> None:
    pen.text((_WIDE / 2, 0.30 * _HIGH), str(number), BLUE, font(290), "mm", stroke_width=16, stroke_fill=BLUE)
    y = 0.62 * _HIGH
    for row, half in ((0.0, 120), (0.11, 88), (0.22, 120)):
        pen.rounded_rectangle((_WIDE / 2 - half, y + row * _HIGH - 13, _WIDE / 2 + half, y + row * _HIGH + 13), 12, RED)
    pen.rounded_rectangle((_WIDE / 2 - 14, 0.57 * _HIGH, _WIDE / 2 + 14, 0.93 * _HIGH), 12, RED)


def _grid(number: int) -> Iterator[tuple[float, float]]:
    """Yield where ``number`` signs stand, as shares of the face: rows of two or three, as on dice and dominoes."""
    rows = {
        1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (3, 2, 2), 8: (2, 2, 2, 2),
        9: (3, 3, 3),
    }[number]  # fmt: skip
    for row, count in enumerate(rows):
        y = (row + 0.5) / len(rows)
        apart = 0.31 if count == 3 else 0.42
        for column in range(count):
            yield 0.5 + apart * (column - (count - 1) / 2), y


def _circles(pen: Any, number: int, ground: Rgb) -> None:
    radius = {1: 120, 2: 78, 3: 60, 4: 66, 5: 54, 6: 56, 7: 48, 8: 46, 9: 48}[number]
    inks = (BLUE, RED, GREEN)
    for k, (u, v) in enumerate(_grid(number)):
        x, y = u * _WIDE, 20 + v * (_HIGH - 40)
        for share, ink in ((1.0, inks[k % 3]), (0.68, ground), (0.42, inks[(k + 1) % 3])):
            r = radius * share
            pen.ellipse((x - r, y - r, x + r, y + r), ink)


def _bamboo(pen: Any, number: int) -> None:
    rows = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 3, 8: 4, 9: 3}[number]
    high, wide = 0.86 * (_HIGH - 40) / rows, {1: 44, 2: 38}.get(number, 32)
    for k, (u, v) in enumerate(_grid(number)):
        x, y = u * _WIDE, 20 + v * (_HIGH - 40)
        ink = RED if number in (1, 5, 7, 9) and k == (number // 2 if number != 7 else 1) else GREEN
        pen.rounded_rectangle((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), wide / 2, ink)
        for share in (-0.36, 0.0, 0.36):
            at = y + share * high
            pen.rounded_rectangle((x - 0.78 * wide, at - 7, x + 0.78 * wide, at + 7), 7, ink)


def _wind(pen: Any, kind: str) -> None:
    pen.text((_WIDE / 2, 0.36 * _HIGH), kind, BLACK, font(270), "mm", stroke_width=14, stroke_fill=BLACK)
    x, y, r = _WIDE / 2, 0.80 * _HIGH, 74
    pen.ellipse((x - r, y - r, x + r, y + r), outline=BLACK, width=9)
    angle = {"E": 0.0, "S": 90.0, "W": 180.0, "N": 270.0}[kind]
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    pen.polygon([(x + 62 * c, y + 62 * s), (x - 26 * s - 40 * c, y + 26 * c - 40 * s),
                 (x + 26 * s - 40 * c, y - 26 * c - 40 * s)], RED)  # fmt: skip


def _dragon(pen: Any, kind: str, ground: Rgb) -> None:
    frame: Box = (46, 0.17 * _HIGH, _WIDE - 46, 0.83 * _HIGH)
    if kind == "B":
        pen.rounded_rectangle(frame, 30, outline=BLUE, width=26)
        return
    pen.rounded_rectangle(frame, 30, RED if kind == "C" else GREEN)
    pen.rounded_rectangle((96, 0.28 * _HIGH, _WIDE - 96, 0.72 * _HIGH), 16, outline=ground, width=14)
