"""How many different things there are: kinds by what can be asked for, objects by what can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from ._model import Asset, Material, links
from ._registry import Look, looks_of, make

KIND_LOOKS = frozenset({"ball", "color", "kind", "material", "part", "rank", "style", "suit"})
"""Looks that say what a thing is; the others (a container, a back, a title) are how it comes."""
STEP_M, SHADES, PATCHES = 0.001, 16, 4

Appearance: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category's kinds, and how many of ``made`` instances look different from one another."""

    category: str
    kinds: int
    made: int
    distinct: int


def appearance(asset: Asset) -> Appearance:
    """What can be seen of an asset, coarsely: two things with equal appearances count as one.

    For every visual its extent along each axis in whole millimetres, and its colour, or the mean of its texture over 4
    by 4 patches, in 16 shades a channel.
    """
    seen = []
    for link in links(asset.root):
        for visual in link.visuals:
            size = np.ptp(visual.mesh.vertices.astype(np.float64), axis=0)
            seen.append((*np.round(size / STEP_M).astype(int).tolist(), *_colours(visual.material)))
    return tuple(seen)


def _colours(material: Material) -> list[int]:
    if material.texture is None:
        shades = np.asarray(material.rgb, float)
    else:
        rows = np.array_split(material.texture.astype(np.float64) / 255, PATCHES)
        shades = np.array([patch.mean((0, 1)) for row in rows for patch in np.array_split(row, PATCHES, axis=1)])
    return [int(shade) for shade in np.round(shades.ravel() * (SHADES - 1))]


def kinds_of(name: str) -> tuple[Look, ...]:
    """Return the looks that make different kinds of a category; names that make the same thing count once."""
    asked = [(key, values) for key, values in looks_of(name).items() if values and key in KIND_LOOKS]
    found: dict[Appearance, Look] = {}
    for values in product(*(values for _, values in asked)):
        look = tuple((key, value) for (key, _), value in zip(asked, values, strict=True))
        found.setdefault(appearance(make(name, 0, look)), look)
    return tuple(found.values())


def tally(name: str, seeds: int, at_least: int = 20) -> CategoryCount:
    """Make every kind of a category with ``seeds`` seeds, or more where these are fewer than ``at_least`` instances."""
    kinds = kinds_of(name)
    each = max(seeds, -(-at_least // len(kinds)))
    made = [appearance(make(name, seed, look)) for look in kinds for seed in range(each)]
    return CategoryCount(name, len(kinds), len(made), len(set(made)))
