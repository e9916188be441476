"""What is in a painting: eight subjects as flat shapes, each with a colour, drawn into one map of labels.

Label 0 is the ground or sky. Coordinates run from 0 to 1, x to the right and y down. The styles turn a scene into a
picture; all of them start from here, so any subject exists in any style.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._model import Vec3
from .._texture import varied

WIDTH_PX, HEIGHT_PX = 256, 168
Point: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class FurnishedScene:
    """Map of labels [H, W] and the colour of each label."""

    rng: np.random.Generator
    sky: Vec3
    colours: list[Vec3] = field(default_factory=list)
    _pen: object = None
    _image: object = None

    def __post_init__(self) -> None:
        from PIL import Image, ImageDraw

        self._image = Image.new("L", (WIDTH_PX, HEIGHT_PX), 0)
        self._pen = ImageDraw.Draw(self._image)
        self.colours.append(varied(self.rng, self.sky, 0.02))

    @property
    def labels(self) -> NDArray[np.uint8]:
        return np.asarray(self._image, np.uint8)

    @property
    def palette(self) -> NDArray[np.float64]:
        return np.asarray(self.colours, float)

    def flat(self) -> NDArray[np.float64]:
        """Picture [H, W, 3] of the labels' colours."""
        return np.asarray(self.palette[self.labels], float)

    def _next(self, colour: Vec3) -> int:
        self.colours.append(varied(self.rng, colour, 0.025))
        return len(self.colours) - 1

    def poly(self, points: Sequence[Point], colour: Vec3) -> None:
        pixels = [(x * WIDTH_PX, y * HEIGHT_PX) for x, y in points]
        self._pen.polygon(pixels, fill=self._next(colour))  # type: ignore[attr-defined]

    def oval(self, x: float, y: float, a: float, b: float, colour: Vec3) -> None:
        """Filled ellipse; ``b`` is a share of the height."""
        box = ((x - a) * WIDTH_PX, (y - b) * HEIGHT_PX, (x + a) * WIDTH_PX, (y + b) * HEIGHT_PX)
        self._pen.ellipse(box, fill=self._next(colour))  # type: ignore[attr-defined]

    def disc(self, x: float, y: float, r: float, colour: Vec3) -> None:
        """Filled circle; ``r`` is a share of the height."""
        self.oval(x, y, r * HEIGHT_PX / WIDTH_PX, r, colour)

    def ridge(self, y: float, swell: float, waves: float, colour: Vec3, low: float = 1.0) -> None:
        """Hill line across the picture, filled down to ``low``."""
        phase = self.rng.uniform(0, 6.3)
        top = [(k / 24, y + swell * math.sin(waves * k / 24 * 6.28 + phase)) for k in range(25)]
        self.poly([*top, (1.0, low), (0.0, low)], colour)


def _hills(s: FurnishedScene) -> None:
    s.disc(s.rng.uniform(0.2, 0.8), s.rng.uniform(0.2, 0.3), 0.13, (0.98, 0.76, 0.22))
    s.ridge(0.52, 0.07, 1.3, (0.36, 0.58, 0.46))
    s.ridge(0.66, 0.06, 1.8, (0.32, 0.60, 0.24))
    s.ridge(0.82, 0.05, 1.1, (0.52, 0.68, 0.24))


def _boat(s: FurnishedScene) -> None:
    s.disc(s.rng.uniform(0.12, 0.3), 0.2, 0.10, (0.98, 0.80, 0.34))
    s.ridge(0.62, 0.012, 3.0, (0.16, 0.44, 0.66))
    x = s.rng.uniform(0.42, 0.6)
    s.poly([(x - 0.01, 0.16), (x + 0.01, 0.16), (x + 0.01, 0.66), (x - 0.01, 0.66)], (0.36, 0.22, 0.12))
    s.poly([(x + 0.02, 0.18), (x + 0.24, 0.58), (x + 0.02, 0.58)], (0.94, 0.92, 0.86))
    s.poly([(x - 0.02, 0.24), (x - 0.02, 0.58), (x - 0.18, 0.58)], (0.82, 0.24, 0.18))
    s.poly([(x - 0.22, 0.62), (x + 0.26, 0.62), (x + 0.18, 0.76), (x - 0.16, 0.76)], (0.50, 0.28, 0.14))
    s.ridge(0.84, 0.012, 4.0, (0.12, 0.34, 0.56))


