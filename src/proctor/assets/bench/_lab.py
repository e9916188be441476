"""Test tubes, the stand they are kept in, and a wide flask.

A tube is a closed shell to the touch; what is seen in it is its fill. Stand: 2 x 4 square holes with 2 mm of room on
every side. Row 1 is the near one; slots count from the left (+y), 1 to 4 near, 5 to 8 far, and each is also called
``r1c1`` to ``r2c4``. The rows are 60 mm apart, not 45 mm, so that the tags of the far row can be seen between them.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, cylinder, segment, wall
from .._grasps import top
from .._mesh import merge
from .._model import Collider, Grasp, Link, Material, Mesh, Site, Spout, Stem, Vec3, Visual
from .._registry import Asset, category
from .._shapes import oval, revolve, slab, slabs
from .._texture import pick, varied, wood
from ._print import canvas, facing, texture_of, write

TUBE_M, TUBE_HIGH_M = 0.0095, 0.110
GLASS_M = 0.0012
LIQUIDS: dict[str, Vec3] = {
    "colourless": (0.86, 0.91, 0.94), "blue": (0.10, 0.36, 0.88), "blue-green": (0.08, 0.60, 0.62),
    "yellow-brown": (0.78, 0.50, 0.08), "green": (0.14, 0.62, 0.26), "yellow": (0.97, 0.86, 0.12),
    "purple": (0.44, 0.08, 0.54), "pink": (0.95, 0.45, 0.60), "orange": (0.96, 0.48, 0.06), "brown": (0.42, 0.20, 0.06),
    "white": (0.97, 0.97, 0.95), "red-brown": (0.55, 0.18, 0.08), "red": (0.80, 0.08, 0.08),
}  # fmt: skip
"""Colours of solutions and precipitates."""
SOLUTION_COLOURS: dict[str, str] = {
    "CuSO4": "blue", "CuCl2": "blue-green", "FeCl3": "yellow-brown", "NiSO4": "green", "K2CrO4": "yellow",
    "KMnO4": "purple", "CoCl2": "pink", "K2Cr2O7": "orange", "I2 in KI": "brown",
}  # fmt: skip
"""Solutions that are not colourless."""
HOLE_M = TUBE_M + 0.002
PITCH_M, ROW_M = 0.045, 0.060
FLOOR_M, MIDDLE_M, TOP_M, PLATE_M = 0.008, 0.030, 0.060, 0.006
ROWS, COLUMNS = 2, 4


@category("tube", nouns=("tube", "test tube"), looks={"solution": None, "colour": tuple(LIQUIDS)})
def tube(rng: np.random.Generator, solution: str = "", colour: str = "") -> Asset:
    """A test tube with a solution; its colour is the solution's unless another is asked for."""
    colour = colour or SOLUTION_COLOURS.get(solution, "colourless" if solution else "")
    colour = colour or tuple(LIQUIDS)[int(rng.integers(10))]
    level = float(rng.uniform(0.62, 0.74)) * TUBE_HIGH_M
    r, h = TUBE_M, TUBE_HIGH_M
    low = oval(r, r, r, 14)[:7]
    outer = np.vstack([low, [(r, r), (r, h - 0.002), (r + 0.0012, h - 0.001), (r + 0.0012, h), (r - GLASS_M, h)]])
    inner = r - GLASS_M
    liquid = np.vstack([oval(inner, inner, inner + GLASS_M, 14)[:7], [(inner, inner), (inner, level), (1e-5, level)]])
    visuals = (
        Visual(revolve(liquid, 20), Material(varied(rng, LIQUIDS[colour], 0.02), specular=0.2, emission=0.3), "fill"),
        Visual(revolve(outer, 20), Material((0.90, 0.95, 0.97), specular=0.9, shininess=0.9, alpha=0.28), "glass"),
    )
    colliders = (segment((0, 0, r), (0, 0, 0.6 * h), r, 0.016), cylinder(r, 0.5 * h, h, 0.014))
    grasps = (*top(h - 0.016, 2 * r), *_pitched(h - 0.014))
    return Asset(
        Link("root", visuals, colliders), r, h, grasps=grasps, contact="firm", fill="fill",
        spout=Spout((0.0, 0.0, h)), stem=Stem((0.0, 0.0, 0.0)),
    )  # fmt: skip


