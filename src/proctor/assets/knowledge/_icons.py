"""Small drawings for labels: each is called with a PIL pen, a centre and half a size in pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

Icon: TypeAlias = Callable[[Any, float, float, float], None]
__all__ = ["Icon", "icon", "star"]
LEAF = (74, 138, 48)
DARK = (60, 36, 22)


def disc(pen: Any, x: float, y: float, r: float, colour: Any, outline: Any = None, width: int = 0) -> None:
    pen.ellipse((x - r, y - r, x + r, y + r), colour, outline, width)


def _oval(pen: Any, x: float, y: float, a: float, b: float, turn_deg: float, colour: Any) -> None:
    """Filled ellipse with half axes a, b, turned."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    rim = [2 * math.pi * k / 24 for k in range(24)]
    pen.polygon(
        [(x + a * math.cos(t) * c - b * math.sin(t) * s, y + a * math.cos(t) * s + b * math.sin(t) * c) for t in rim],
        colour,
    )


def bubbles(pen: Any, x: float, y: float, s: float) -> None:
    """Rising bubbles."""
    for dx, dy, r in (
        (-0.45, 0.5, 0.30),
        (0.35, 0.62, 0.24),
        (0.05, 0.0, 0.34),
        (-0.5, -0.45, 0.2),
        (0.5, -0.3, 0.26),
        (0.05, -0.75, 0.18),
    ):
        disc(pen, x + dx * s, y + dy * s, r * s, (255, 255, 255), (140, 180, 210), max(1, round(0.06 * s)))


def _slice(rind: tuple[int, int, int], flesh: tuple[int, int, int]) -> Icon:
    def draw(pen: Any, x: float, y: float, s: float) -> None:
        """Cut through a citrus fruit."""
        disc(pen, x, y, s, rind)
        disc(pen, x, y, 0.86 * s, (255, 250, 228))
        for k in range(8):
            a = 45 * k
            pen.pieslice((x - 0.78 * s, y - 0.78 * s, x + 0.78 * s, y + 0.78 * s), a + 4, a + 41, flesh)

    return draw


def tomato(pen: Any, x: float, y: float, s: float) -> None:
    """Red fruit with a green star."""
    _oval(pen, x, y + 0.1 * s, s, 0.88 * s, 0, (206, 36, 26))
    star = []
    for k in range(10):
        r, a = (0.5 if k % 2 == 0 else 0.16) * s, math.pi * k / 5 - math.pi / 2
        star.append((x + r * math.cos(a), y - 0.58 * s + 0.55 * r * math.sin(a)))
    pen.polygon(star, LEAF)


def _drop(colour: tuple[int, int, int], outline: tuple[int, int, int]) -> Icon:
    def draw(pen: Any, x: float, y: float, s: float) -> None:
        for grow, paint in ((1.0, outline), (0.84, colour)):
            r = 0.62 * s * grow
            cy = y + 0.34 * s
            pen.polygon([(x, cy - 1.34 * s * grow), (x - 0.86 * r, cy - 0.5 * r), (x + 0.86 * r, cy - 0.5 * r)], paint)
            disc(pen, x, cy, r, paint)
        disc(pen, x - 0.22 * s, y + 0.42 * s, 0.12 * s, (255, 255, 255))

    return draw


water = _drop((64, 150, 222), (30, 96, 170))
milk = _drop((255, 255, 255), (70, 110, 170))
acid = _drop((150, 74, 44), (96, 40, 24))


def fizz(pen: Any, x: float, y: float, s: float) -> None:
    water(pen, x - 0.3 * s, y, 0.85 * s)
    for dx, dy, r in ((0.62, -0.55, 0.2), (0.75, 0.05, 0.27), (0.5, 0.65, 0.22)):
        disc(pen, x + dx * s, y + dy * s, r * s, (255, 255, 255), (64, 150, 222), max(1, round(0.07 * s)))