def _bowl(s: FurnishedScene) -> None:
    s.poly([(0, 0.68), (1, 0.68), (1, 1), (0, 1)], (0.60, 0.40, 0.22))
    x = s.rng.uniform(0.45, 0.55)
    for dx, dy, r, colour in (
        (-0.13, 0.46, 0.13, (0.80, 0.16, 0.12)),
        (0.02, 0.40, 0.13, (0.95, 0.58, 0.10)),
        (0.15, 0.46, 0.12, (0.52, 0.68, 0.20)),
        (-0.03, 0.52, 0.10, (0.46, 0.18, 0.44)),
    ):
        s.disc(x + dx, dy, r, colour)
    rim = [(x + 0.28 * math.cos(t), 0.56 + 0.24 * math.sin(t)) for t in np.linspace(0, math.pi, 16)]
    s.poly(rim, (0.24, 0.40, 0.62))
    s.poly([(x - 0.10, 0.78), (x + 0.10, 0.78), (x + 0.13, 0.86), (x - 0.13, 0.86)], (0.18, 0.30, 0.50))


def _skyline(s: FurnishedScene) -> None:
    s.disc(s.rng.uniform(0.2, 0.8), 0.2, 0.09, (0.98, 0.86, 0.56))
    greys: tuple[Vec3, ...] = ((0.36, 0.40, 0.52), (0.52, 0.46, 0.50), (0.28, 0.32, 0.44), (0.60, 0.54, 0.52))
    x = 0.0
    while x < 1.0:
        w, h = s.rng.uniform(0.10, 0.17), s.rng.uniform(0.30, 0.62)
        s.poly([(x, 1 - h), (x + w, 1 - h), (x + w, 0.9), (x, 0.9)], greys[int(s.rng.integers(4))])
        for k in range(2):
            y = 1 - h + 0.06 + 0.14 * k
            s.poly(
                [(x + 0.3 * w, y), (x + 0.7 * w, y), (x + 0.7 * w, y + 0.06), (x + 0.3 * w, y + 0.06)],
                (0.96, 0.82, 0.40),
            )
        x += w
    s.poly([(0, 0.88), (1, 0.88), (1, 1), (0, 1)], (0.22, 0.24, 0.30))


def _face(s: FurnishedScene) -> None:
    x = s.rng.uniform(0.46, 0.54)
    s.poly([(x - 0.30, 1.0), (x - 0.16, 0.84), (x + 0.16, 0.84), (x + 0.30, 1.0)], (0.22, 0.40, 0.62))
    s.oval(x, 0.44, 0.24, 0.40, (0.40, 0.22, 0.12))
    s.oval(x, 0.52, 0.19, 0.36, (0.92, 0.70, 0.54))
    for side in (-1, 1):
        s.oval(x + side * 0.08, 0.46, 0.042, 0.045, (0.97, 0.97, 0.95))
        s.disc(x + side * 0.08, 0.46, 0.026, (0.18, 0.30, 0.44))
    s.poly([(x, 0.48), (x + 0.035, 0.62), (x - 0.035, 0.62)], (0.82, 0.56, 0.42))
    s.oval(x, 0.73, 0.075, 0.035, (0.78, 0.22, 0.22))


def _flower(s: FurnishedScene) -> None:
    s.poly([(0, 0.80), (1, 0.80), (1, 1), (0, 1)], (0.66, 0.50, 0.34))
    x = s.rng.uniform(0.46, 0.54)
    s.poly([(x - 0.012, 0.34), (x + 0.012, 0.34), (x + 0.012, 0.70), (x - 0.012, 0.70)], (0.22, 0.50, 0.18))
    for side in (-1, 1):
        s.poly(
            [(x, 0.62), (x + side * 0.10, 0.50), (x + side * 0.17, 0.52), (x + side * 0.08, 0.62)], (0.28, 0.58, 0.22)
        )
    petal = varied(s.rng, ((0.86, 0.24, 0.34), (0.94, 0.72, 0.16), (0.56, 0.34, 0.70))[int(s.rng.integers(3))], 0.02)
    for k in range(6):
        a = math.tau * k / 6
        s.disc(x + 0.085 * math.cos(a), 0.28 + 0.13 * math.sin(a), 0.085, petal)
    s.disc(x, 0.28, 0.07, (0.96, 0.78, 0.20))
    s.poly([(x - 0.13, 0.66), (x + 0.13, 0.66), (x + 0.09, 0.90), (x - 0.09, 0.90)], (0.74, 0.38, 0.22))


