"""Twelve ways to paint a scene; each returns [H, W, 3] bytes, row 0 at the top.

A style is a recipe, and ``tests/assets/style_checks.py`` measures its mark on the finished picture: what is sold as
pointillist has thousands of dots in it, whatever the subject.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._mesh import Floats
from .._texture import noise, step, to_image
from ._scenes import HEIGHT_PX, WIDTH_PX, FurnishedScene, scene

Picture: TypeAlias = NDArray[np.uint8]
Brush: TypeAlias = Callable[[FurnishedScene, np.random.Generator], Picture]
CELL_PX = 4
BLOCK_PX = 8
PRIMARIES = np.array([(246, 244, 238), (22, 22, 24), (204, 30, 34), (28, 68, 160), (244, 206, 32)], np.uint8)
"""White, black, red, blue, yellow of the geometric grid."""


def _grid() -> tuple[Floats, Floats]:
    y, x = np.mgrid[0:HEIGHT_PX, 0:WIDTH_PX]
    return x + 0.5, y + 0.5


def _pointillist(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """One dot of nearly pure colour in every cell of 4 px, on cream paper."""
    rows, cols = HEIGHT_PX // CELL_PX, WIDTH_PX // CELL_PX
    x, y = _grid()
    centre = CELL_PX / 2 + rng.uniform(-0.35, 0.35, (2, rows, cols))
    radius = rng.uniform(1.75, 2.1, (rows, cols))
    flat = s.flat()[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX][:rows, :cols]
    dots = np.clip(0.5 + 1.35 * (flat - 0.5) + rng.normal(0, 0.11, flat.shape), 0, 1)
    each = np.kron(np.ones((1, 1)), np.arange(rows * cols).reshape(rows, cols))
    index = np.repeat(np.repeat(each, CELL_PX, 0), CELL_PX, 1).astype(int)
    away = np.hypot(x % CELL_PX - centre[0].ravel()[index], y % CELL_PX - centre[1].ravel()[index])
    image = np.where((away <= radius.ravel()[index])[..., None], dots.reshape(-1, 3)[index], (0.96, 0.94, 0.87))
    return to_image(image)


def _colour_field(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Two or three wide rectangles with soft edges, in colours of the subject, on a ground of another."""
    shades = _lively(s.palette, rng)
    x, y = _grid()
    x, y = x / WIDTH_PX, y / HEIGHT_PX
    image = np.tile(0.55 * shades[0] + 0.1, (HEIGHT_PX, WIDTH_PX, 1))
    count = int(rng.integers(2, 4))
    cuts = np.linspace(0.06, 0.94, count + 1) + np.r_[0, rng.uniform(-0.06, 0.06, count - 1), 0]
    soft = 0.030
    for k in range(count):
        low, high = cuts[k] + 0.02, cuts[k + 1] - 0.02
        left = rng.uniform(0.05, 0.09)
        inside = step(left - soft, left + soft, x) * step(1 - left + soft, 1 - left - soft, x)
        inside = inside * step(low - soft, low + soft, y) * step(high + soft, high - soft, y)
        image = image * (1 - inside[..., None]) + shades[1 + k] * inside[..., None]
    return to_image(image)


def _lively(palette: Floats, rng: np.random.Generator) -> Floats:
    """Four saturated colours, far apart, that lean towards the palette's hues."""
    hue = colorsys.rgb_to_hsv(*palette[int(rng.integers(len(palette)))])[0]
    hues = [hue, hue + rng.uniform(0.08, 0.14), hue + rng.uniform(0.42, 0.56), hue + rng.uniform(0.22, 0.32)]
    values = [0.42, 0.86, 0.74, 0.94]
    return np.array([colorsys.hsv_to_rgb(h % 1.0, 0.78, v) for h, v in zip(hues, values, strict=True)])