def _pitched(z: float) -> tuple[Grasp, ...]:
    """Grasps from the robot's side, pitched down, for whoever wants to tip the tube forward."""
    return tuple(
        Grasp((0.0, 0.0, z), (0.0, 1.0, 0.0), (math.cos(p), 0.0, -math.sin(p)), 0.5, 2 * TUBE_M)
        for p in (math.radians(50), math.radians(60))
    )


@category("tubestand", nouns=("tube stand", "stand", "rack"), looks={"labels": None})
def tubestand(rng: np.random.Generator, labels: str = "") -> Asset:
    """A stand for eight tubes; ``labels`` are the texts of the tags before the holes, in order, as in ``A|B||C``."""
    words = (labels.split("|") + [""] * (ROWS * COLUMNS))[: ROWS * COLUMNS]
    if rng.random() < 0.5:
        stuff = Material(texture=wood(rng, (0.50, 0.34, 0.20), (0.74, 0.56, 0.36), 64), specular=0.2, shininess=0.3)
    else:
        tones: tuple[Vec3, ...] = ((0.30, 0.42, 0.52), (0.82, 0.82, 0.80), (0.36, 0.48, 0.40))
        stuff = Material(varied(rng, pick(rng, tones), 0.02), specular=0.4, shininess=0.4)
    pieces = [*_plate(MIDDLE_M), *_plate(TOP_M), *_body()]
    visuals = [Visual(slabs(*pieces, bevel=0.0008), stuff)]
    sites = []
    deep = (TOP_M - FLOOR_M) / 2
    for k, (x, y) in enumerate(_holes()):
        half = (HOLE_M, HOLE_M, deep)
        for name in (f"slot{k + 1}", f"r{k // COLUMNS + 1}c{k % COLUMNS + 1}"):
            sites.append(Site(name, "hole", (x, y, FLOOR_M + deep), half))
        if words[k].strip():
            visuals.append(_tag(words[k].strip(), x, y))
    reach_x, reach_y = _reach()
    sites.append(Site("inside", "contain", (0.0, 0.0, 0.066), (reach_x, reach_y, 0.058)))
    colliders = tuple(box(half, pos, 0.02) for half, pos in pieces)
    root = Link("root", tuple(visuals), colliders)
    return Asset(root, math.hypot(reach_x, reach_y), TOP_M, tuple(sites), kind="fixture")


def _holes() -> list[tuple[float, float]]:
    """Middles of the holes, near row first, each from the left."""
    return [
        ((row - (ROWS - 1) / 2) * ROW_M, ((COLUMNS - 1) / 2 - column) * PITCH_M)
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]


def _reach() -> tuple[float, float]:
    return (ROWS - 1) / 2 * ROW_M + 0.026, (COLUMNS - 1) / 2 * PITCH_M + 0.026


