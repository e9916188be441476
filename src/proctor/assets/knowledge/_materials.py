"""What materials look like: a picture and a gloss for each that the table of materials names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._mesh import Floats
from .._model import Material, Vec3
from .._texture import blend, noise, plain, speckle, step, to_image, varied, wood

PX = 128
Finish = Callable[[np.random.Generator], Material]


def _metal(colour: Vec3, brushed: float = 0.5, specular: float = 1.0) -> Finish:
    """Brushed metal: fine streaks, a strong highlight."""

    def finish(rng: np.random.Generator) -> Material:
        base = varied(rng, colour, 0.012)
        streaks = noise(rng, PX, PX, 2, (64, 2))
        sheen = noise(rng, PX, PX, 2, (2, 2))
        image = blend(plain(base, PX, PX), _times(base, 0.72), brushed * streaks)
        image = blend(image, _towards_white(base, 0.5), 0.45 * sheen)
        return Material(texture=to_image(image), specular=specular, shininess=0.85)

    return finish


def _times(colour: Vec3, factor: float) -> Vec3:
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def _towards_white(colour: Vec3, share: float) -> Vec3:
    return tuple(c + share * (1 - c) for c in colour)  # type: ignore[return-value]


def _clear(colour: Vec3, alpha: float) -> Finish:
    def finish(rng: np.random.Generator) -> Material:
        return Material(varied(rng, colour, 0.012), specular=1.0, shininess=0.95, alpha=alpha)

    return finish


def _plastic(colour: Vec3, gloss: float) -> Finish:
    def finish(rng: np.random.Generator) -> Material:
        image = blend(plain(varied(rng, colour, 0.012), PX, PX), _times(colour, 0.9), 0.5 * noise(rng, PX, PX, 3))
        return Material(texture=to_image(image), specular=gloss, shininess=gloss)

    return finish


def _grains(base: Vec3, grains: tuple[Vec3, ...], count: int, size: float, gloss: float = 0.1) -> Finish:
    """Stone, cork or foam: grains of other colours in a ground."""

    def finish(rng: np.random.Generator) -> Material:
        ground = varied(rng, base, 0.02)
        image: Floats = blend(plain(ground, PX, PX), _times(ground, 0.85), noise(rng, PX, PX, 3, (6, 6)))
        for colour in grains:
            image = speckle(rng, image, varied(rng, colour, 0.02), count, size)
        return Material(texture=to_image(image), specular=gloss, shininess=0.2)

    return finish


def _foam(rng: np.random.Generator) -> Material:
    """White beads pressed together: bright cells with faint grey borders."""
    points = rng.random((110, 2)) * PX
    rows, cols = np.mgrid[0:PX, 0:PX]
    away = np.hypot(rows[..., None] - points[:, 0], cols[..., None] - points[:, 1])
    first, second = np.sort(np.partition(away, 1, axis=-1)[..., :2], axis=-1).transpose(2, 0, 1)
    image = blend(plain((0.82, 0.82, 0.82), PX, PX), (0.98, 0.98, 0.97), step(0.3, 2.2, second - first))
    return Material(texture=to_image(image), specular=0.05, shininess=0.05)


def _brick(rng: np.random.Generator) -> Material:
    clay = varied(rng, (0.66, 0.28, 0.18), 0.03)
    image = blend(plain(clay, PX, PX), _times(clay, 0.75), noise(rng, PX, PX, 4, (8, 8)))
    rows, cols = np.mgrid[0:PX, 0:PX]
    course = rows // 32
    mortar = (rows % 32 < 4) | ((cols + 32 * (course % 2)) % 64 < 4)
    return Material(texture=to_image(blend(image, (0.78, 0.75, 0.70), mortar.astype(float))), specular=0.05)


def _ice(rng: np.random.Generator) -> Material:
    """Clear with white clouds and cracks."""
    cracks = step(0.03, 0.0, np.abs(noise(rng, PX, PX, 3, (3, 3)) - 0.5))
    image = blend(plain((0.78, 0.90, 0.97), PX, PX), (0.99, 1.0, 1.0), 0.5 * noise(rng, PX, PX, 3, (2, 2)) + cracks)
    return Material(texture=to_image(image), specular=1.0, shininess=0.9, alpha=0.72)


def _timber(rng: np.random.Generator) -> Material:
    picture = wood(rng, varied(rng, (0.74, 0.52, 0.28), 0.02), varied(rng, (0.92, 0.76, 0.50), 0.02), PX, 5)
    return Material(texture=picture, specular=0.1, shininess=0.1)


def _velvet(rng: np.random.Generator) -> Material:
    """Black pile that gives nothing back."""
    image = blend(plain((0.035, 0.03, 0.04), PX, PX), (0.09, 0.08, 0.10), noise(rng, PX, PX, 3, (24, 24)))
    return Material(texture=to_image(image), specular=0.0, shininess=0.0)


def _mirror(rng: np.random.Generator) -> Material:
    """What a mirror shows: a bright room above, a floor below, a window."""
    rows, cols = np.mgrid[0:PX, 0:PX] / PX
    image = blend(plain((0.52, 0.50, 0.48), PX, PX), (0.90, 0.94, 0.98), step(0.35, 0.42, rows))
    at = rng.uniform(0.2, 0.5)
    window = (np.abs(cols - at) < 0.14) & (np.abs(rows - 0.70) < 0.16)
    image = blend(image, (1.0, 1.0, 1.0), window.astype(float))
    image = blend(image, (0.99, 1.0, 1.0), 0.7 * step(0.05, 0.0, np.abs(cols + rows - 1.25)))
    return Material(texture=to_image(image), specular=1.0, shininess=1.0, emission=0.15)


GREYS: tuple[Vec3, ...] = ((0.20, 0.20, 0.21), (0.86, 0.84, 0.82), (0.62, 0.46, 0.42))
FINISHES: dict[str, Finish] = {
    "PTFE": _plastic((0.95, 0.96, 0.97), 0.35),
    "acrylic": _clear((0.80, 0.92, 0.98), 0.40),
    "aluminium": _metal((0.80, 0.81, 0.83)),
    "black velvet": _velvet,
    "borosilicate glass": _clear((0.88, 0.95, 0.98), 0.32),
    "brass": _metal((0.80, 0.64, 0.26)),
    "brick": _brick,
    "carbon steel": _metal((0.46, 0.48, 0.52)),
    "clear window glass": _clear((0.72, 0.90, 0.86), 0.34),
    "cobalt": _metal((0.50, 0.54, 0.64)),
    "concrete": _grains((0.66, 0.65, 0.63), ((0.54, 0.53, 0.52), (0.74, 0.73, 0.71)), 60, 1.2),
    "copper": _metal((0.78, 0.44, 0.28)),
    "cork": _grains((0.74, 0.54, 0.34), ((0.50, 0.32, 0.18), (0.84, 0.66, 0.46)), 130, 1.6),
    "diamond": _clear((0.86, 0.95, 1.0), 0.55),
    "dry pine wood": _timber,
    "expanded polystyrene": _foam,
    "fused silica": _clear((0.94, 0.96, 0.98), 0.26),
    "gold": _metal((0.94, 0.74, 0.22), 0.2),
    "granite": _grains((0.66, 0.60, 0.58), GREYS, 170, 1.5, 0.4),
    "ice": _ice,
    "iron": _metal((0.38, 0.38, 0.40), 0.7, 0.6),
    "lead": _metal((0.42, 0.44, 0.48), 0.8, 0.3),
    "matt grey paint": _plastic((0.52, 0.53, 0.54), 0.03),
    "natural rubber": _plastic((0.86, 0.72, 0.46), 0.08),
    "nickel": _metal((0.74, 0.72, 0.66)),
    "nylon": _plastic((0.93, 0.91, 0.84), 0.30),
    "pine wood": _timber,
    "plain carbon steel": _metal((0.46, 0.48, 0.52)),
    "polished graphite": _metal((0.20, 0.20, 0.22), 0.3, 0.8),
    "polished stainless steel": _metal((0.78, 0.80, 0.82), 0.25),
    "polyethylene": _plastic((0.90, 0.93, 0.95), 0.25),
    "silver": _metal((0.90, 0.90, 0.90), 0.2),
    "silvered mirror": _mirror,
    "soda-lime glass": _clear((0.66, 0.86, 0.78), 0.40),
    "soft dry rubber": _plastic((0.12, 0.12, 0.13), 0.06),
    "steel": _metal((0.62, 0.64, 0.68)),
    "titanium": _metal((0.60, 0.58, 0.57)),
}
