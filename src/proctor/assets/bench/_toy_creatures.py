"""Toys that are animals: crab, dragon, bear, duck, hedgehog. Sizes in millimetres."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_x, about_y, times
from .._model import Vec3
from .._registry import Asset
from ._figure import BLACK, WHITE, Figure
from ._toy_people import TRIMS


def crab(rng: np.random.Generator) -> Asset:
    """Pinch: flat red shell, raised claws, eyes on stalks, four legs."""
    f = Figure(rng, "Harbour", 0.45)
    red = f.tint([(0.84, 0.18, 0.12), (0.88, 0.30, 0.12), (0.74, 0.10, 0.14)])
    pale = (0.5 * red[0] + 0.5, 0.5 * red[1] + 0.42, 0.5 * red[2] + 0.36)
    f.ball((17.5, 22, 11.5), (0, 0, 19), red, fine=2)
    f.ball((15, 19.5, 8), (-1, 0, 15), pale, fine=2)
    for side in (-1, 1):
        for x, spread in ((1.0, 29), (9.0, 27)):
            f.tube([(x, side * 15, 17), (x + 2, side * 23, 20), (x + 3, side * spread, 6)], 2.0, red)
        raise_mm = float(rng.uniform(26, 34))
        f.tube([(-9, side * 16, 19), (-15, side * 23, 23), (-18, side * 22, raise_mm - 3)], 2.8, red)
        f.ball((6.5, 6.5, 8.0), (-18, side * 21, raise_mm + 2), red)
        for turn in (-1, 1):
            f.cone(3.6, 9, (-18, side * 21 + 3.4 * turn, raise_mm + 6), red, (0, -0.28 * turn, 1), 0.8)
        f.solid_ball((6, 6, 9), (-17, side * 21, raise_mm + 2), 3, "claw")
        f.rod((-11, side * 6, 26), (-12, side * 7, 34), 1.5, red)
        f.ball((4, 4, 4), (-12.4, side * 7, 37), WHITE)
        f.ball((2.0, 2.2, 2.2), (-15.4, side * 7, 37), BLACK, fine=0)
    f.tube([(-16.6, -5, 17.5), (-17.6, 0, 16), (-16.6, 5, 17.5)], 0.9, BLACK)
    for y, x in ((-9, 2), (9, 3), (0, 8), (-3, -4)):
        f.ball((2.2, 2.2, 1.0), (x, y, 29.6 - 0.02 * (x * x + y * y)), pale, fine=0)
    f.solid_ball((17.5, 22, 11.5), (0, 0, 19), 62)
    return f.finish("crab", (0, 0, 18.5), 35, 46, 33, along_x=True, part="body")


def dragon(rng: np.random.Generator) -> Asset:
    """Ember: sitting orange dragon with wings, a row of spines and a curled tail."""
    f = Figure(rng, "Castle", 0.4)
    hide = f.tint([(0.92, 0.46, 0.10), (0.86, 0.34, 0.12), (0.94, 0.56, 0.16)])
    belly: Vec3 = (0.97, 0.84, 0.52)
    wing = f.tint([(0.66, 0.14, 0.12), (0.52, 0.16, 0.34), (0.30, 0.36, 0.16)])
    f.ball((15, 15.5, 19), (1, 0, 24), hide, fine=2)
    f.ball((11, 11, 15), (-5.5, 0, 22), belly, fine=2)
    for side in (-1, 1):
        f.ball((9, 6, 7), (-3, side * 12, 11), hide)
        f.ball((6, 5, 3.4), (-12, side * 11, 8), hide)
        f.rod((-8, side * 12, 30), (-15, side * 9, float(rng.uniform(24, 29))), 3.0, hide)
        spread = float(rng.uniform(0.15, 0.5))
        at = (11 + 4 * spread, side * 22, 33)
        f.block((0.9, 12, 8), at, wing, times(about_x(side * 0.45), about_y(0.2)), 0.6)
        f.tube([(9, side * 10, 32), (12, side * 22, 43), (12 + 4 * spread, side * 33, 37)], 1.4, hide)
    f.tube([(12, 0, 10), (22, 4, 8), (24, 14, 8), (16, 21, 9)], 3.6, hide)
    f.cone(4.0, 7, (16, 21, 9), wing, (-1, 0.4, 0.15))
    f.ball((16, 16.5, 14.5), (-3, 0, 54), hide, fine=2)
    f.ball((9, 10.5, 7.5), (-15, 0, 50), hide, fine=1)
    f.ball((7, 9, 4), (-16, 0, 46.5), belly, fine=1)
    f.eyes(-14.4, 7.8, 58.5, 4.0)
    for side in (-1, 1):
        f.ball((0.9, 1.3, 1.2), (-23, side * 3.4, 53), BLACK, fine=0)
        f.cone(3.0, 11, (2, side * 8.5, 64), belly, (0.45, side * 0.2, 1))
        f.cone(4.2, 9, (5, side * 13, 57), wing, (0.6, side * 0.8, 0.25))
    for x, z in ((4, 66.5), (12, 59), (14, 45), (16.5, 33), (17, 22)):
        f.cone(3.4, 6.5, (x, 0, z), wing, (0.7 if x > 6 else 0.25, 0, 0.8))
    f.solid_ball((15, 15.5, 19), (1, 0, 24), 52)
    f.solid_ball((16, 16.5, 14.5), (-3, 0, 54), 12, "head")
    f.solid_ball((8, 9.5, 6), (-15, 0, 50), 2, "head")
    return f.finish("dragon", (-3, 0, 52), 33, 76, 33)


def bear(rng: np.random.Generator) -> Asset:
    """Tussock: sitting bear with round ears and a scarf."""
    f = Figure(rng, "Meadow", 0.12)
    fur = f.tint([(0.50, 0.32, 0.18), (0.62, 0.42, 0.24), (0.38, 0.25, 0.16)])
    pale = (0.45 + 0.5 * fur[0], 0.42 + 0.5 * fur[1], 0.36 + 0.5 * fur[2])
    scarf = f.tint(TRIMS)
    f.ball((16, 17, 17), (1, 0, 21), fur, fine=2)
    f.ball((10, 11.5, 11.5), (-7.5, 0, 20), pale, fine=1)
    for side in (-1, 1):
        f.ball((9, 6.8, 6.8), (-13, side * 11, 11), fur)
        f.ball((2.2, 4.6, 4.6), (-21, side * 11, 11.5), pale, fine=0)
        f.rod((-3, side * 14, 30), (-11, side * 15, float(rng.uniform(18, 26))), 4.6, fur)
        f.ball((4.0, 6.6, 6.6), (1, side * 12.5, 66), fur)
        f.ball((2.4, 4.0, 4.0), (-1.8, side * 12.5, 66), pale, fine=0)
    f.lathe(np.array([(11, 36), (14.5, 37), (14.5, 40.5), (11, 41.5)]), scarf)
    f.block((1.6, 3.2, 8), (-14, 6, 32), scarf, about_x(0.2), 0.8)
    f.ball((16.5, 18, 16), (0, 0, 53), fur, fine=2)
    f.ball((7.5, 9, 7), (-13.5, 0, 48.5), pale)
    f.ball((2.4, 3.6, 2.6), (-20.2, 0, 51), BLACK, fine=0)
    f.tube([(-20.4, -3, 46.5), (-20.6, 0, 45.2), (-20.4, 3, 46.5)], 0.6, BLACK)
    f.eyes(-14.2, 7.0, 56.5, 2.3, white=False)
    f.ball((4.5, 4.5, 4.5), (17, 0, 12), fur, fine=0)
    f.solid_ball((16, 17, 17), (1, 0, 21), 50)
    f.solid_ball((16.5, 18, 16), (0, 0, 53), 14, "head")
    for side in (-1, 1):
        f.solid_ball((4.5, 6.6, 6.6), (1, side * 12.5, 66), 1, "ear")
    return f.finish("bear", (0, 0, 51), 36, 73, 25)


def duck(rng: np.random.Generator) -> Asset:
    """Dab: yellow duck with a flat orange bill and a tail that points up."""
    f = Figure(rng, "Meadow", 0.35)
    yellow = f.tint([(0.96, 0.80, 0.16), (0.98, 0.86, 0.34), (0.94, 0.72, 0.14)])
    deep = (0.92 * yellow[0], 0.82 * yellow[1], 0.7 * yellow[2])
    bill, bow = f.tint([(0.94, 0.48, 0.08), (0.90, 0.38, 0.08)]), f.tint(TRIMS)
    f.ball((24, 17.5, 15), (2, 0, 19), yellow, fine=2)
    f.cone(9, 17, (17, 0, 22), yellow, (0.8, 0, 0.75), 1.5)
    lift = float(rng.uniform(-0.1, 0.35))
    for side in (-1, 1):
        f.ball((13, 3.2, 8), (5, side * 15.6, 21), deep, times(about_y(lift), about_x(side * 0.2)))
        f.ball((7, 5, 1.6), (-14, side * 8, 6.4), bill)
    f.ball((15, 14.5, 14), (-12, 0, 45), yellow, fine=2)
    f.ball((8.5, 8.5, 2.4), (-28, 0, 42.5), bill)
    f.ball((6.5, 7.0, 2.0), (-26, 0, 39.6), (0.8 * bill[0], 0.7 * bill[1], bill[2]))
    f.eyes(-22.6, 7.4, 49, 2.9)
    f.tube([(-13, 0, 58), (-11, 1, 63), (-7, 2, 64)], 1.2, yellow)
    for side in (-1, 1):
        f.cone(4.2, 7, (-20, 0, 32), bow, (-0.35, side, 0.1), 3.4)
    f.ball((2.4, 2.4, 2.4), (-20.6, 0, 32), bow, fine=0)
    f.solid_ball((24, 18, 15), (2, 0, 19), 62)
    f.solid_ball((15, 14.5, 14), (-12, 0, 45), 8, "head")
    f.solid_ball((9, 8, 3.5), (-27, 0, 41.5), 1, "bill")
    return f.finish("duck", (6, 0, 26.5), 32, 61, 36, part="body")


def hedgehog(rng: np.random.Generator) -> Asset:
    """Prickle: a dome of spines over a pale pointed face."""
    f = Figure(rng, "Meadow", 0.15)
    brown = f.tint([(0.40, 0.27, 0.17), (0.32, 0.22, 0.15), (0.48, 0.34, 0.22)])
    tip = (0.45 * brown[0] + 0.48, 0.45 * brown[1] + 0.44, 0.45 * brown[2] + 0.36)
    face = f.tint([(0.86, 0.70, 0.52), (0.80, 0.62, 0.46)])
    f.ball((22, 19, 21), (4, 0, 20), brown, fine=2)
    f.ball((15, 15, 13.5), (-10, 0, 17), face, fine=2)
    f.cone(8.5, 14, (-18, 0, 16), face, (-1, 0, 0.12), 2.2)
    f.ball((2.8, 2.8, 2.6), (-33, 0, 18), BLACK, fine=0)
    f.eyes(-21.6, 6.6, 21.5, 2.3, white=False)
    f.tube([(-24, -4, 12), (-26, 0, 11.2), (-24, 4, 12)], 0.6, BLACK)
    for side in (-1, 1):
        f.ball((2.0, 4.2, 4.4), (-11, side * 12, 28), face, fine=0)
        f.ball((5, 4, 3.4), (-10, side * 10, 7.5), face, fine=0)
        f.ball((5, 4, 3.4), (13, side * 10, 7.5), face, fine=0)
    count, golden = 54, math.pi * (3 - math.sqrt(5))
    for k in range(count):
        z = 1 - 1.45 * (k + 0.5) / count
        out = np.array([math.sqrt(1 - z * z) * math.cos(golden * k), math.sqrt(1 - z * z) * math.sin(golden * k), z])
        if out[0] < -0.42 or (out[0] < -0.1 and out[2] < 0.1):
            continue
        at = np.array([4.0, 0.0, 20.0]) + out * (21.5, 18.5, 20.5)
        length = float(rng.uniform(5.5, 8.0)) * (0.72 if abs(out[1]) > 0.75 else 1.0)
        lean = out + np.array([0.45, 0.0, 0.1])
        f.cone(2.3, length, (float(at[0]), float(at[1]), float(at[2])), tip if k % 3 == 0 else brown,
               (float(lean[0]), float(lean[1]), float(lean[2])))  # fmt: skip
    f.solid_ball((22, 19, 17.5), (4, 0, 23), 64)
    f.solid_ball((15, 13, 11), (-16, 0, 16.5), 6, "head")
    return f.finish("hedgehog", (4, 0, 22), 38, 47, 36, part="body")
