"""Books: standing, spine towards -x, held across the spine.

Thickness 30 to 40 mm along y, 110 mm deep, 150 mm high. The title runs down the spine, as large as it fits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._colliders import box
from .._model import Grasp, Link, Material, Stem, Vec3, Visual
from .._registry import Asset, category
from .._shapes import slab
from .._texture import pick, varied
from ._print import canvas, facing, ink_for, rgb, texture_of, write

DEEP_M, HIGH_M = 0.110, 0.150
COLOURS: dict[str, Vec3] = {
    "red": (0.62, 0.12, 0.13), "blue": (0.12, 0.26, 0.52), "green": (0.12, 0.38, 0.24), "brown": (0.40, 0.24, 0.13),
    "black": (0.12, 0.12, 0.13), "yellow": (0.86, 0.66, 0.18), "purple": (0.36, 0.18, 0.44), "grey": (0.46, 0.48, 0.50),
    "cream": (0.88, 0.83, 0.70), "orange": (0.80, 0.38, 0.12),
}  # fmt: skip
TITLES = ("Moby-Dick", "Emma", "Walden", "Ulysses", "Dracula", "Candide")
PITCHES_RAD = (math.radians(50), math.radians(40))
COVER_M = 0.003


@category(
    "book", nouns=("book",), looks={"title": None, "colour": tuple(COLOURS), "thickness": ("30", "34", "38", "40")}
)
def book(rng: np.random.Generator, title: str = "", colour: str = "", thickness: str = "") -> Asset:
    """A closed book; ``thickness`` in millimetres."""
    title = title or TITLES[int(rng.integers(len(TITLES)))]
    tone = varied(rng, COLOURS[colour] if colour else pick(rng, tuple(COLOURS.values())), 0.015)
    thick = (int(thickness) if thickness else int(rng.integers(30, 41))) / 1000
    half = (DEEP_M / 2, thick / 2, HIGH_M / 2)
    cover = Material(tone, specular=0.2, shininess=0.3)
    pages = Material((0.93, 0.90, 0.82), specular=0.05, shininess=0.1)
    boards = [
        slab((half[0], COVER_M / 2, half[2]), 0.0008, centre=(0.0, s * (half[1] - COVER_M / 2), half[2]))
        for s in (-1, 1)
    ]
    spine = slab((COVER_M / 2, half[1] - 2e-4, half[2] - 2e-4), 0.0008, centre=(-half[0] + COVER_M / 2, 0.0, half[2]))
    block = slab((half[0] - 0.004, half[1] - COVER_M, half[2] - 0.003), 0.0005, centre=(0.0, 0.0, half[2]))
    print_ = facing(thick - 6e-4, HIGH_M - 6e-4, (-half[0] - 6e-5, 0.0, half[2]))
    picture = texture_of(_spine(rng, title, tone, thick))
    visuals = (
        *(Visual(mesh, cover) for mesh in (*boards, spine)),
        Visual(block, pages, "pages"),
        Visual(print_, Material(texture=picture, specular=0.15, shininess=0.3, emission=0.15), "spine"),
    )
    root = Link("root", visuals, (box(half, (0.0, 0.0, half[2]), 0.200),))
    return Asset(
        root, math.hypot(half[0], half[1]), HIGH_M, grasps=_grasps(thick), contact="firm", face=(-1.0, 0.0, 0.0),
        stem=Stem((0.0, 0.0, 0.0)),
    )  # fmt: skip


def _spine(rng: np.random.Generator, title: str, tone: Vec3, thick: float) -> Any:
    """Draw the spine lying, title from left to right, and stand it up: the title runs downwards."""
    long, high = 1500, round(thick * 10_000)
    image, pen = canvas(long, high, rgb(tone))
    ink = ink_for(tone)
    band = int(rng.integers(3))
    for x in (60, long - 60):
        if band < 2:
            pen.rectangle((x - 8 - 6 * band, 0, x + 8 + 6 * band, high), ink)
        else:
            pen.ellipse((x - 22, high / 2 - 22, x + 22, high / 2 + 22), ink)
    write(pen, (115, 0.08 * high, long - 115, 0.92 * high), title, ink, lines=2, bold=0.03)
    return image.rotate(-90, expand=True)


def _grasps(thick: float) -> tuple[Grasp, ...]:
    """From above near the top edge, or pitched from the front across the upper part of the spine."""
    across = (0.0, 1.0, 0.0)
    above = tuple(
        Grasp((x, 0.0, HIGH_M - 0.014), across, cost=cost, width_m=thick) for x, cost in ((0.0, 0.0), (-0.025, 0.02))
    )
    front = tuple(
        Grasp((-DEEP_M / 2 + 0.016, 0.0, z), across, (math.cos(p), 0.0, -math.sin(p)), 0.3 + 0.02 * k, thick)
        for k, p in enumerate(PITCHES_RAD)
        for z in (HIGH_M - 0.030, HIGH_M - 0.045)
    )
    return (*above, *front)
