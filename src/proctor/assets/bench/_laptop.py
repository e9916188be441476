"""The laptop: a lid on a friction hinge, with a carrying handle before its front edge to take it by.

A hand from above takes the handle's bar across, and the bar turns between the pads while the hand goes round the hinge.
Joint ``lid``: 0 closed, positive open; in use from 1.2 rad.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._mesh import make_mesh
from .._model import Handle, Joint, Link, Material, Mesh, Opening, Site, Visual
from .._registry import Asset, category
from .._texture import blend, noise, pick, plain, step, to_image, varied
from ._boards import Piece, bar, boards, brushed, seen, span

HALF_M = (0.090, 0.130)
"""Half depth and half width."""
BASE_M, LID_M = 0.016, 0.007
BAR_OUT_M = 0.038
STOP_RAD, OPEN_RAD, SHUT_RAD = 2.0, 1.2, 0.15
SHELLS = ((0.62, 0.64, 0.67), (0.24, 0.26, 0.29), (0.70, 0.62, 0.55), (0.42, 0.50, 0.58))


@category("laptop", nouns=("laptop", "computer"))
def laptop(rng: np.random.Generator) -> Asset:
    """Laptop of 26 x 18 cm that faces the robot; its base stays where it is."""
    shell = brushed(rng, pick(rng, SHELLS))
    x, y = HALF_M
    made = boards(span((-x, x), (-y, y), (0.002, BASE_M)), material=shell, part="base", bevel=0.002)
    made += seen(*_feet(), material=Material((0.08, 0.08, 0.09)))
    made += _keys(rng)
    lid = _lid(rng, shell)
    opening = Opening("lid", open_above=OPEN_RAD, closed_below=SHUT_RAD, init_open=(1.45, 1.65))
    return Asset(
        Link("root", made.visuals, made.colliders, children=(lid,)),
        radius_m=math.hypot(x + BAR_OUT_M, y),
        height_m=BASE_M + LID_M + 0.002,
        sites=(Site("screen", "place", (0.0, 0.0, BASE_M + 0.05), (x, y, 0.045), opening=opening),),
        handles=(Handle("lid", "lid", "lid", (-2 * x - BAR_OUT_M, 0.0, LID_M / 2), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),),
        kind="fixture",
    )


def _feet() -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    return [((0.008, 0.014, 0.0012), (sx * 0.07, sy * 0.10, 0.0012)) for sx in (1, -1) for sy in (1, -1)]


def _keys(rng: np.random.Generator) -> Piece:
    """Return a keyboard and a touch pad, drawn as flat caps."""
    caps = []
    for row in range(4):
        for column in range(11):
            at = (0.062 - row * 0.020, 0.105 - column * 0.021, BASE_M)
            caps.append(((0.0082, 0.0088, 0.0009), at))
    caps.append(((0.0082, 0.050, 0.0009), (-0.018, 0.0, BASE_M)))
    dark = Material(varied(rng, (0.10, 0.10, 0.11), 0.01), specular=0.3)
    pad = Material((0.35, 0.36, 0.38), specular=0.5)
    return seen(*caps, material=dark, bevel=0.0) + seen(((0.022, 0.038, 0.0004), (-0.056, 0.0, BASE_M)), material=pad)


def _lid(rng: np.random.Generator, shell: Material) -> Link:
    """Return the lid in the frame of its hinge, at the back of the base."""
    deep, y, t = 2 * HALF_M[0], HALF_M[1], LID_M
    made = boards(span((-deep, -0.004), (-y, y), (0.0, t)), material=shell, part="lid", kg_per_m3=600.0, bevel=0.0015)
    x = -deep - BAR_OUT_M
    posts = tuple(((-deep, s * 0.045, t / 2), (x, s * 0.045, t / 2)) for s in (1, -1))
    made += bar((x, -0.043, t / 2), (x, 0.043, t / 2), 0.005, posts, Material((0.12, 0.12, 0.13), specular=0.5))
    made += seen(
        span((-0.60 * deep, -0.40 * deep), (-0.016, 0.016), (t - 0.0005, t + 0.0006)),
        material=Material((0.9, 0.9, 0.92)),
    )
    screen = Visual(_screen(deep, y), Material(texture=_desktop(rng), emission=0.55, specular=0.2), "lid")
    joint = Joint("lid", "hinge", (0.0, 1.0, 0.0), (0.0, STOP_RAD), damping=0.10, frictionloss=0.28, armature=0.01)
    return Link("lid", (*made.visuals, screen), made.colliders, (HALF_M[0], 0.0, BASE_M + 0.0015), joint=joint)


def _screen(deep: float, y: float) -> Mesh:
    """Return the picture's rectangle on the lower face of the lid, upright once the lid is open."""
    x0, x1, w, z = -deep + 0.012, -0.020, y - 0.010, -0.0006
    corners = [(x1, w, z), (x1, -w, z), (x0, -w, z), (x0, w, z)]
    top = [(x, yy, z + 0.0004) for x, yy, _ in corners]
    normals = [(0.0, 0.0, -1.0)] * 4 + [(0.0, 0.0, 1.0)] * 4
    uv = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return make_mesh(corners + top, [(0, 1, 2), (0, 2, 3), (4, 6, 5), (4, 7, 6)], normals, uv * 2)


def _desktop(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a picture for the screen: a hilly landscape under a sky, a bar below with bright squares."""
    size = 128
    v, u = np.mgrid[0:size, 0:size] / size
    sky = varied(rng, pick(rng, ((0.35, 0.60, 0.85), (0.90, 0.62, 0.45), (0.25, 0.30, 0.55))), 0.03)
    image = blend(plain(sky, size, size), (0.96, 0.94, 0.90), 0.6 * (1 - v))
    for level, tone in ((0.62, 0.55), (0.48, 0.40), (0.34, 0.28)):
        ridge = level + 0.14 * (noise(rng, 1, size, 3, (1, 3))[0] - 0.5)
        image = blend(image, tuple(tone * c for c in (0.55, 0.85, 0.70)), step(ridge + 0.01, ridge - 0.01, v))
    image = blend(image, (0.10, 0.11, 0.13), 0.8 * (v < 0.07))
    for k in range(5):
        spot = (np.abs(u - 0.34 - 0.08 * k) < 0.024) & (np.abs(v - 0.035) < 0.022)
        image = blend(image, varied(rng, (0.7, 0.6, 0.5), 0.2), spot)
    return to_image(image)
