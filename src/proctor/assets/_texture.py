"""Images for surfaces, from noise and arithmetic; colours are linear blends of sRGB triples in [0, 1].

Row 0 of an image is v = 0 (where a lathe's profile begins, normally the bottom), column 0 is u = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._mesh import Floats
from ._model import Vec3


def noise(
    rng: np.random.Generator, height: int, width: int, octaves: int = 4, cells: tuple[int, int] = (4, 4)
) -> Floats:
    """Value noise in [0, 1] that tiles in both directions; ``cells`` = grid of the coarsest octave (rows, columns)."""
    out = np.zeros((height, width))
    for octave in range(octaves):
        rows, cols = cells[0] << octave, cells[1] << octave
        grid = np.pad(rng.random((rows, cols)), ((0, 1), (0, 1)), mode="wrap")
        y = np.linspace(0, rows, height, endpoint=False)
        x = np.linspace(0, cols, width, endpoint=False)
        yi, xi = y.astype(int), x.astype(int)
        fy, fx = _ease(y - yi)[:, None], _ease(x - xi)[None]
        low = grid[np.ix_(yi, xi)] * (1 - fx) + grid[np.ix_(yi, xi + 1)] * fx
        high = grid[np.ix_(yi + 1, xi)] * (1 - fx) + grid[np.ix_(yi + 1, xi + 1)] * fx
        out += 0.5**octave * (low * (1 - fy) + high * fy)
    return np.asarray((out - out.min()) / (out.max() - out.min()))


def _ease(t: Floats) -> Floats:
    return t * t * (3 - 2 * t)


def step(edge_low: float, edge_high: float, x: ArrayLike) -> Floats:
    """Smooth step: 0 below ``edge_low``, 1 above ``edge_high`` (the edges may be swapped to fall instead of rise)."""
    t = np.clip((np.asarray(x, float) - edge_low) / (edge_high - edge_low), 0.0, 1.0)
    return _ease(t)


def blend(low: ArrayLike, high: ArrayLike, amount: ArrayLike) -> Floats:
    """Mix two colours or two images by ``amount`` in [0, 1] (any shape [H, W])."""
    t = np.clip(np.asarray(amount, float), 0.0, 1.0)[..., None]
    return np.asarray(np.asarray(low, float) * (1 - t) + np.asarray(high, float) * t)


def plain(colour: Vec3, height: int, width: int) -> Floats:
    return np.tile(np.asarray(colour, float), (height, width, 1))


def to_image(colours: ArrayLike) -> NDArray[np.uint8]:
    return np.asarray(np.round(np.clip(np.asarray(colours, float), 0.0, 1.0) * 255), np.uint8)


def as_image(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Bytes of a picture that may have them already."""
    return picture if picture.dtype == np.uint8 else to_image(picture)


def wood(rng: np.random.Generator, dark: Vec3, light: Vec3, size: int = 128, rings: int = 6) -> NDArray[np.uint8]:
    """Planks' grain running along u: broad growth rings, slightly bent, over fine pores."""
    v = np.linspace(0, 1, size, endpoint=False)[:, None]
    bend = noise(rng, size, size, 2, (3, 1))
    phase = rings * v + 0.9 * bend
    broad = (phase % 1.0) ** 1.6
    broad = np.minimum(broad, 6.0 * (1.0 - phase % 1.0))
    fine = noise(rng, size, size, 2, (size // 4, 2))
    cloud = noise(rng, size, size, 2, (4, 2))
    return to_image(blend(light, dark, 0.46 * broad + 0.30 * fine + 0.22 * cloud))


def speckle(
    rng: np.random.Generator, image: Floats, colour: Vec3, count: int, radius_px: float, aspect: Floats | None = None
) -> Floats:
    """Scatter ``count`` round dots of about ``radius_px`` rows over ``image``, wrapping around in u.

    ``aspect`` [H] is the pixels' width over height (see ``shapes.pixel_aspect``): dots come out round, and evenly
    spread over the surface rather than over the image.
    """
    height, width, _ = image.shape
    wide = np.ones(height) if aspect is None else np.maximum(aspect, 0.05)
    x = np.arange(width) + 0.5
    out = image.copy()
    for cy in rng.choice(height, count, p=wide / wide.sum()) + rng.random(count):
        size = radius_px * rng.uniform(0.6, 1.3)
        low, high = max(int(cy - size - 1), 0), min(int(cy + size + 2), height)
        stretch = wide[min(int(cy), height - 1)]
        reach = np.abs(x - rng.random() * width)
        # A dot narrower than a pixel would vanish between two columns, hence the 0.3.
        dx = np.maximum(np.minimum(reach, width - reach) - 0.3, 0.0) * stretch
        dy = np.arange(low, high) + 0.5 - cy
        out[low:high] = blend(
            out[low:high], colour, 0.8 * step(size + 0.6, size - 0.6, np.hypot(dx[None], dy[:, None]))
        )
    return out


def varied(rng: np.random.Generator, colour: Vec3, spread: float = 0.04) -> Vec3:
    """Return a sibling of ``colour``: brightness and balance move by about ``spread``."""
    shift = rng.normal(0.0, spread, 3) * 0.6 + rng.normal(0.0, spread)
    r, g, b = (float(np.clip(c + s, 0.02, 0.98)) for c, s in zip(colour, shift, strict=True))
    return r, g, b


def pick(rng: np.random.Generator, colours: Sequence[Vec3]) -> Vec3:
    return colours[int(rng.integers(len(colours)))]
