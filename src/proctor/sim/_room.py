"""How table, floor, walls and light look: as in every task, or with ``(:looks (main_table (seed 3)))`` as another room.

The other rooms share neither material nor light with the usual one: no wood in its tones, no grey-white walls. They are
for the track that asks what a policy makes of surfaces it has never seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.assets import textures
from proctor.core import named_rng

Colour = tuple[float, float, float]
Image = NDArray[np.uint8]
_SIZE = 128
# Pairs of tones, none of them the brown of the usual table.
_TONES: tuple[tuple[Colour, Colour], ...] = (
    ((0.24, 0.32, 0.36), (0.36, 0.46, 0.50)),
    ((0.20, 0.36, 0.26), (0.34, 0.50, 0.38)),
    ((0.50, 0.26, 0.24), (0.66, 0.40, 0.36)),
    ((0.28, 0.26, 0.40), (0.44, 0.42, 0.58)),
    ((0.70, 0.62, 0.38), (0.84, 0.77, 0.52)),
    ((0.16, 0.17, 0.19), (0.30, 0.31, 0.34)),
)
_WALLS: tuple[Colour, ...] = ((0.42, 0.58, 0.62), (0.68, 0.50, 0.44), (0.50, 0.60, 0.42), (0.56, 0.50, 0.66))
_SUNS: tuple[Colour, ...] = ((0.62, 0.48, 0.34), (0.40, 0.48, 0.62), (0.40, 0.38, 0.36), (0.64, 0.62, 0.58))


@dataclass(frozen=True, slots=True)
class Room:
    """Images of the surfaces, and the main light's colour and direction."""

    floor: Image
    wall: Image
    table: Image
    sun: Colour = (0.52, 0.50, 0.47)
    sun_from: Colour = (0.25, 0.5, -1.0)


def room(seed: int | None) -> Room:
    """Return the usual room, or the other one that ``seed`` stands for."""
    return _usual() if seed is None else _other(seed)


def _usual() -> Room:
    rng = np.random.Generator(np.random.PCG64(11))
    floor = textures.wood(rng, (0.42, 0.38, 0.34), (0.50, 0.46, 0.41), rings=5)
    wall = textures.to_image(textures.blend((0.80, 0.78, 0.73), (0.85, 0.83, 0.79), textures.noise(rng, 64, 64, 4)))
    rng = np.random.Generator(np.random.PCG64(5))
    return Room(floor, wall, textures.wood(rng, (0.56, 0.41, 0.27), (0.69, 0.53, 0.37), size=256, rings=9))


def _other(seed: int) -> Room:
    rng = named_rng(seed, "room")
    tones = [_TONES[i] for i in rng.permutation(len(_TONES))]
    table, floor = (_PATTERNS[int(rng.integers(len(_PATTERNS)))](rng, *tones[i]) for i in (0, 1))
    shade = textures.varied(rng, _WALLS[int(rng.integers(len(_WALLS)))])
    light = tuple(min(0.98, value + 0.06) for value in shade)
    wall = textures.to_image(textures.blend(shade, light, textures.noise(rng, 64, 64, 4)))
    sun = textures.varied(rng, _SUNS[int(rng.integers(len(_SUNS)))])
    return Room(floor, wall, table, sun, (float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.6, 0.6)), -1.0))


def _stone(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    grain = 0.6 * textures.noise(rng, _SIZE, _SIZE, 5, (8, 8)) + 0.4 * rng.random((_SIZE, _SIZE))
    return textures.to_image(textures.blend(dark, light, grain))


def _marble(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    veins = np.abs(2 * textures.noise(rng, _SIZE, _SIZE, 5, (2, 2)) - 1)
    return textures.to_image(textures.blend(dark, light, textures.step(0.0, 0.12, veins)))


def _tiles(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    across = np.arange(_SIZE) % (_SIZE // 4)
    joint = (across[:, None] < 2) | (across[None, :] < 2)
    shade = np.where(joint, 0.0, 0.55 + 0.45 * textures.noise(rng, _SIZE, _SIZE, 4))
    return textures.to_image(textures.blend(dark, light, shade))


def _cloth(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    weave = 0.5 + 0.25 * np.sin(np.arange(_SIZE)[:, None] * np.pi / 2) + 0.25 * np.sin(np.arange(_SIZE) * np.pi / 2)
    stripe = (np.arange(_SIZE) // 16 % 2) * 0.4
    return textures.to_image(textures.blend(dark, light, 0.6 * weave + stripe + 0.1 * rng.random((_SIZE, _SIZE))))


def _paint(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    return textures.to_image(textures.blend(dark, light, textures.noise(rng, _SIZE, _SIZE, 3)))


_PATTERNS = (_stone, _marble, _tiles, _cloth, _paint)
