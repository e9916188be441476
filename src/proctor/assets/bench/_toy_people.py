"""Toys that stand on two legs: pirate, diver, astronaut, alien, robot, knight, wizard. Sizes in millimetres."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_x, about_y
from .._model import Vec3
from .._registry import Asset
from .._texture import blend, plain, step, to_image
from ._figure import BLACK, SKIN, WHITE, Figure

GOLD: Vec3 = (0.88, 0.68, 0.20)
STEEL: Vec3 = (0.72, 0.74, 0.77)
DARK: Vec3 = (0.16, 0.18, 0.22)
TRIMS: tuple[Vec3, ...] = (
    (0.80, 0.14, 0.14),
    (0.14, 0.40, 0.72),
    (0.90, 0.66, 0.12),
    (0.20, 0.56, 0.34),
    (0.60, 0.24, 0.58),
)


def pirate(rng: np.random.Generator) -> Asset:
    """Captain Brine: striped shirt, black hat with an anchor, eye patch, peg leg."""
    f = Figure(rng, "Harbour")
    skin, trim = f.tint(SKIN), f.tint(TRIMS)
    f.rod((0, 7, 9), (0, 7, 18), 5.2, (0.20, 0.22, 0.32))
    f.ball((9, 6, 4.5), (-3, 7, 8.5), (0.22, 0.13, 0.08))
    f.rod((0, -7, 6), (0, -7, 18), 2.6, (0.56, 0.36, 0.18))
    v = np.linspace(0, 1, 64)[:, None] + np.zeros((1, 8))
    shirt = blend(
        plain(WHITE, 64, 8), f.tint([(0.14, 0.26, 0.62), (0.62, 0.12, 0.14)]), step(-0.1, 0.1, np.sin(34 * v))
    )
    f.painted(np.array([(1e-5, 14), (11, 15), (14, 20), (14.5, 28), (13, 36), (8, 41), (1e-5, 42)]), to_image(shirt))
    f.lathe(np.array([(14.6, 19), (15, 20), (15, 22), (14.6, 23)]), trim)
    f.arms(13, 35, 14, 3.6, f.tint([(0.14, 0.26, 0.62)]), skin)
    f.ball((15, 15.5, 14.5), (0, 0, 54), skin, fine=2)
    f.ball((9, 10.5, 8), (-6, 0, 46), f.tint([(0.24, 0.13, 0.07), (0.10, 0.09, 0.09), (0.60, 0.30, 0.12)]), fine=1)
    f.ball((3.6, 3.2, 3), (-15.5, 0, 53), skin, fine=0)
    f.ball((1.6, 2.4, 2.4), (-13.6, 5.5, 57), BLACK, fine=0)
    f.ball((1.8, 4.0, 4.0), (-13.2, -5.5, 57), BLACK, fine=0)
    f.tube([(-12, -9, 59), (-13, 0, 62), (-9, 11, 64)], 0.7, BLACK)
    f.ball((16, 23, 4.5), (0, 0, 64.5), BLACK, fine=2)
    f.ball((11, 17, 12), (1, 0, 67), BLACK, fine=2)
    f.tube([(-15, -19, 66), (-17, 0, 66.5), (-15, 19, 66)], 0.9, trim)
    _anchor(f, (-11.2, 0, 71.5))
    f.solid_column(14.5, 5, 41, 34)
    f.solid_ball((15, 15.5, 14.5), (0, 0, 54), 12, "head")
    f.solid_ball((15, 22, 9), (0, 0, 68), 4, "hat")
    return f.finish("pirate", (0, 0, 52), 31, 79, 26)


def _anchor(f: Figure, at: tuple[float, float, float]) -> None:
    x, y, z = at
    f.tube([(x, y, z - 3.6), (x, y, z), (x, y, z + 3.0)], 0.8, WHITE)
    f.tube([(x, y - 2.2, z + 1.8), (x, y, z + 1.8), (x, y + 2.2, z + 1.8)], 0.7, WHITE)
    f.tube([(x + 0.4, y - 3.4, z - 1.6), (x, y, z - 4.0), (x + 0.4, y + 3.4, z - 1.6)], 0.8, WHITE)
    f.ball((0.8, 1.5, 1.5), (x + 0.2, y, z + 4.2), WHITE, fine=0)


def diver(rng: np.random.Generator) -> Asset:
    """Marlo the Diver: yellow suit, round grey helmet with windows, heavy boots, an air hose."""
    f = Figure(rng, "Harbour", 0.45)
    suit = f.tint([(0.94, 0.74, 0.10), (0.90, 0.62, 0.10), (0.96, 0.82, 0.26)])
    brass, grey = f.tint([GOLD, (0.72, 0.50, 0.22)]), f.tint([(0.60, 0.63, 0.66), (0.50, 0.54, 0.58)])
    for side in (-1, 1):
        f.rod((0, side * 7.5, 9), (0, side * 7.5, 16), 6, suit)
        f.block((8.5, 6.5, 4.5), (-2, side * 7.5, 9.5), DARK)
    f.ball((15.5, 17, 16), (0, 0, 26), suit, fine=2)
    f.ball((14, 15, 3.5), (0, 0, 17), DARK, fine=2)
    f.block((2, 3.5, 2.5), (-14.2, 0, 17.5), brass, bevel=0.6)
    f.arms(15, 32, 13, 4.2, suit, DARK)
    f.lathe(np.array([(14, 37), (15.5, 38), (15.5, 41), (14, 42)]), brass)
    f.ball((17, 17, 17), (0, 0, 55), grey, fine=2)
    f.ball((4, 9.5, 9.5), (-14.2, 0, 55), brass, fine=1)
    f.ball((4, 7.6, 7.6), (-15.4, 0, 55), (0.10, 0.14, 0.20), fine=1)
    f.ball((1.2, 2.0, 1.5), (-18.9, 2.6, 58), (0.80, 0.88, 0.94), fine=0)
    for side in (-1, 1):
        f.ball((5, 3, 5), (-1, side * 15.2, 56), brass, fine=0)
        f.ball((3.6, 3.6, 3.6), (-1, side * 15.6, 56), (0.10, 0.14, 0.20), fine=0)
    f.tube([(13, 0, 64), (21, 2, 60), (22, 4, 42), (14, 6, 32)], 2.2, DARK)
    f.ball((4, 4, 3.5), (0, 0, 72), brass, fine=0)
    f.solid_column(16, 5, 40, 44)
    f.solid_ball((17, 17, 17), (0, 0, 55), 14, "head")
    return f.finish("diver", (0, 0, 54), 34, 75, 25)


def astronaut(rng: np.random.Generator) -> Asset:
    """Nova Pell: white suit, gold visor, backpack, a flag of her own colours."""
    f = Figure(rng, "Orbit", 0.4)
    suit, trim = f.tint([(0.93, 0.93, 0.94), (0.86, 0.88, 0.92)], 0.01), f.tint(TRIMS)
    f.legs(7.5, 18, 6, suit, (0.66, 0.68, 0.72))
    f.ball((14, 15, 15), (0, 0, 28), suit, fine=2)
    f.block((1.6, 7, 5), (-13.2, 0, 29), (0.66, 0.68, 0.72), bevel=0.8)
    for k, colour in enumerate((trim, GOLD, (0.20, 0.56, 0.34))):
        f.ball((1.0, 1.6, 1.6), (-15.0, 4 * (k - 1), 30), colour, fine=0)
    for side in (-1, 1):
        f.lathe(np.array([(6.6, 0), (6.9, 1), (6.6, 2)]), trim, (0, side * 7.5, 16), 12)
    f.arms(13.5, 34, 13, 4.6, suit, trim)
    f.block((6, 12, 14), (17, 0, 30), (0.74, 0.76, 0.80))
    for side in (-1, 1):
        f.lathe(np.array([(1e-5, 8), (3.5, 9), (4, 12), (1e-5, 13)]), DARK, (17, side * 6, 4), 10)
    f.ball((17, 17, 16.5), (0, 0, 55), suit, fine=2)
    f.ball((8, 12.5, 10), (-11.5, 0, 55), GOLD, fine=2)
    f.ball((1.0, 3.0, 2.0), (-18.4, 4.5, 60), (0.99, 0.95, 0.78), fine=0)
    for side in (-1, 1):
        f.ball((5, 3, 5), (0, side * 16, 55), trim, fine=0)
    f.rod((4, 12, 68), (5, 13, 76), 0.8, STEEL)
    f.ball((1.8, 1.8, 1.8), (5, 13, 77), trim, fine=0)
    f.solid_column(14.5, 5, 40, 40)
    f.solid_block((6, 12, 14), (17, 0, 30), 8, "pack")
    f.solid_ball((17, 17, 16.5), (0, 0, 55), 14, "head")
    return f.finish("astronaut", (0, 0, 54), 34, 79, 26)


def alien(rng: np.random.Generator) -> Asset:
    """Zib: green head with three eyes on a slim body, feelers with bobbles."""
    f = Figure(rng, "Orbit", 0.4)
    green = f.tint([(0.42, 0.72, 0.26), (0.30, 0.66, 0.40), (0.58, 0.76, 0.24)])
    dark, trim = (0.7 * green[0], 0.7 * green[1], 0.7 * green[2]), f.tint(TRIMS)
    for side in (-1, 1):
        f.rod((0, side * 5, 8), (0, side * 4, 20), 2.6, green)
        f.ball((6, 4, 3), (-3, side * 6, 7.5), dark)
    f.ball((9, 10, 13), (0, 0, 28), trim, fine=2)
    f.ball((2, 3.5, 3.5), (-8.4, 0, 30), (0.98, 0.90, 0.40), fine=0)
    hands = f.arms(8, 34, 17, 2.2, green, green)
    for x, y, z in hands:
        for turn in (-0.7, 0.0, 0.7):
            f.rod((x, y, z), (x - 4 * math.cos(turn), y + 4 * math.sin(turn), z), 0.9, green)
    f.ball((15, 19, 15.5), (0, 0, 55), green, fine=2)
    for y, z, size in ((-9.5, 56, 5.0), (0.0, 60, 5.6), (9.5, 56, 5.0)):
        x = -15 * math.sqrt(max(1 - (y / 19) ** 2 - ((z - 55) / 15.5) ** 2, 0.0)) + 0.5
        f.ball((3.4, size, size), (x, y, z), WHITE, fine=1)
        f.ball((2.0, 0.5 * size, 0.5 * size), (x - 2.6, y, z), BLACK, fine=0)
    f.tube([(-12.6, -5, 47.5), (-14, 0, 46), (-12.6, 5, 47.5)], 0.8, BLACK)
    for side in (-1, 1):
        f.tube([(0, side * 6, 68), (-1, side * 8, 75), (-2, side * 11, 80)], 1.0, dark)
        f.ball((2.8, 2.8, 2.8), (-2, side * 11, 81), trim, fine=0)
    f.solid_column(10, 5, 42, 30)
    f.solid_ball((15, 19, 15.5), (0, 0, 55), 18, "head")
    return f.finish("alien", (0, 0, 52), 37, 84, 26)


def robot(rng: np.random.Generator) -> Asset:
    """Rivet: boxes of grey metal, lamp eyes, an antenna, buttons on the chest."""
    f = Figure(rng, "Orbit", 0.6)
    metal = f.tint([(0.58, 0.61, 0.64), (0.50, 0.56, 0.62), (0.66, 0.66, 0.66)])
    dark, trim = (0.30, 0.32, 0.36), f.tint(TRIMS)
    for side in (-1, 1):
        f.rod((0, side * 8, 9), (0, side * 8, 16), 3.2, dark)
        f.block((9, 6.5, 3.5), (-2, side * 8, 8.5), metal)
    f.block((12.5, 16, 13), (0, 0, 28), metal, bevel=2.0)
    f.block((0.8, 11, 7), (-12.6, 0, 29), dark, bevel=0.5)
    for k in range(3):
        f.ball((1.2, 2.0, 2.0), (-13.6, 6 * (k - 1), 32), (trim, GOLD, (0.24, 0.66, 0.36))[k], fine=0)
    for k in range(3):
        f.block((0.4, 8, 0.7), (-13.6, 0, 24.2 + 2.2 * k), STEEL, bevel=0.2)
    f.rod((0, 0, 40), (0, 0, 46), 5, dark)
    hands = f.arms(17, 35, 13, 2.8, dark, metal)
    for x, y, z in hands:
        f.block((2, 0.9, 2.8), (x - 3, y - 2.2, z), metal, bevel=0.4)
        f.block((2, 0.9, 2.8), (x - 3, y + 2.2, z), metal, bevel=0.4)
    f.block((13, 16, 12), (0, 0, 56), metal, bevel=2.0)
    f.block((0.8, 12.5, 6), (-13.0, 0, 58), dark, bevel=0.5)
    for side in (-1, 1):
        f.ball((2.4, 4.2, 4.2), (-13.6, side * 6, 58), (0.99, 0.86, 0.30), fine=1)
        f.ball((1.2, 1.6, 1.6), (-15.6, side * 6, 58), BLACK, fine=0)
        f.ball((4, 2.4, 4), (0, side * 16.4, 56), trim, fine=0)
    f.block((0.5, 7, 1.4), (-13.2, 0, 48.5), STEEL, bevel=0.3)
    f.rod((0, 0, 68), (0, 0, 77), 1.0, dark)
    f.ball((2.6, 2.6, 2.6), (0, 0, 79), trim, fine=0)
    f.solid_block((12.5, 16, 18), (0, 0, 23), 46)
    f.solid_block((4, 4, 4), (0, 0, 42.5), 2)
    f.solid_block((13, 16, 12), (0, 0, 56), 14, "head")
    return f.finish("robot", (0, 0, 54), 32, 82, 26)


def knight(rng: np.random.Generator) -> Asset:
    """Sir Oakley: silver armour, pointed helmet with a plume, a shield with a tree, a sword."""
    f = Figure(rng, "Castle", 0.7)
    steel, trim = f.tint([STEEL, (0.64, 0.68, 0.74)]), f.tint(TRIMS)
    f.legs(7, 17, 5.4, steel, DARK)
    f.lathe(np.array([(12, 14), (15.5, 15), (14.5, 20), (13, 24), (15, 32), (14, 38), (8, 42), (1e-5, 43)]), steel)
    f.lathe(np.array([(13.4, 22.5), (14.2, 23), (14.2, 25), (13.4, 25.5)]), (0.36, 0.22, 0.12))
    for side in (-1, 1):
        f.ball((6.5, 6, 6), (0, side * 15, 37), steel)
    (_, right, _), (x, left, z) = f.arms(14.5, 35, 11, 3.6, (0.42, 0.45, 0.50), steel)
    f.block((1.5, 10, 12), (x - 6, left, z + 2), f.tint([(0.93, 0.90, 0.80), (0.84, 0.88, 0.92)]), about_x(0.0), 1.0)
    f.block((1.2, 11, 1.2), (x - 6.4, left, z + 13.4), trim, bevel=0.5)
    f.rod((x - 8, left, z - 6), (x - 8, left, z + 1), 1.1, (0.42, 0.26, 0.12))
    f.ball((1.2, 5.5, 5.0), (x - 8, left, z + 4.5), (0.20, 0.50, 0.18))
    f.block((1.0, 1.6, 15), (-9, right - 1, 36), (0.86, 0.88, 0.90), about_y(-0.15), 0.7)
    f.block((1.6, 5, 1.2), (-7.4, right - 1, 24), GOLD, bevel=0.5)
    f.lathe(
        np.array([(1e-5, 43), (13.5, 44), (15.5, 48), (15.5, 60), (11, 67), (4, 72.5), (1e-5, 74)]), steel, segments=20
    )
    f.block((1.0, 11, 1.8), (-14.6, 0, 57), BLACK, bevel=0.4)
    f.rod((-15.2, 0, 46), (-15.4, 0, 62), 1.0, GOLD)
    for k in range(3):
        for side in (-1, 1):
            f.ball((0.8, 0.9, 0.9), (-14.6, side * (3.5 + 2.5 * (k % 2)), 52 - 2.4 * k), BLACK, fine=0)
    f.tube([(0, 0, 73), (3, 0, 79), (9, 0, 80), (14, 0, 73)], 3.0, trim)
    f.solid_column(14.5, 5, 43, 44)
    f.solid_block((1.5, 10, 12), (x - 6, left, z + 2), 6, "shield")
    f.solid_column(15.5, 43, 62, 10, "head")
    f.solid_column(8, 62, 73, 2, "head")
    return f.finish("knight", (0, 0, 54), 31, 83, 30)


def wizard(rng: np.random.Generator) -> Asset:
    """Mistral: robe with stars, tall hat, white beard, a staff with an orb."""
    f = Figure(rng, "Castle")
    robe = f.tint([(0.40, 0.18, 0.58), (0.30, 0.16, 0.56), (0.48, 0.16, 0.50)])
    skin, orb = f.tint(SKIN), f.tint([(0.30, 0.74, 0.86), (0.92, 0.40, 0.56), (0.50, 0.86, 0.40)])
    f.painted(np.array([(1e-5, 5), (20, 5), (19, 8), (14, 26), (11, 38), (7, 42), (1e-5, 43)]), _stars(rng, robe))
    f.arms(10.5, 35, 13, 4.0, robe, skin)
    f.ball((15, 15, 14), (0, 0, 53), skin, fine=2)
    f.eyes(-13.6, 5.2, 55.5, 1.9, white=False)
    f.ball((3.4, 3, 2.8), (-15.4, 0, 51.5), skin, fine=0)
    f.cone(9.5, 21, (-8, 0, 47.5), WHITE, (-0.25, 0, -1))
    for side in (-1, 1):
        f.ball((2.6, 4.4, 2.0), (-14.2, side * 3.8, 48.6), WHITE, fine=0)
        f.ball((1.6, 3.2, 1.2), (-13.8, side * 5.4, 59), WHITE, fine=0)
    f.ball((19, 19, 2.4), (0, 0, 62), robe, fine=2)
    f.lathe(np.array([(13.6, 62), (13.2, 66), (12.2, 66.5)]), GOLD)
    tip = f.rng.uniform(-4, 6)
    f.cone(12.8, 24, (0, 0, 63), robe, (0.008 * tip, 0.006 * tip, 1), 1.6)
    f.ball((0.9, 2.4, 2.4), (-8.6, 0, 73), GOLD, fine=0)
    f.rod((-9, -21, 7), (-9, -21, 47), 1.5, (0.46, 0.28, 0.13))
    f.ball((4.2, 4.2, 4.2), (-9, -21, 51), orb)
    f.solid_column(18, 5, 16, 34)
    f.solid_column(13, 16, 42, 20)
    f.solid_ball((15, 15, 14), (0, 0, 53), 10, "head")
    f.solid_ball((19, 19, 3), (0, 0, 62.5), 2, "hat")
    f.solid_column(7, 64, 84, 2, "hat")
    return f.finish("wizard", (0, 0, 53), 30, 88, 27, along_x=True)


def _stars(rng: np.random.Generator, robe: Vec3) -> np.ndarray:
    """Yellow stars on a robe."""
    from ._icons import star
    from ._print import canvas, rgb, texture_of

    image, pen = canvas(192, 96, rgb(robe))
    for k in range(14):
        star(pen, 192 * (k + 0.5) / 14, 16 + 62 * ((0.38 * k + float(rng.random()) * 0.2) % 1.0), rng.uniform(4.5, 7.0))
    return texture_of(image)