def _plate(z: float) -> list[tuple[Vec3, Vec3]]:
    """Bars around square holes: whole ones along y, short ones between the holes of a row."""
    reach_x, reach_y = _reach()
    thick = PLATE_M / 2
    edges = [-reach_x]
    for row in range(ROWS):
        x = (row - (ROWS - 1) / 2) * ROW_M
        edges += [x - HOLE_M, x + HOLE_M]
    edges.append(reach_x)
    out: list[tuple[Vec3, Vec3]] = [
        (((b - a) / 2, reach_y, thick), ((a + b) / 2, 0.0, z - thick))
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
    cuts = [-reach_y]
    for column in range(COLUMNS):
        y = (column - (COLUMNS - 1) / 2) * PITCH_M
        cuts += [y - HOLE_M, y + HOLE_M]
    cuts.append(reach_y)
    for row in range(ROWS):
        x = (row - (ROWS - 1) / 2) * ROW_M
        out += [
            ((HOLE_M, (b - a) / 2, thick), (x, (a + b) / 2, z - thick))
            for a, b in zip(cuts[::2], cuts[1::2], strict=True)
        ]
    return out


def _body() -> list[tuple[Vec3, Vec3]]:
    """Ground plate and two side walls."""
    reach_x, reach_y = _reach()
    sides = [((reach_x, 0.003, TOP_M / 2), (0.0, s * (reach_y - 0.003), TOP_M / 2)) for s in (-1.0, 1.0)]
    return [((reach_x, reach_y, FLOOR_M / 2), (0.0, 0.0, FLOOR_M / 2)), *sides]


def _tag(text: str, x: float, y: float) -> Visual:
    """A tag that leans back before a hole."""
    wide, high, lean = 0.042, 0.020, math.radians(42)
    image, pen = canvas(504, 240)
    pen.rectangle((3, 3, 500, 236), outline=(90, 90, 96), width=5)
    write(pen, (22, 18, 482, 222), text, lines=1, bold=0.05)
    normal = (-math.cos(lean), 0.0, math.sin(lean))
    centre = (x - HOLE_M - 0.5 * high * math.sin(lean) - 0.001, y, TOP_M + 0.5 * high * math.cos(lean))
    return Visual(
        facing(wide, high, centre, normal), Material(texture=texture_of(image), specular=0.0, emission=0.25), "tag"
    )


@category("flask", nouns=("flask", "beaker"))
def flask(rng: np.random.Generator) -> Asset:
    """A wide flask, 80 mm at the mouth, that stands firmly; its fill is what was poured in."""
    mouth, foot, high = 0.040, float(rng.uniform(0.047, 0.052)), float(rng.uniform(0.085, 0.105))
    neck = 0.72 * high
    outer = [(1e-5, 0.0), (foot - 0.006, 0.0), (foot, 0.006), (mouth + 0.002, neck), (mouth + 0.002, high - 0.003)]
    lip = [(mouth + 0.0045, high - 0.0015), (mouth + 0.0025, high), (mouth, high - 0.001), (mouth, neck)]
    curve = np.asarray([*outer, *lip])
    glass = Material((0.88, 0.94, 0.96), specular=0.9, shininess=0.9, alpha=0.30)
    level = 0.45 * high
    at = foot - (foot - mouth) * level / neck - 0.003
    liquid = np.asarray([(1e-5, 0.003), (foot - 0.008, 0.003), (foot - 0.004, 0.008), (at, level), (1e-5, level)])
    visuals = (
        Visual(revolve(liquid, 28), Material(LIQUIDS["colourless"], specular=0.3, shininess=0.5), "fill"),
        Visual(revolve(curve, 32), glass, "glass"),
        Visual(_marks(foot, mouth, neck), Material((0.25, 0.28, 0.32), specular=0.0), "scale"),
    )
    colliders: tuple[Collider, ...] = (
        cylinder(foot - 0.002, 0.0, 0.006, 0.15),
        *wall((foot - 0.0015, 0.004), (mouth + 0.0015, neck), 0.003, 12, 0.10, "wall"),
        *wall((mouth + 0.0015, neck), (mouth + 0.0015, high), 0.003, 12, 0.05, "wall"),
    )
    inner = 0.92 * mouth
    sites = (Site("inside", "contain", (0.0, 0.0, high / 2 + 0.003), (inner, inner, high / 2 - 0.003)),)
    return Asset(Link("root", visuals, colliders), foot, high, sites, kind="fixture", fill="fill")


def _marks(foot: float, mouth: float, neck: float) -> Mesh:
    """Graduation: short bars on the side that the robot sees."""
    bars = []
    for k, share in enumerate((0.25, 0.45, 0.65, 0.85)):
        r = foot + (mouth + 0.002 - foot) * share + 0.0006
        bars.append(
            slab((0.0003, 0.009 if k % 2 else 0.006, 0.0006), 1e-4, centre=(-r, 0.0, 0.006 + share * (neck - 0.006)))
        )
    return merge(*bars)
