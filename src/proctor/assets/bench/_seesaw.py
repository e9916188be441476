"""The seesaw whose one pan lies at the bottom of a well, and the weights that lift it.

Joint ``beam``: 0 with the pan in the well down, 0.63 rad with it up; what lies in it holds it down. The well's walls
are of glass, leave no room for a palm and are higher than fingers reach. Sites: ``well`` (the room between the walls),
``cradle`` (on the pan in it), ``pan`` (the other pan) with its halves ``near`` and ``far``, seen from the robot.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_x
from .._containers import MAPLE, OAK, WALNUT, timber
from .._mesh import merge
from .._model import Joint, Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import slab, sweep
from .._texture import pick, varied
from ._boards import Piece, boards, brushed, enamel, span
from ._cubes import SIDES, block, on_side
from ._print import INK, canvas, facing, rgb, texture_of, write

ARM_M = 0.25
"""From the hinge to the middle of either pan."""
TILT_RAD = math.radians(18.0)
PIVOT_M = 0.112
PLANK_M = (0.015, 0.005)
"""Half width and half thickness of the beam."""
PAN_M, TRAY_M = 0.050, 0.075
"""Half width of the pans along the beam, and of the open one across it: room for two weights."""
RIM_M, CRADLE_RIM_M, WALL_M = 0.020, 0.012, 0.004
"""The pan in the well has the lower rim: fingers take a small fruit that leans on it."""
FLOOR_M = 0.006
WELL_Y, WELL_X, WELL_HIGH = (0.171, 0.312), 0.060, 0.165
"""The well inside: from the hinge outwards, half its depth, and the height of its rim."""
SLOT_M = 0.021
"""Half width of the slot in which the beam moves."""
COLOURS = ((0.80, 0.22, 0.18), (0.16, 0.40, 0.62), (0.92, 0.70, 0.22), (0.30, 0.52, 0.36), (0.46, 0.34, 0.58))
LIGHTEST_G, HEAVIEST_G = 20, 600


@category("seesaw", nouns=("seesaw", "lever"), looks={"well": ("left", "right")})
def seesaw(rng: np.random.Generator, well: str = "left") -> Asset:
    """Beam of 50 cm across the table on a trestle, a walled pan at its left or right end."""
    side = 1.0 if well == "left" else -1.0
    wood = timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))])
    paint, metal = enamel(rng, pick(rng, COLOURS)), brushed(rng)
    glass = Material(varied(rng, (0.75, 0.84, 0.88), 0.02), specular=0.8, shininess=0.8, alpha=0.32)
    made = _trestle(wood, metal) + _well(side, glass)
    low, high = sorted((side * WELL_Y[0], side * WELL_Y[1]))
    half, at = span((-WELL_X, WELL_X), (low, high), (0.004, WELL_HIGH))
    return Asset(
        Link("root", made.visuals, made.colliders, children=(_beam(side, wood, paint),)),
        radius_m=WELL_Y[1] + WALL_M,
        height_m=PIVOT_M + ARM_M * math.sin(TILT_RAD) + FLOOR_M + RIM_M,
        sites=(Site("well", "contain", at, half), *_places(side)),
        kind="fixture",
    )


def _trestle(wood: Material, metal: Material) -> Piece:
    """Return the foot, two cheeks beside the beam, and the axle."""
    foot = span((-0.055, 0.055), (-0.070, 0.070), (0.0, 0.014))
    cheeks = [span(x, (-0.016, 0.016), (0.014, PIVOT_M + 0.014)) for x in ((-0.032, -0.020), (0.020, 0.032))]
    made = boards(foot, *cheeks, material=wood, part="trestle", bevel=0.003)
    axle = sweep(np.linspace((-0.038, 0.0, PIVOT_M), (0.038, 0.0, PIVOT_M), 3), 0.006, 14)
    return made + Piece((Visual(axle, metal, "trestle"),))


def _well(side: float, glass: Material) -> Piece:
    """Return the four walls; the one towards the hinge has a slot for the beam."""
    (near, far), x, t = WELL_Y, WELL_X, WALL_M
    z = (0.0, WELL_HIGH)
    parts = [
        span((-x - t, -x), _side(side, near - t, far + t), z),
        span((x, x + t), _side(side, near - t, far + t), z),
        span((-x, x), _side(side, far, far + t), z),
        span((-x, -SLOT_M), _side(side, near - t, near), z),
        span((SLOT_M, x), _side(side, near - t, near), z),
    ]
    return boards(*parts, material=glass, part="well", bevel=0.0012)


def _side(side: float, low: float, high: float) -> tuple[float, float]:
    a, b = sorted((side * low, side * high))
    return a, b


def _beam(side: float, wood: Material, paint: Material) -> Link:
    """Return plank and pans in the frame of the hinge, which leans towards the well."""
    wide, thick = PLANK_M
    plank = span((-wide, wide), (-ARM_M - 0.03, ARM_M + 0.03), (-thick, thick))
    made = boards(plank, material=wood, part="beam", kg_per_m3=300.0)
    made += _pan(side * ARM_M, PAN_M, CRADLE_RIM_M, paint)
    made += _pan(-side * ARM_M, TRAY_M, RIM_M, paint)
    joint = Joint(
        "beam", "hinge", (side, 0.0, 0.0), (0.0, 2 * TILT_RAD), damping=0.4, frictionloss=0.005, armature=0.01
    )
    return Link("beam", made.visuals, made.colliders, (0.0, 0.0, PIVOT_M), about_x(-side * TILT_RAD), joint=joint)


def _pan(y: float, x: float, high: float, paint: Material) -> Piece:
    """Return a pan about ``y``, ``x`` deep to either side, with a ``high`` rim.

    Light, so that only what lies in it counts; the deeper one is of lighter boards, so that both weigh the same.
    """
    low, t, h = PLANK_M[1], WALL_M, PAN_M
    floor, rim = (low, low + FLOOR_M), (low + FLOOR_M, low + FLOOR_M + high)
    return boards(
        span((-x - t, x + t), (y - h - t, y + h + t), floor),
        span((-x - t, -x), (y - h - t, y + h + t), rim),
        span((x, x + t), (y - h - t, y + h + t), rim),
        span((-x, x), (y - h - t, y - h), rim),
        span((-x, x), (y + h, y + h + t), rim),
        material=paint, part="pan", kg_per_m3=250.0 * (PAN_M + t) / (x + t), bevel=0.001,
    )  # fmt: skip


def _places(side: float) -> list[Site]:
    floor = PLANK_M[1] + FLOOR_M
    sites = [_place("cradle", "place", side * ARM_M, (-PAN_M, PAN_M), floor)]
    sites.append(_place("pan", "contain", -side * ARM_M, (-TRAY_M, TRAY_M), floor))
    for name, x in (("near", (-TRAY_M, -0.004)), ("far", (0.004, TRAY_M))):
        sites.append(_place(name, "contain", -side * ARM_M, x, floor))
    return sites


def _place(name: str, kind: str, y: float, x: tuple[float, float], floor: float) -> Site:
    half, at = span(x, (y - PAN_M, y + PAN_M), (floor, floor + 0.06))
    return Site(name, "place" if kind == "place" else "contain", at, half, "beam")


@category("weight", nouns=("weight", "cube"), looks={"mass_g": None})
def weight(rng: np.random.Generator, mass_g: str = "") -> Asset:
    """Metal cube of 30 to 50 mm with its mass in grams on every side; the heavier, the larger."""
    grams = min(max(int(mass_g or rng.integers(60, 501)), LIGHTEST_G), HEAVIEST_G)
    half = 0.015 + 0.010 * min(max((grams - 60) / 440, 0.0), 1.0)
    ground = varied(rng, pick(rng, ((0.66, 0.68, 0.71), (0.74, 0.60, 0.30), (0.34, 0.36, 0.40))), 0.02)
    image, pen = canvas(192, 192, rgb(ground))
    pen.rounded_rectangle((14, 34, 178, 158), 18, rgb(varied(rng, (0.96, 0.95, 0.92), 0.01)))
    write(pen, (24, 44, 168, 148), f"{grams} g", INK, lines=1, bold=0.05)
    size = 2 * (half - 0.0012)
    faces = merge(*(facing(size, size, on_side(s, half), s) for s in SIDES))
    centre: Vec3 = (0.0, 0.0, half)
    visuals = (
        Visual(slab((half,) * 3, 0.0018, centre=centre), Material(ground, specular=0.8, shininess=0.7)),
        Visual(faces, Material(texture=texture_of(image), specular=0.4, shininess=0.4)),
    )
    return block(half, visuals, (f"{grams} g weight",), mass_kg=grams / 1000)