def _lake(s: FurnishedScene) -> None:
    for x, w, h, colour in ((0.24, 0.30, 0.40, (0.44, 0.48, 0.58)), (0.70, 0.36, 0.50, (0.36, 0.40, 0.52))):
        x += s.rng.uniform(-0.05, 0.05)
        s.poly([(x - w, 0.62), (x, 0.62 - h), (x + w, 0.62)], colour)
        s.poly(
            [(x - 0.25 * w, 0.62 - 0.75 * h), (x, 0.62 - h), (x + 0.25 * w, 0.62 - 0.75 * h), (x, 0.62 - 0.66 * h)],
            (0.95, 0.96, 0.97),
        )
    s.poly([(0, 0.62), (1, 0.62), (1, 1), (0, 1)], (0.26, 0.52, 0.64))
    s.ridge(0.92, 0.02, 1.0, (0.28, 0.46, 0.22))
    for x in (0.12, 0.22, 0.86):
        s.poly([(x - 0.045, 0.70), (x, 0.44), (x + 0.045, 0.70)], (0.14, 0.36, 0.20))


def _house(s: FurnishedScene) -> None:
    s.ridge(0.74, 0.02, 0.8, (0.46, 0.64, 0.26))
    x = s.rng.uniform(0.58, 0.66)
    s.poly([(x - 0.20, 0.46), (x + 0.20, 0.46), (x + 0.20, 0.82), (x - 0.20, 0.82)], (0.92, 0.86, 0.72))
    s.poly([(x - 0.24, 0.47), (x, 0.20), (x + 0.24, 0.47)], (0.72, 0.26, 0.18))
    s.poly([(x - 0.04, 0.60), (x + 0.05, 0.60), (x + 0.05, 0.82), (x - 0.04, 0.82)], (0.36, 0.22, 0.14))
    for dx in (-0.13, 0.13):
        s.poly(
            [(x + dx - 0.035, 0.54), (x + dx + 0.035, 0.54), (x + dx + 0.035, 0.65), (x + dx - 0.035, 0.65)],
            (0.50, 0.72, 0.86),
        )
    t = s.rng.uniform(0.16, 0.24)
    s.poly([(t - 0.025, 0.52), (t + 0.025, 0.52), (t + 0.035, 0.84), (t - 0.035, 0.84)], (0.42, 0.28, 0.16))
    s.disc(t, 0.38, 0.22, (0.24, 0.52, 0.20))
    s.disc(0.90, 0.16, 0.08, (0.98, 0.80, 0.30))


SUBJECTS: dict[str, tuple[Callable[[FurnishedScene], None], Vec3]] = {
    "hills with sun": (_hills, (0.66, 0.82, 0.94)),
    "sailing boat": (_boat, (0.70, 0.84, 0.92)),
    "fruit bowl": (_bowl, (0.86, 0.80, 0.66)),
    "city skyline": (_skyline, (0.66, 0.72, 0.88)),
    "schematic face": (_face, (0.80, 0.74, 0.56)),
    "flower in a pot": (_flower, (0.78, 0.86, 0.84)),
    "mountain lake": (_lake, (0.76, 0.86, 0.94)),
    "house with tree": (_house, (0.68, 0.84, 0.95)),
}
"""Subject by name: how to draw it, and the colour behind it."""


def scene(subject: str, rng: np.random.Generator) -> FurnishedScene:
    draw, sky = SUBJECTS[subject]
    drawn = FurnishedScene(rng, sky)
    draw(drawn)
    return drawn
