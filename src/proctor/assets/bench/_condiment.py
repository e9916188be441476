"""``condiment``: things to pour or shake over a dish, in a bottle, a squeeze bottle, a shaker, a jar or a pot.

The body is clear above the label and shows its content: the part ``fill`` is six slices, lowest first, so a level is
shown by hiding slices from the top. A hand takes the body close below the shoulder, from the front with a pitched hand:
that is the grasp one can pour with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._mesh import Floats, merge, moved
from .._model import Link, Material, Spout, Vec3, Visual
from .._registry import Asset, category
from .._shapes import profile, revolve
from .._texture import blend, noise, plain, to_image, varied
from . import _icons as icons
from ._icons import Icon
from ._vessels_labelled import SEGMENTS, label, round_grasps, sleeve, stacked

SHAPES = ("bottle", "squeeze bottle", "shaker", "jar", "pot")
SLICES = 6


@dataclass(frozen=True, slots=True)
class _Dressing:
    """Content's colour, label's colours, drawing, usual vessel; ``grainy`` content shows as grains."""

    fill: Vec3
    ground: Vec3
    band: Vec3
    icon: Icon
    usual: str
    grainy: bool = False


KINDS: dict[str, _Dressing] = {
    "salt": _Dressing((0.96, 0.96, 0.96), (0.16, 0.34, 0.66), (0.92, 0.94, 0.98), icons.crystals, "shaker", True),
    "sugar": _Dressing((0.97, 0.96, 0.93), (0.94, 0.66, 0.74), (0.70, 0.20, 0.36), icons.lump, "shaker", True),
    "vinegar": _Dressing((0.62, 0.36, 0.16), (0.88, 0.90, 0.74), (0.40, 0.46, 0.16), icons.acid, "bottle"),
    "chilli sauce": _Dressing((0.80, 0.12, 0.05), (0.12, 0.11, 0.12), (0.88, 0.16, 0.08), icons.chilli, "bottle"),
    "soy sauce": _Dressing((0.12, 0.06, 0.03), (0.74, 0.12, 0.10), (0.94, 0.84, 0.56), icons.soy, "bottle"),
    "ketchup": _Dressing((0.74, 0.07, 0.05), (0.95, 0.93, 0.88), (0.76, 0.08, 0.06), icons.tomato, "squeeze bottle"),
    "mustard": _Dressing((0.86, 0.66, 0.08), (0.98, 0.84, 0.20), (0.46, 0.30, 0.06), icons.blossom, "squeeze bottle"),
    "honey": _Dressing((0.84, 0.50, 0.06), (0.96, 0.74, 0.22), (0.36, 0.20, 0.06), icons.comb, "jar"),
    "lemon juice": _Dressing((0.93, 0.90, 0.50), (0.24, 0.56, 0.24), (0.97, 0.90, 0.30), icons.lemon, "bottle"),
    "black pepper": _Dressing((0.17, 0.15, 0.14), (0.86, 0.85, 0.82), (0.16, 0.15, 0.15), icons.corns, "shaker", True),
    "olive oil": _Dressing((0.70, 0.66, 0.14), (0.36, 0.42, 0.14), (0.92, 0.88, 0.66), icons.olive, "bottle"),
    "mayonnaise": _Dressing((0.95, 0.92, 0.78), (0.92, 0.95, 0.98), (0.14, 0.32, 0.66), icons.egg, "jar"),
    "milk": _Dressing((0.97, 0.97, 0.95), (0.60, 0.80, 0.94), (0.98, 0.98, 0.98), icons.milk, "bottle"),
}
CAPS: tuple[Vec3, ...] = (
    (0.92, 0.92, 0.90),
    (0.16, 0.16, 0.18),
    (0.72, 0.12, 0.12),
    (0.20, 0.44, 0.24),
    (0.80, 0.66, 0.30),
)


@category(
    "condiment",
    nouns=("condiment",),
    looks={"kind": tuple(KINDS), "shape": SHAPES, "label": ("word", "blank")},
)
def condiment(rng: np.random.Generator, kind: str = "", shape: str = "", label: str = "word") -> Asset:
    """A condiment in its usual vessel unless a ``shape`` is asked for; a ``blank`` label shows no word and no icon.

    38 to 45 mm across, 100 to 145 mm tall (a pot 56 to 64 mm), about 120 g.
    """
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    dressing = KINDS[kind]
    return _vessel(rng, kind, dressing, shape or dressing.usual, label == "word")


def _vessel(rng: np.random.Generator, kind: str, dressing: _Dressing, shape: str, worded: bool) -> Asset:
    r = rng.uniform(0.0195, 0.0222)
    body, closure, height, mouth = _outline(rng, shape, r)
    art = label(
        varied(rng, dressing.ground, 0.02), varied(rng, dressing.band, 0.02),
        kind if worded else "", dressing.icon if worded else None, rng,
    )  # fmt: skip
    shoulder = float(body[-1, 1])
    clear = Material((0.86, 0.90, 0.92), specular=0.8, shininess=0.8, alpha=0.13)
    cap = CAPS[int(rng.integers(len(CAPS)))]
    visuals = (
        Visual(revolve(body, SEGMENTS), clear, "glass"),
        sleeve((r + 0.0003, 0.010), (r + 0.0003, 0.72 * shoulder), art, 0.15),
        *_content(rng, dressing, r, mouth[0] - 0.009),
        *closure(Material(varied(rng, cap, 0.02), specular=0.4, shininess=0.4)),
    )
    sections = [(0.0, r), (mouth[0], r), (mouth[0] + 0.004, mouth[1]), (height, mouth[1])]
    return Asset(
        Link(
            "root", visuals, stacked(sections, rng.uniform(0.105, 0.135), lambda z: "body" if z < mouth[0] else "cap")
        ),
        r,
        height,
        grasps=round_grasps(sections, height),
        spout=Spout((0.0, 0.0, height)),
        face=(-1.0, 0.0, 0.0),
        fill="fill",
        nouns=(kind,),
    )


class _Closure:
    """Lathes that close a vessel, in the cap's material, and dark holes for a shaker."""

    def __init__(self, curves: list[Floats], holes: tuple[float, float] | None = None) -> None:
        self.curves, self.holes = curves, holes

    def __call__(self, material: Material) -> tuple[Visual, ...]:
        lids = Visual(merge(*(revolve(curve, 20) for curve in self.curves)), material, "cap")
        if self.holes is None:
            return (lids,)
        ring, z = self.holes
        spots = [(0.0, 0.0), *((ring * np.cos(a), ring * np.sin(a)) for a in np.arange(6) * np.pi / 3)]
        dot = [(0.0014, 0.0), (0.0012, 0.0003), (1e-5, 0.0003)]
        dots = [moved(revolve(dot, 8), (float(x), float(y), z - 0.12 * float(np.hypot(x, y)))) for x, y in spots]
        return lids, Visual(merge(*dots), Material((0.10, 0.10, 0.11)), "cap")


