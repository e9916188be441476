"""``food``: what the tables of the fridge and the microwave know, raw, cooked, boxed, canned, in a jar or in a bowl."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._bakery import cake
from .._fruit_lying import egg
from .._mesh import merge, moved
from .._model import Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import extrude, revolve, slab, sweep
from .._texture import blend, noise, pick, plain, to_image, varied
from .._vegetables import potato
from . import _icons as icons
from ._bakery import bread_roll
from ._icons import Icon
from ._ingredient import pasta_box, rice_box
from ._ingredient_more import bread, fish, steak
from ._packages import bowlful, pot, standing_box, tin
from ._sized import fitted, reachable
from ._table_setting import cutlery
from ._vessels_labelled import Art, carton, label, sleeve

GLAZES: tuple[Vec3, ...] = ((0.92, 0.91, 0.88), (0.34, 0.48, 0.62), (0.72, 0.46, 0.34), (0.42, 0.54, 0.44))


def _art(rng: np.random.Generator, word: str, ground: Vec3, band: Vec3, icon: Icon | None) -> tuple[Art, Vec3]:
    colour = varied(rng, ground, 0.02)
    return label(colour, varied(rng, band, 0.02), word, icon, rng), colour


def milk_carton(rng: np.random.Generator) -> Asset:
    """Gable-top carton of milk."""
    blue: tuple[Vec3, ...] = ((0.20, 0.40, 0.72), (0.20, 0.52, 0.34), (0.74, 0.18, 0.20))
    band = pick(rng, blue)
    art, ground = _art(rng, "milk", (0.95, 0.96, 0.97), band, icons.milk)
    return carton(rng, art, ground, varied(rng, band, 0.02))


def opened_yoghurt(rng: np.random.Generator) -> Asset:
    """Tub with its foil torn back, 54 to 60 mm across, 60 to 68 mm tall: one sees what is in it."""
    r, h = rng.uniform(0.027, 0.030), rng.uniform(0.060, 0.068)
    tone: tuple[Vec3, ...] = ((0.97, 0.80, 0.86), (0.78, 0.88, 0.96), (0.98, 0.92, 0.70))
    art, ground = _art(rng, "yoghurt", pick(rng, tone), (0.80, 0.24, 0.44), icons.spoon)
    plan = pot(rng, art, ground, rng.uniform(0.10, 0.14), r, h)
    rim = revolve([(r, 0.84 * h), (r + 0.0012, h - 0.001), (r, h), (r - 0.002, h), (r - 0.003, h - 0.004)], 26)
    cream = revolve([(r - 0.0028, h - 0.004), (0.5 * r, h - 0.0032), (1e-5, h - 0.0036)], 26)
    turn = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 11)
    torn = np.c_[0.97 * r * np.cos(turn), 0.97 * r * np.sin(turn)]
    torn[0, 0] = torn[-1, 0] = rng.uniform(0.0, 0.006)
    foil = moved(extrude(torn, 0.0006), (0.0, 0.0, h + 0.0004))
    curl = sweep(
        [(0.003, -0.8 * r, h + 0.0028), (0.001, 0.0, h + 0.0034), (0.004, 0.8 * r, h + 0.0028)], [0.0026] * 3, 8
    )
    visuals = (
        sleeve((r, 0.006), (r, 0.85 * h), art, 0.2),
        Visual(merge(plan.root.visuals[1].mesh, rim), Material((0.94, 0.93, 0.91), specular=0.3)),
        Visual(cream, Material((0.98, 0.96, 0.93), specular=0.5, shininess=0.5), "content"),
        Visual(merge(foil, curl), Material((0.80, 0.81, 0.83), specular=0.9, shininess=0.8), "stem"),
    )
    return replace(plan, root=Link("root", visuals, plan.root.colliders))


def leftovers(rng: np.random.Generator) -> Asset:
    """Lunch box, 72 to 78 mm wide, 58 to 62 mm deep, 44 to 50 mm high, with a coloured lid and a written label."""
    half = (rng.uniform(0.029, 0.031), rng.uniform(0.036, 0.039), rng.uniform(0.022, 0.025))
    x, y, z = half
    lid: tuple[Vec3, ...] = ((0.82, 0.26, 0.20), (0.20, 0.48, 0.66), (0.30, 0.58, 0.34), (0.94, 0.70, 0.20))
    colour = varied(rng, pick(rng, lid), 0.02)
    stew = varied(rng, (0.66, 0.38, 0.16), 0.03)
    art, _ = _art(rng, "leftovers", (0.96, 0.95, 0.90), colour, None)
    plan = standing_box(half, art, stew, rng.uniform(0.14, 0.18))
    bits = to_image(_mixed(rng, stew, ((0.86, 0.50, 0.14), (0.30, 0.50, 0.18), (0.92, 0.84, 0.60))))
    cover = slab((x + 0.0004, y + 0.0004, 0.005), 0.002, centre=(0.0, 0.0, 2 * z - 0.0045))
    window = slab((0.78 * x, 0.82 * y, 0.0006), 0.0003, 12.0, centre=(0.0, 0.0, 2 * z + 0.0004))
    visuals = (
        *plan.root.visuals,
        Visual(cover, Material(colour, specular=0.5, shininess=0.5), "cap"),
        Visual(window, Material(texture=bits, specular=0.7, shininess=0.8), "content"),
    )
    return replace(plan, root=Link("root", visuals, plan.root.colliders), height_m=2 * z + 0.001)


def _mixed(rng: np.random.Generator, ground: Vec3, bits: tuple[Vec3, ...]) -> np.ndarray:
    image = plain(ground, 96, 96)
    for colour in bits:
        image = blend(image, varied(rng, colour, 0.03), (noise(rng, 96, 96, 2, (8, 8)) > 0.66).astype(float))
    return image


def cream_cake(rng: np.random.Generator) -> Asset:
    """Small layer cake."""
    return fitted(cake(rng), rng.uniform(0.058, 0.063))


def canned_beans(rng: np.random.Generator) -> Asset:
    """Can of beans, 56 to 62 mm across, 76 to 84 mm tall."""
    tone: tuple[Vec3, ...] = ((0.20, 0.46, 0.56), (0.70, 0.20, 0.14), (0.30, 0.42, 0.20))
    art, _ = _art(rng, "beans", pick(rng, tone), (0.96, 0.84, 0.50), icons.beans)
    return tin(art, rng.uniform(0.18, 0.24), rng.uniform(0.028, 0.031), rng.uniform(0.076, 0.084))


def sealed_can(rng: np.random.Generator) -> Asset:
    """Can of peaches, 56 to 62 mm across, 70 to 80 mm tall."""
    tone: tuple[Vec3, ...] = ((0.96, 0.70, 0.36), (0.52, 0.72, 0.86), (0.94, 0.88, 0.70))
    art, _ = _art(rng, "peaches", pick(rng, tone), (0.86, 0.36, 0.20), icons.peach)
    return tin(art, rng.uniform(0.18, 0.24), rng.uniform(0.028, 0.031), rng.uniform(0.070, 0.080))


def honey_jar(rng: np.random.Generator) -> Asset:
    """Jar of honey, 54 to 60 mm across, 70 to 80 mm tall."""
    art, _ = _art(rng, "honey", (0.96, 0.72, 0.20), (0.36, 0.20, 0.06), icons.comb)
    lids: tuple[Vec3, ...] = ((0.80, 0.62, 0.22), (0.36, 0.22, 0.12), (0.92, 0.90, 0.86))
    size = rng.uniform(0.027, 0.030), rng.uniform(0.070, 0.080)
    return pot(rng, art, pick(rng, lids), rng.uniform(0.20, 0.26), *size)


def small_potato(rng: np.random.Generator) -> Asset:
    """Potato that a hand spans."""
    return fitted(potato(rng), rng.uniform(0.056, 0.063))


def rice_bowl(rng: np.random.Generator) -> Asset:
    """Bowl with a mound of cooked rice."""
    return bowlful(rng, pick(rng, GLAZES[1:]), (0.96, 0.95, 0.91), ((0.88, 0.87, 0.80), (0.99, 0.99, 0.97)), 0.010)


def soup_bowl(rng: np.random.Generator) -> Asset:
    """Bowl of soup, level, with bits in it."""
    soups: tuple[Vec3, ...] = ((0.84, 0.40, 0.10), (0.74, 0.20, 0.10), (0.46, 0.58, 0.20), (0.88, 0.76, 0.44))
    return bowlful(rng, pick(rng, GLAZES), pick(rng, soups), ((0.30, 0.54, 0.20), (0.94, 0.72, 0.30)), 0.0005)


def spoon(rng: np.random.Generator) -> Asset:
    """Something of steel from the drawer."""
    return cutlery(rng, ("spoon", "fork", "knife")[int(rng.integers(3))])


KINDS: dict[str, Callable[[np.random.Generator], Asset]] = {
    "milk carton": milk_carton,
    "raw fish": fish,
    "raw steak": steak,
    "opened yoghurt": opened_yoghurt,
    "cooked leftovers": leftovers,
    "cream cake": cream_cake,
    "bread": bread,
    "canned beans": canned_beans,
    "uncooked rice": rice_box,
    "uncooked pasta": pasta_box,
    "honey jar": honey_jar,
    "potato": small_potato,
    "cooked rice bowl": rice_bowl,
    "soup bowl": soup_bowl,
    "bread roll": bread_roll,
    "raw egg in shell": egg,
    "sealed can": sealed_can,
    "metal cutlery": spoon,
}


@category("food", nouns=("food",), looks={"kind": tuple(KINDS)})
def food(rng: np.random.Generator, kind: str = "") -> Asset:
    """Something to keep cold, to keep dry, or to warm."""
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    return replace(reachable(fitted(KINDS[kind](rng))), nouns=(kind,))
