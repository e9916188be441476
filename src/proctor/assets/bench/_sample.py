"""``sample``: a piece of a material, a fluid in glass, a panel, or a body, on a plinth with its name before it.

It stands on a pedestal; the name leans back so that eyes above the robot's base read it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._colliders import about_y, box
from .._grasps import top
from .._mesh import merge, moved
from .._model import Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import oval, profile, revolve, slab
from .._texture import pick, varied
from ._materials import FINISHES
from ._print import canvas, facing, ink_for, rgb, texture_of, write

EDGES = ("30", "40", "50")
PLINTH_M = 0.010
FLUIDS: dict[str, tuple[Vec3, float, float]] = {
    "carbon dioxide gas at 20 C": ((0.92, 0.92, 0.94), 0.16, 1.0),
    "air at 20 C": ((0.80, 0.90, 1.0), 0.12, 1.0),
    "helium gas at 20 C": ((1.0, 0.90, 0.80), 0.14, 1.0),
    "ethanol": ((0.94, 0.93, 0.84), 0.55, 0.72),
    "water": ((0.60, 0.80, 0.94), 0.60, 0.72),
}
"""Colour, opacity, and how full the jar is."""
PANELS = ("black velvet", "matt grey paint", "clear window glass", "polished stainless steel", "silvered mirror")
PAINTS: tuple[Vec3, ...] = ((0.80, 0.22, 0.18), (0.20, 0.42, 0.72), (0.94, 0.68, 0.16), (0.24, 0.56, 0.36))
PLATES: tuple[Vec3, ...] = ((0.97, 0.95, 0.90), (0.14, 0.15, 0.17), (0.90, 0.93, 0.97), (0.30, 0.20, 0.14))
PROPERTIES = (
    "density", "thermal_expansion", "speed_of_sound", "friction_on_steel", "drag_coefficient", "specular_reflectance",
    "magnetism",
)  # fmt: skip

Body = tuple[tuple[Visual, ...], float, float, float]
"""What stands on the plinth from z = 0 up, its half sizes along x and y, and its height."""


def _block(rng: np.random.Generator, material: str, edge: float) -> Body:
    look = FINISHES[material](rng)
    if material == "diamond":
        r = 0.52 * edge
        gem = revolve([(1e-5, 0.0), (r, 0.62 * edge), (0.98 * r, 0.70 * edge), (0.60 * r, 0.92 * edge)], 8, 0.1)
        table = revolve([(0.60 * r, 0.92 * edge), (1e-5, 0.92 * edge)], 8, 0.1)
        return (Visual(merge(gem, table), look),), 0.40 * edge, 0.40 * edge, 0.92 * edge
    half = edge / 2
    bevel = 0.0008 if material in ("brick", "ice") else 0.0016
    cube = slab((half,) * 3, bevel, 1 / edge, centre=(0.0, 0.0, half))
    return (Visual(cube, look),), half, half, edge


def _jar(rng: np.random.Generator, material: str, edge: float) -> Body:
    colour, alpha, level = FLUIDS[material]
    r, h = 0.46 * edge, 1.05 * edge
    outer = profile([(r, 0.004), (r, 0.72 * h), (0.62 * r, 0.88 * h), (0.58 * r, h)], 3)
    foot = [(1e-5, 0.0), (r - 0.002, 0.0), (r, 0.004)]
    inside = [(1e-5, 0.002), (0.93 * r, 0.002), (0.93 * r, 0.72 * level * h), (1e-5, 0.72 * level * h)]
    stopper = revolve([(0.52 * r, 0.94 * h), (0.62 * r, h + 0.006), (0.60 * r, h + 0.008), (1e-5, h + 0.008)], 20)
    glass = Material((0.88, 0.95, 0.97), specular=1.0, shininess=0.95, alpha=0.22)
    visuals = (
        Visual(revolve(inside, 22), Material(varied(rng, colour, 0.01), specular=0.6, alpha=alpha), "content"),
        Visual(revolve(np.vstack([foot, outer]), 26), glass),
        Visual(stopper, FINISHES["cork"](rng), "cap"),
    )
    return visuals, 0.72 * r, 0.72 * r, h + 0.008


def _panel(rng: np.random.Generator, material: str, edge: float) -> Body:
    y, z, lean = 0.62 * edge, 0.62 * edge, math.radians(18.0)
    turned = about_y(lean)
    middle = (0.004, 0.0, z * math.cos(lean) + 0.002)
    normal = (-math.cos(lean), 0.0, math.sin(lean))
    front = (middle[0] + 0.0023 * normal[0], 0.0, middle[2] + 0.0023 * normal[2])
    look = FINISHES[material](rng)
    rails = [
        *(slab((0.003, 0.002, z), 0.0008, centre=(0.0, s * y, 0.0)) for s in (-1, 1)),
        *(slab((0.003, y, 0.002), 0.0008, centre=(0.0, 0.0, s * z)) for s in (-1, 1)),
    ]
    frame = Material(varied(rng, (0.30, 0.26, 0.23), 0.03), specular=0.3)
    back = moved(slab((0.002, y, z), 0.0006), middle, turned)
    face = Visual(facing(2 * y - 0.003, 2 * z - 0.003, front, normal), look, "panel")
    opaque = (Visual(back, Material((0.25, 0.24, 0.23))),) if look.alpha == 1.0 else ()
    return (*opaque, Visual(moved(merge(*rails), middle, turned), frame), face), 0.010, y, 2 * z * math.cos(lean)


def _paint(rng: np.random.Generator) -> Material:
    return Material(varied(rng, pick(rng, PAINTS), 0.02), specular=0.4, shininess=0.5)


def _teardrop(rng: np.random.Generator, material: str, edge: float) -> Body:
    r = 0.30 * edge
    nose = [(r * math.cos(a), r * (1 - math.sin(a))) for a in np.linspace(math.pi / 2, 0.0, 7)]
    shape = profile([*nose, (0.78 * r, 2.0 * r), (0.40 * r, 3.0 * r), (1e-5, 3.9 * r)], 3)
    lying = moved(revolve(shape, 22), (0.0, -1.95 * r, r + 0.010), (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))
    return _on_a_post(rng, Visual(lying, _paint(rng)), r, 0.95 * r, r + 0.010 + r)


def _on_a_post(rng: np.random.Generator, body: Visual, x: float, y: float, height: float) -> Body:
    post = revolve([(0.0035, 0.0), (0.0035, 0.014)], 10)
    return (body, Visual(post, FINISHES["steel"](rng), "post")), x, y, height


def _ball(rng: np.random.Generator, material: str, edge: float) -> Body:
    r = edge / 2
    ball = moved(revolve(oval(r, r, 0.0, 16), 26), (0.0, 0.0, r + 0.008))
    return _on_a_post(rng, Visual(ball, _paint(rng)), 0.8 * r, 0.8 * r, 2 * r + 0.008)


def _cube(rng: np.random.Generator, material: str, edge: float) -> Body:
    half = 0.44 * edge
    cube = slab((half,) * 3, 0.0012, centre=(0.0, 0.0, half + 0.010))
    return _on_a_post(rng, Visual(cube, _paint(rng)), half, half, 2 * half + 0.010)


def _disc(rng: np.random.Generator, material: str, edge: float) -> Body:
    r = edge / 2
    flat = revolve([(1e-5, -0.002), (r, -0.002), (r, 0.002), (1e-5, 0.002)], 30)
    upright = moved(flat, (0.0, 0.0, r + 0.006), about_y(math.radians(-72.0)))
    return _on_a_post(rng, Visual(upright, _paint(rng)), 0.014, 0.7 * r, 2 * r + 0.004)


def _cup(rng: np.random.Generator, material: str, edge: float) -> Body:
    r = edge / 2
    outer = [(r * math.sin(a), -r * math.cos(a)) for a in np.linspace(0.001, math.pi / 2, 9)]
    inner = [(0.90 * r * math.sin(a), -0.90 * r * math.cos(a)) for a in np.linspace(math.pi / 2, 0.001, 9)]
    bowl = moved(revolve([*outer, *inner], 28), (0.4 * r, 0.0, r + 0.006), about_y(math.radians(-65.0)))
    return _on_a_post(rng, Visual(bowl, _paint(rng)), 0.6 * r, 0.8 * r, 2 * r + 0.004)


SHAPES: dict[str, Callable[[np.random.Generator, str, float], Body]] = {
    "streamlined teardrop": _teardrop,
    "sphere": _ball,
    "cube, face to the flow": _cube,
    "flat disc, face to the flow": _disc,
    "open cup, hollow side to the flow": _cup,
}
MATERIALS = (*FINISHES, *FLUIDS, *SHAPES)


def printed(material: str) -> str:
    """Return the name that stands before a sample: without what is said after a comma or in brackets."""
    return material.split(",")[0].split(" (")[0]


@category(
    "sample",
    nouns=("sample", "block"),
    looks={"material": MATERIALS, "property": PROPERTIES, "edge": EDGES},
)
def sample(rng: np.random.Generator, material: str = "", property: str = "", edge: str = "") -> Asset:
    """Piece of 44 to 48 mm, or a cube of ``edge`` millimetres, on a plinth of 64 by 64 mm with a name plate before it.

    ``property`` says what it is asked about; it looks the same for all of them.
    """
    material = material or MATERIALS[int(rng.integers(len(MATERIALS)))]
    size = float(edge) / 1000 if edge else rng.uniform(0.044, 0.048)
    maker = SHAPES.get(material) or (_jar if material in FLUIDS else _panel if material in PANELS else _block)
    body, x, y, high = maker(rng, material, size)
    behind = 0.006
    raised = tuple(
        Visual(moved(v.mesh, (behind, 0.0, PLINTH_M)), v.material, v.part) for v in body
    )  # the body stands back, the plate before it
    dark = Material(varied(rng, (0.22, 0.20, 0.19), 0.03), specular=0.4, shininess=0.4)
    plinth = slab((0.031, 0.033, PLINTH_M / 2), 0.0015, centre=(0.0, 0.0, PLINTH_M / 2))
    plate, normal = _plate(rng, printed(material))
    colliders = (
        box((0.031, 0.033, PLINTH_M / 2), (0.0, 0.0, PLINTH_M / 2), 0.20, "plinth"),
        box((x, y, high / 2), (behind, 0.0, PLINTH_M + high / 2), 0.08),
    )
    tall = PLINTH_M + high
    across = (0.0, 2 * x) if x < y else (math.pi / 2, 2 * y)
    return Asset(
        Link("root", (*raised, Visual(plinth, dark, "plinth"), *plate), colliders), math.hypot(0.034, 0.033), tall,
        grasps=top(max(tall - 0.022, PLINTH_M + 0.5 * high), across[1], (across[0],), (behind, 0.0)),
        face=normal, nouns=(f"{printed(material)} sample",),
    )  # fmt: skip


def _plate(rng: np.random.Generator, text: str) -> tuple[tuple[Visual, ...], Vec3]:
    """Name plate of 66 by 22 mm before the plinth, leaning back by 40 degrees, and the way it looks."""
    lean = math.radians(40.0)
    wide, high, thick = 0.033, 0.011, 0.001
    paper = varied(rng, pick(rng, PLATES), 0.01)
    image, pen = canvas(384, 128, rgb(paper))
    ink = ink_for(paper)
    pen.rectangle((3, 3, 380, 124), outline=ink, width=3)
    write(pen, (12, 8, 372, 120), text, ink, lines=2, bold=0.05)
    middle = (-0.031, 0.0, 0.001 + high * math.cos(lean))
    normal = (-math.cos(lean), 0.0, math.sin(lean))
    out = thick + 0.0001
    front = facing(2 * wide, 2 * high, (middle[0] + out * normal[0], 0.0, middle[2] + out * normal[2]), normal)
    board = moved(slab((thick, wide, high), 0.0004), middle, about_y(lean))
    return (
        Visual(board, Material(paper, specular=0.2), "plate"),
        Visual(front, Material(texture=texture_of(image), specular=0.05, shininess=0.1), "plate"),
    ), normal