def bean(pen: Any, x: float, y: float, s: float) -> None:
    _oval(pen, x, y, s, 0.68 * s, -35, (92, 52, 28))
    points = [
        (x + (t - 0.5) * 1.5 * s, y - (t - 0.5) * 1.05 * s + 0.16 * s * math.sin(2 * math.pi * t))
        for t in [k / 12 for k in range(13)]
    ]
    pen.line(points, (36, 18, 8), max(2, round(0.14 * s)), joint="curve")


def bolt(pen: Any, x: float, y: float, s: float) -> None:
    shape = [(0.25, -1.0), (-0.55, 0.12), (-0.08, 0.12), (-0.3, 1.0), (0.6, -0.25), (0.1, -0.25), (0.5, -1.0)]
    pen.polygon([(x + u * s, y + v * s) for u, v in shape], (255, 220, 30), (30, 30, 30), max(1, round(0.07 * s)))


def beer(pen: Any, x: float, y: float, s: float) -> None:
    pen.rounded_rectangle(
        (x + 0.35 * s, y - 0.25 * s, x + 0.95 * s, y + 0.65 * s), 0.2 * s, None, (214, 150, 30), max(2, round(0.16 * s))
    )
    pen.rounded_rectangle((x - 0.7 * s, y - 0.55 * s, x + 0.5 * s, y + s), 0.12 * s, (232, 164, 32))
    for dx in (-0.5, -0.1, 0.3):
        disc(pen, x + dx * s, y - 0.6 * s, 0.3 * s, (255, 252, 240))


def wine(pen: Any, x: float, y: float, s: float) -> None:
    pen.pieslice((x - 0.62 * s, y - 1.3 * s, x + 0.62 * s, y + 0.3 * s), 0, 180, (122, 16, 40))
    pen.line((x, y + 0.25 * s, x, y + 0.9 * s), (90, 90, 96), max(2, round(0.12 * s)))
    pen.line((x - 0.45 * s, y + 0.95 * s, x + 0.45 * s, y + 0.95 * s), (90, 90, 96), max(2, round(0.14 * s)))
    pen.arc((x - 0.62 * s, y - 1.3 * s, x + 0.62 * s, y + 0.3 * s), -20, 200, (90, 90, 96), max(1, round(0.07 * s)))


def grapes(pen: Any, x: float, y: float, s: float) -> None:
    r = 0.3 * s
    for row, count in enumerate((3, 2, 1)):
        for k in range(count):
            disc(
                pen,
                x + (k - (count - 1) / 2) * 1.85 * r,
                y - 0.25 * s + 1.55 * r * row,
                r,
                (92, 40, 122),
                (60, 22, 84),
                max(1, round(0.05 * s)),
            )
    pen.line((x, y - 0.5 * s, x + 0.1 * s, y - 0.95 * s), DARK, max(2, round(0.1 * s)))
    _oval(pen, x + 0.5 * s, y - 0.72 * s, 0.4 * s, 0.2 * s, -20, LEAF)


def dumbbell(pen: Any, x: float, y: float, s: float) -> None:
    pen.rectangle((x - 0.6 * s, y - 0.13 * s, x + 0.6 * s, y + 0.13 * s), (40, 44, 52))
    for side in (-1, 1):
        for at, high in ((0.55, 0.7), (0.82, 0.45)):
            cx = x + side * at * s
            pen.rounded_rectangle((cx - 0.13 * s, y - high * s, cx + 0.13 * s, y + high * s), 0.08 * s, (40, 44, 52))


def spoon(pen: Any, x: float, y: float, s: float) -> None:
    pen.line((x - 0.1 * s, y + 0.1 * s, x - 0.8 * s, y + 0.9 * s), (120, 124, 134), max(3, round(0.18 * s)))
    _oval(pen, x + 0.25 * s, y - 0.25 * s, 0.72 * s, 0.5 * s, -45, (120, 124, 134))
    _oval(pen, x + 0.25 * s, y - 0.28 * s, 0.56 * s, 0.36 * s, -45, (255, 238, 244))


