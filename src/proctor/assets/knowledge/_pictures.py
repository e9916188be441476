"""``painting`` and ``picture_frame``: boards with a picture in one of twelve styles and an invented title.

A ``painting`` lies flat and is read from -x, its title on a plaque at the near edge; on an ``easel`` it stands, leaning
back, as a fixture. A ``picture_frame`` stands on two feet; its square loop goes over a peg and its tab is for fingers.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_y, box
from .._mesh import merge, moved
from .._model import Asset, Collider, Link, Material, Site, Vec3, Visual
from .._registry import category
from .._shapes import slab, slabs
from .._texture import varied, wood
from ._print import canvas, facing, rgb, texture_of, write
from ._scenes import SUBJECTS
from ._styles import STYLES, framed

BOARD_M = (0.160, 0.120, 0.008)
"""Width along y, height (along x when flat), thickness."""

FRAME_M = 0.006

PLAQUE_M = (0.096, 0.014)

FRAMES: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.34, 0.20, 0.10), (0.56, 0.36, 0.20)),
    ((0.16, 0.11, 0.08), (0.26, 0.18, 0.13)),
    ((0.62, 0.46, 0.20), (0.86, 0.70, 0.36)),
    ((0.66, 0.56, 0.42), (0.84, 0.76, 0.62)),
)

FIRST = (
    "Quiet",
    "Distant",
    "Silver",
    "Late",
    "Second",
    "Hidden",
    "Northern",
    "Open",
    "Early",
    "Slow",
    "Lost",
    "Bright",
)

LAST = (
    "Harbour",
    "Morning",
    "Garden",
    "Return",
    "Letter",
    "Window",
    "Season",
    "Passage",
    "Orchard",
    "Answer",
    "Shore",
    "Visit",
)

EASEL_LEAN_RAD = math.radians(20.0)


def a_title(rng: np.random.Generator) -> str:
    first, last = FIRST[int(rng.integers(len(FIRST)))], LAST[int(rng.integers(len(LAST)))]
    return f"{first} {last}, No. {int(rng.integers(1, 10))}"


def _chosen(rng: np.random.Generator, style: str, subject: str) -> tuple[str, str]:
    """Draw what was not asked for; the draws are always made, so that a look does not change the rest."""
    drawn = list(STYLES)[int(rng.integers(len(STYLES)))], list(SUBJECTS)[int(rng.integers(len(SUBJECTS)))]
    return style or drawn[0], subject or drawn[1]


def _plaque(rng: np.random.Generator, title: str) -> Material:
    image, pen = canvas(448, 64, rgb(varied(rng, (0.88, 0.76, 0.42), 0.02)))
    pen.rectangle((3, 3, 444, 60), outline=(96, 70, 20), width=3)
    write(pen, (14, 8, 434, 56), title, (40, 26, 8), lines=1, bold=0.02)
    return Material(texture=texture_of(image), specular=0.4, shininess=0.4)


def _timber(rng: np.random.Generator) -> Material:
    dark, light = FRAMES[int(rng.integers(len(FRAMES)))]
    return Material(
        texture=wood(rng, varied(rng, dark, 0.02), varied(rng, light, 0.02), 64), specular=0.3, shininess=0.4
    )


@category(
    "painting",
    nouns=("painting", "picture"),
    looks={"style": tuple(STYLES), "subject": tuple(SUBJECTS), "title": None, "stand": ("flat", "easel")},
)
def painting(
    rng: np.random.Generator, style: str = "", subject: str = "", title: str = "", stand: str = "flat"
) -> Asset:
    """Board of 160 by 120 by 8 mm, 120 g; ``top`` is the picture, for what is put on it."""
    style, subject = _chosen(rng, style, subject)
    title = title or a_title(rng)
    timber, plaque = _timber(rng), _plaque(rng, title)
    canvas_of = Material(texture=texture_of(framed(rng, style, subject)), specular=0.08, shininess=0.1)
    wide, high, thick = BOARD_M
    strip = PLAQUE_M[1] + 2 * FRAME_M
    # The board's own frame: it lies with its picture up (+z), upper edge towards +x.
    picture = facing(
        wide - 2 * FRAME_M, high - FRAME_M - strip, (0.5 * (strip - FRAME_M), 0.0, thick + 0.0001), (0, 0, 1)
    )
    title_plate = facing(*PLAQUE_M, (0.5 * (strip - high), 0.0, thick + 0.0002), (0, 0, 1))
    board = slab((high / 2, wide / 2, thick / 2), 0.0015, 6.0, 1, (0.0, 0.0, thick / 2))
    rim = slabs(*_rim(wide, high, thick), bevel=0.0008, grain_axis=1)
    visuals = (
        Visual(merge(board, rim), timber),
        Visual(picture, canvas_of, "picture"),
        Visual(title_plate, plaque, "plaque"),
    )
    nouns = (f"{style} painting", title)
    if stand == "easel":
        return _on_easel(visuals, timber, nouns)
    half = (high / 2, wide / 2, thick / 2)
    return Asset(
        Link("root", visuals, (box(half, (0.0, 0.0, thick / 2), 0.12),)),
        0.5 * math.hypot(wide, high),
        thick + 0.002,
        sites=(Site("top", "place", (0.0, 0.0, thick + 0.05), (high / 2, wide / 2, 0.05)),),
        face=(0.0, 0.0, 1.0),
        nouns=nouns,
    )


def _rim(wide: float, high: float, thick: float) -> list[tuple[Vec3, Vec3]]:
    """Low frame around the picture, 1.5 mm above it."""
    f, z = FRAME_M / 2, thick + 0.0004
    return [
        ((f, wide / 2, 0.0011), (high / 2 - f, 0.0, z)),
        ((f, wide / 2, 0.0011), (f - high / 2, 0.0, z)),
        ((high / 2, f, 0.0011), (0.0, wide / 2 - f, z)),
        ((high / 2, f, 0.0011), (0.0, f - wide / 2, z)),
    ]


def _on_easel(visuals: tuple[Visual, ...], timber: Material, nouns: tuple[str, ...]) -> Asset:
    """Stand the board up on a ledge between three legs, leaning back by 20 degrees; the picture looks towards -x."""
    wide, high, thick = BOARD_M
    ledge, lean = 0.045, EASEL_LEAN_RAD
    turn = about_y(-(math.pi / 2 - lean))
    centre = (0.5 * high * math.sin(lean), 0.0, ledge + 0.5 * high * math.cos(lean))
    raised = tuple(Visual(moved(v.mesh, centre, turn), v.material, v.part) for v in visuals)
    back = 0.5 * high * math.sin(lean) + 0.018
    legs = merge(
        *(moved(slab((0.004, 0.005, 0.085), 0.001), (0.030, y, 0.081), about_y(lean)) for y in (-0.055, 0.055)),
        moved(slab((0.004, 0.005, 0.080), 0.001), (back + 0.035, 0.0, 0.072), about_y(-0.45)),
        slab((0.010, 0.085, 0.004), 0.001, centre=(0.004, 0.0, ledge - 0.006)),
    )
    colliders = (
        Collider("box", (high / 2, wide / 2, thick / 2), 0.12, "board", _shifted(centre, thick / 2, lean), turn),
        box((0.010, 0.085, 0.004), (0.004, 0.0, ledge - 0.006), 0.05, "easel"),
        *(
            Collider("box", (0.004, 0.005, 0.085), 0.08, "easel", (0.030, y, 0.081), about_y(lean))
            for y in (-0.055, 0.055)
        ),
        Collider("box", (0.004, 0.005, 0.080), 0.08, "easel", (back + 0.035, 0.0, 0.072), about_y(-0.45)),
    )
    face = (-math.cos(lean), 0.0, math.sin(lean))
    return Asset(
        Link("root", (*raised, Visual(legs, timber, "easel")), colliders),
        0.105,
        0.175,
        kind="fixture",
        face=face,
        nouns=nouns,
    )


def _shifted(centre: Vec3, out: float, lean: float) -> Vec3:
    """Move a point along the normal of a board that leans back."""
    return centre[0] - out * math.cos(lean), centre[1], centre[2] + out * math.sin(lean)


def _signed(image: object, title: str) -> object:
    """Write a title into the lower edge of a picture, where one was asked for."""
    if title:
        from PIL import ImageDraw

        pen = ImageDraw.Draw(image)  # type: ignore[arg-type]
        pen.rectangle((40, 144, 216, 164), (236, 214, 150))
        write(pen, (46, 146, 210, 162), title, (40, 26, 8), lines=1, bold=0.0)
    return image