def _outline(rng: np.random.Generator, shape: str, r: float) -> tuple[Floats, _Closure, float, tuple[float, float]]:
    """Body's profile, closure, height, and (z, radius) where the narrower top begins."""
    base = [(1e-5, 0.002), (r - 0.006, 0.0015), (r - 0.004, 0.0), (r - 0.002, 0.0), (r - 0.0003, 0.002), (r, 0.006)]
    if shape == "bottle":
        s = rng.uniform(0.100, 0.110)
        neck = rng.uniform(0.0095, 0.0110)
        h = s + rng.uniform(0.024, 0.029)
        body = np.vstack([base, profile([(r, 0.5 * s), (r, s - 0.010), (0.82 * r, s - 0.002), (neck, s + 0.006)], 3)])
        k = neck + 0.0012
        lid = np.array([(neck, s + 0.004), (k, s + 0.007), (k, h - 0.001), (k - 0.001, h), (1e-5, h)])
        return body, _Closure([lid]), h, (s - 0.003, k)
    if shape == "squeeze bottle":
        s = rng.uniform(0.098, 0.106)
        h = s + rng.uniform(0.026, 0.030)
        body = np.vstack([base, profile([(0.96 * r, 0.45 * s), (r, s - 0.010), (0.90 * r, s)], 4)])
        lid = np.array(
            [
                (0.90 * r, s - 0.001),
                (0.86 * r, s + 0.006),
                (0.30 * r, s + 0.010),
                (0.0028, h - 0.001),
                (0.002, h),
                (1e-5, h),
            ]
        )
        return body, _Closure([lid]), h, (s, 0.35 * r)
    if shape == "shaker":
        s = rng.uniform(0.074, 0.084)
        h = s + 0.024
        body = np.vstack([base, [(r, 0.4 * s), (r, s)]])
        lid = np.vstack(
            [
                [(r + 0.0008, s - 0.002), (r + 0.0008, s + 0.010)],
                profile([(0.94 * r, h - 0.008), (0.66 * r, h - 0.002), (1e-5, h)], 3),
            ]
        )
        return body, _Closure([lid], (0.42 * r, h - 0.0003)), h, (s + 0.008, 0.92 * r)
    # A pot is a jar that stands in a drawer.
    s = rng.uniform(0.040, 0.044) if shape == "pot" else rng.uniform(0.080, 0.088)
    h = s + rng.uniform(0.016, 0.020)
    body = np.vstack([base, profile([(r, 0.4 * s), (r, s - 0.006), (0.94 * r, s)], 3)])
    lid = np.array([(0.97 * r, s - 0.001), (0.97 * r, h - 0.002), (0.93 * r, h), (1e-5, h)])
    return body, _Closure([lid]), h, (s, 0.97 * r)


def _content(rng: np.random.Generator, dressing: _Dressing, r: float, top_m: float) -> tuple[Visual, ...]:
    """Slices of what is inside, lowest first."""
    stuff = varied(rng, dressing.fill, 0.012)
    grains = rng.random((32, 32)) if dressing.grainy else 0.4 * noise(rng, 32, 32, 2, (2, 2))
    material = Material(
        texture=to_image(blend(plain(stuff, 32, 32), tuple(0.72 * c for c in stuff), grains)), specular=0.2
    )
    inner, low = r - 0.0018, 0.003
    step = (top_m - low) / SLICES
    disc = revolve([(1e-5, 0.0), (inner, 0.0), (inner, step), (1e-5, step)], 16)
    return tuple(Visual(disc, material, "fill", (0.0, 0.0, low + k * step)) for k in range(SLICES))