def crystals(pen: Any, x: float, y: float, s: float) -> None:
    """Cubes of salt."""
    for dx, dy, r in ((-0.45, 0.3, 0.42), (0.45, 0.4, 0.34), (0.05, -0.4, 0.4)):
        cx, cy = x + dx * s, y + dy * s
        pen.polygon(
            [(cx, cy - r * s), (cx + r * s, cy), (cx, cy + r * s), (cx - r * s, cy)],
            (255, 255, 255),
            (70, 90, 120),
            max(1, round(0.07 * s)),
        )


def lump(pen: Any, x: float, y: float, s: float) -> None:
    a, b = 0.8 * s, 0.42 * s
    faces = (
        ((0, -2 * b), (a, -b), (0, 0), (-a, -b), (255, 255, 255)),
        ((-a, -b), (0, 0), (0, 2 * b), (-a, b), (224, 224, 232)),
        ((a, -b), (0, 0), (0, 2 * b), (a, b), (196, 198, 210)),
    )
    for p, q, r, t, colour in faces:
        pen.polygon([(x + u, y + v) for u, v in (p, q, r, t)], colour, (110, 114, 130), max(1, round(0.05 * s)))


def chilli(pen: Any, x: float, y: float, s: float) -> None:
    points = [
        (-0.55, -0.6),
        (-0.2, -0.7),
        (0.1, -0.35),
        (0.35, 0.1),
        (0.62, 0.5),
        (0.98, 0.85),
        (0.45, 0.72),
        (0.0, 0.45),
        (-0.35, 0.05),
        (-0.6, -0.3),
    ]
    pen.polygon([(x + u * s, y + v * s) for u, v in points], (214, 24, 20))
    pen.line(
        [(x - 0.42 * s, y - 0.6 * s), (x - 0.5 * s, y - 0.85 * s), (x - 0.28 * s, y - 1.0 * s)],
        LEAF,
        max(3, round(0.2 * s)),
        joint="curve",
    )


def soy(pen: Any, x: float, y: float, s: float) -> None:
    """Pod of soy beans."""
    _oval(pen, x, y, s, 0.46 * s, -30, (122, 158, 62))
    for t in (-0.55, 0.0, 0.55):
        disc(pen, x + t * 0.87 * s, y - t * 0.5 * s, 0.27 * s, (176, 204, 104))


def blossom(pen: Any, x: float, y: float, s: float) -> None:
    for dx, dy in ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)):
        disc(pen, x + dx * s, y + dy * s, 0.44 * s, (250, 208, 20), (190, 140, 10), max(1, round(0.05 * s)))
    disc(pen, x, y, 0.22 * s, (120, 140, 40))


def comb(pen: Any, x: float, y: float, s: float) -> None:
    for dx, dy in ((0, 0), (0.87, 0.5), (-0.87, 0.5), (0.0, -1.0), (0.0, 1.0), (0.87, -0.5), (-0.87, -0.5)):
        r, cx, cy = 0.38 * s, x + 0.62 * dx * s, y + 0.62 * dy * s
        cell = [(cx + r * math.cos(math.pi * k / 3), cy + r * math.sin(math.pi * k / 3)) for k in range(6)]
        pen.polygon(cell, (244, 176, 36), (150, 88, 8), max(1, round(0.06 * s)))


def corns(pen: Any, x: float, y: float, s: float) -> None:
    for dx, dy in ((-0.55, -0.1), (0.0, -0.5), (0.5, -0.15), (-0.2, 0.35), (0.4, 0.5), (-0.7, 0.6)):
        disc(pen, x + dx * s, y + dy * s, 0.27 * s, (42, 36, 34), (110, 100, 94), max(1, round(0.05 * s)))


def olive(pen: Any, x: float, y: float, s: float) -> None:
    _oval(pen, x - 0.1 * s, y + 0.25 * s, 0.72 * s, 0.55 * s, -25, (106, 122, 40))
    disc(pen, x + 0.35 * s, y + 0.1 * s, 0.13 * s, (190, 40, 30))
    _oval(pen, x + 0.35 * s, y - 0.62 * s, 0.62 * s, 0.2 * s, -25, LEAF)