def _geometric(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Black bars that part the board into fields of white, red, blue and yellow."""
    image = np.zeros((HEIGHT_PX, WIDTH_PX), int)
    fields = [(0, 0, WIDTH_PX, HEIGHT_PX)]
    bars = []
    for _ in range(int(rng.integers(6, 9))):
        fields.sort(key=lambda f: (f[2] - f[0]) * (f[3] - f[1]))
        x0, y0, x1, y1 = fields.pop()
        at = rng.uniform(0.3, 0.7)
        if (x1 - x0) > 1.25 * (y1 - y0):
            cut = round(x0 + at * (x1 - x0))
            fields += [(x0, y0, cut, y1), (cut, y0, x1, y1)]
            bars.append((cut - 2, y0, cut + 3, y1))
        else:
            cut = round(y0 + at * (y1 - y0))
            fields += [(x0, y0, x1, cut), (x0, cut, x1, y1)]
            bars.append((x0, cut - 2, x1, cut + 3))
    order = rng.permutation(len(fields))
    for place, k in enumerate(order):
        x0, y0, x1, y1 = fields[int(k)]
        image[y0:y1, x0:x1] = (2, 3, 4, 0, 0)[place % 5] if place < 8 else 0
    for x0, y0, x1, y1 in bars:
        image[y0:y1, x0:x1] = 1
    return np.asarray(PRIMARIES[image])


def _cells(rng: np.random.Generator, count: int) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Voronoi cells: index per pixel, how much farther the second-nearest seed is, and the seeds."""
    per_row = max(round(math.sqrt(count * WIDTH_PX / HEIGHT_PX)), 1)
    rows = -(-count // per_row)
    k = np.arange(per_row * rows)
    seeds = np.c_[(k % per_row + rng.uniform(0.08, 0.92, len(k))) / per_row * WIDTH_PX,
                  (k // per_row + rng.uniform(0.08, 0.92, len(k))) / rows * HEIGHT_PX]  # fmt: skip
    from scipy.spatial import cKDTree

    x, y = _grid()
    far, near = cKDTree(seeds).query(np.stack([x.ravel(), y.ravel()], 1), k=2)
    gap = (far[:, 1] - far[:, 0]).reshape(HEIGHT_PX, WIDTH_PX)
    return near[:, 0].reshape(HEIGHT_PX, WIDTH_PX), gap, seeds


def _at(image: Floats, seeds: Floats) -> Floats:
    x = np.clip(seeds[:, 0].astype(int), 0, WIDTH_PX - 1)
    y = np.clip(seeds[:, 1].astype(int), 0, HEIGHT_PX - 1)
    return np.asarray(image[y, x])


def _cubist(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Flat facets, each shaded by its own direction, over a shifted copy of the subject."""
    cells, _, seeds = _cells(rng, int(rng.integers(48, 76)))
    base = _at(s.flat(), seeds)
    shade = rng.uniform(0.62, 1.18, len(seeds))[:, None]
    earthy = base.mean(1, keepdims=True)
    colours = np.clip((0.72 * base + 0.28 * earthy * (1.08, 1.0, 0.86)) * shade, 0.10, 0.97)
    return to_image(colours[cells])


def _impression(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Short dashes along the lie of the land, in light colours, over one another."""
    from PIL import Image, ImageDraw

    light = 0.30 + 0.68 * s.flat()
    image = Image.fromarray(to_image(light))
    pen = ImageDraw.Draw(image)
    count = 2600
    at = rng.uniform(0, 1, (count, 2)) * (WIDTH_PX, HEIGHT_PX)
    colours = to_image(np.clip(_at(light, at) + rng.normal(0, 0.055, (count, 3)), 0.28, 1.0))
    labels = s.labels
    swirl = noise(rng, HEIGHT_PX, WIDTH_PX, 2, (2, 3))
    for (x, y), colour in zip(at, colours, strict=True):
        row, col = int(y), int(x)
        turn = 2.4 * swirl[row, col] + 0.9 * labels[row, col]
        half = rng.uniform(5.0, 10.0)
        dx, dy = half * math.cos(turn), half * 0.7 * math.sin(turn)
        pen.line((x - dx, y - dy, x + dx, y + dy), tuple(int(c) for c in colour), 3)
    return np.asarray(image, np.uint8)


def _ink(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """One dark hue in graded washes; the ground and most of the rest is empty paper."""
    dark = 1.0 - s.flat().mean(-1)
    subject = s.labels > 0
    wash = noise(rng, HEIGHT_PX, WIDTH_PX, 4, (4, 6))
    ink = subject * (0.35 + dark) * (0.45 + 0.9 * wash)
    ink = np.clip(ink - np.quantile(ink, 0.58), 0.0, None)
    ink = ink / max(float(np.quantile(ink, 0.98)), 1e-6)
    tone = 0.965 - 0.86 * np.clip(ink, 0, 1) ** 0.7
    return to_image(np.stack([tone, tone, tone * 0.985], -1))


def _glass(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Cells of saturated glass between dark leads."""
    cells, gap, seeds = _cells(rng, int(rng.integers(60, 85)))
    base = _at(s.flat(), seeds)
    colours = []
    for k, colour in enumerate(base):
        h, sat, v = colorsys.rgb_to_hsv(*np.clip(colour, 0, 1))
        h = (h + rng.normal(0, 0.03)) if sat > 0.08 else rng.random()
        colours.append(colorsys.hsv_to_rgb(h % 1.0, 0.82 + 0.14 * ((k * 7) % 5) / 4, 0.55 + 0.42 * v))
    image = np.array(colours)[cells]
    image[gap < 3.6] = (0.07, 0.07, 0.08)
    return to_image(image)


def _pixel(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Blocks of 8 px in at most eight colours."""
    small = s.labels[BLOCK_PX // 2 :: BLOCK_PX, BLOCK_PX // 2 :: BLOCK_PX]
    colours = to_image(_reduced(s.palette, small, 8))
    return np.asarray(np.repeat(np.repeat(colours[small], BLOCK_PX, 0), BLOCK_PX, 1))


def _reduced(palette: Floats, labels: NDArray[np.uint8], count: int) -> Floats:
    """Replace a palette's colours by the nearest of the ``count`` most used that are clearly apart."""
    used = np.bincount(labels.ravel(), minlength=len(palette))
    chosen: list[Floats] = []
    for value in palette[np.argsort(-used, kind="stable")]:
        if len(chosen) < count and all(np.linalg.norm(value - c) > 0.14 for c in chosen):
            chosen.append(value)
    table = np.array(chosen)
    return np.asarray(table[((palette[:, None] - table[None]) ** 2).sum(-1).argmin(1)])


def _lines(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    labels = s.labels.astype(int)
    edge = np.zeros(labels.shape, bool)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    if rng.random() < 0.5:
        edge[:, :-1] |= edge[:, 1:]
    return np.where(edge[..., None], np.uint8(20), np.uint8(252)) * np.ones(3, np.uint8)


def _op(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Black and white curves of equal width that bend around the subject."""
    x, y = _grid()
    x, y = x / WIDTH_PX, y / HEIGHT_PX
    cx, cy = rng.uniform(0.3, 0.7, 2)
    far = np.hypot((x - cx) * 1.5, y - cy)
    bend = 0.10 * np.sin(2 * math.pi * (rng.uniform(1.0, 1.8) * x + rng.random()))
    bend = bend + rng.uniform(0.06, 0.12) * np.exp(-((far / 0.3) ** 2))
    bend = bend - 0.035 * _blurred((s.labels > 0).astype(float)[..., None], 2)[..., 0]
    waves = np.sin(2 * math.pi * (rng.integers(11, 15) * (y + bend) + (0.5 if rng.random() < 0.5 else 0.0)))
    black = waves > np.median(waves)
    return np.where(black[..., None], np.uint8(16), np.uint8(250)) * np.ones(3, np.uint8)


def _poster(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Five or six flat colours with hard edges; the sun or a bold disc keeps an edge round in every picture."""
    strong = np.clip(0.5 + 1.25 * (s.palette - 0.5), 0, 1)
    flat = _reduced(strong, s.labels, int(rng.integers(4, 6)))[s.labels]
    x, y = _grid()
    cx, cy = rng.uniform(0.08, 0.92) * WIDTH_PX, rng.uniform(0.10, 0.2) * HEIGHT_PX
    sky = s.labels == 0
    bold = colorsys.hsv_to_rgb(rng.choice([0.02, 0.09, 0.13]), 0.85, 0.95)
    flat[(np.hypot(x - cx, y - cy) < rng.uniform(0.24, 0.32) * HEIGHT_PX) & sky] = bold
    return to_image(flat)


def _realism(s: FurnishedScene, rng: np.random.Generator) -> Picture:
    """Soft edges, light that falls from the upper left, shadows below things, and a fine grain."""
    labels = s.labels
    image = _blurred(s.flat(), 1)
    x, y = _grid()
    lit = 1.14 - 0.30 * (y / HEIGHT_PX) - 0.10 * (x / WIDTH_PX)
    for k in range(1, int(labels.max()) + 1):
        mask = labels == k
        if mask.any():
            rows = np.flatnonzero(mask.any(1))
            span = max(int(rows[-1] - rows[0]), 1)
            lit = np.where(mask, lit * (1.16 - 0.34 * np.clip((y - rows[0]) / span, 0, 1)), lit)
    shade = _blurred((labels > 0).astype(float)[..., None], 9)[..., 0]
    shadow = 1 - 0.16 * np.roll(np.roll(shade, 7, 0), 5, 1) * (labels == 0)
    light = _blurred((lit * shadow)[..., None], 2)
    image = image * light + rng.normal(0, 0.010, image.shape)
    return to_image(0.06 + 0.90 * image)


def _blurred(image: Floats, radius: int) -> Floats:
    """Box blur, twice, with edges held."""
    out = np.asarray(image, float)
    for axis in (0, 1, 0, 1):
        pad: list[tuple[int, int]] = [(0, 0)] * out.ndim
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(out, pad, mode="edge"), axis=axis)
        high = np.take(total, range(2 * radius + 1, total.shape[axis]), axis)
        low = np.take(total, range(total.shape[axis] - 2 * radius - 1), axis)
        out = (high - low) / (2 * radius + 1)
    return np.asarray(out)


STYLES: dict[str, Brush] = {
    "pointillist": _pointillist,
    "colour field": _colour_field,
    "geometric grid": _geometric,
    "cubist facets": _cubist,
    "short-stroke impression": _impression,
    "ink wash": _ink,
    "stained glass": _glass,
    "pixel art": _pixel,
    "line drawing": _lines,
    "op art": _op,
    "flat poster": _poster,
    "smooth realism": _realism,
}


def paint(style: str, subject: str, rng: np.random.Generator) -> Picture:
    """Paint ``subject`` in ``style``; [168, 256, 3] bytes, row 0 at the top."""
    return STYLES[style](scene(subject, rng), rng)


def framed(rng: np.random.Generator, style: str, subject: str) -> Any:
    """Return the same as a PIL picture."""
    from PIL import Image

    return Image.fromarray(paint(style, subject, rng))