def egg(pen: Any, x: float, y: float, s: float) -> None:
    _oval(pen, x, y, s, 0.8 * s, 10, (255, 255, 255))
    disc(pen, x + 0.1 * s, y, 0.4 * s, (250, 186, 30))


def wheat(pen: Any, x: float, y: float, s: float) -> None:
    pen.line((x, y + s, x, y - 0.5 * s), (178, 130, 40), max(2, round(0.1 * s)))
    for k in range(4):
        for side in (-1, 1):
            _oval(pen, x + side * 0.28 * s, y - 0.6 * s + 0.36 * k * s, 0.34 * s, 0.15 * s, side * -50, (226, 176, 64))


def star(pen: Any, x: float, y: float, s: float) -> None:
    points = [((1.0 if k % 2 == 0 else 0.42) * s, math.pi * k / 5 - math.pi / 2) for k in range(10)]
    pen.polygon([(x + r * math.cos(a), y + r * math.sin(a)) for r, a in points], (250, 204, 40))


orange = _slice((240, 140, 20), (248, 160, 40))
lemon = _slice((240, 210, 30), (250, 226, 80))


def crisp(pen: Any, x: float, y: float, s: float) -> None:
    """Two crisps, one over the other."""
    for dx, dy, turn in ((-0.26, 0.16, 30.0), (0.22, -0.12, -24.0)):
        _oval(pen, x + dx * s, y + dy * s, 0.70 * s, 0.50 * s, turn, (214, 150, 40))
        _oval(pen, x + dx * s, y + dy * s, 0.60 * s, 0.40 * s, turn, (248, 204, 92))


def nut(pen: Any, x: float, y: float, s: float) -> None:
    """A peanut in its shell."""
    for dx in (-0.36, 0.36):
        disc(pen, x + dx * s, y, 0.50 * s, (196, 140, 74))
    pen.rectangle((x - 0.4 * s, y - 0.34 * s, x + 0.4 * s, y + 0.34 * s), (196, 140, 74))
    for k in range(-3, 4):
        pen.line((x + 0.22 * k * s, y - 0.30 * s, x + 0.22 * k * s, y + 0.30 * s), (150, 98, 44), max(1, int(0.05 * s)))


def biscuit(pen: Any, x: float, y: float, s: float) -> None:
    """A round biscuit with drops of chocolate."""
    disc(pen, x, y, 0.92 * s, (176, 116, 56))
    disc(pen, x, y, 0.82 * s, (224, 168, 96))
    for dx, dy in ((-0.4, -0.3), (0.3, -0.42), (0.05, 0.08), (-0.36, 0.36), (0.44, 0.30)):
        disc(pen, x + dx * s, y + dy * s, 0.13 * s, DARK)


def beans(pen: Any, x: float, y: float, s: float) -> None:
    """Three kidney beans."""
    for dx, dy, turn in ((-0.36, -0.26, 30.0), (0.38, -0.16, -40.0), (0.0, 0.42, 5.0)):
        _oval(pen, x + dx * s, y + dy * s, 0.46 * s, 0.28 * s, turn, (150, 40, 26))
        _oval(pen, x + (dx - 0.08) * s, y + (dy - 0.06) * s, 0.16 * s, 0.07 * s, turn, (226, 150, 120))


def peach(pen: Any, x: float, y: float, s: float) -> None:
    disc(pen, x, y + 0.1 * s, 0.80 * s, (246, 160, 84))
    disc(pen, x - 0.2 * s, y + 0.2 * s, 0.52 * s, (250, 190, 110))
    pen.arc((x - 0.3 * s, y - 0.66 * s, x + 0.5 * s, y + 0.8 * s), 110, 240, (206, 96, 50), max(1, int(0.07 * s)))
    _oval(pen, x + 0.34 * s, y - 0.74 * s, 0.34 * s, 0.15 * s, -24.0, LEAF)


def icon(name: str) -> Icon:
    found: Icon = globals()[name]
    return found
