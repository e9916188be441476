"""``ingredient``: the eighteen things that the recipes use, at most 64 mm where they are grasped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._fruit import onion, tomato
from .._fruit_lying import egg
from .._model import Vec3
from .._registry import Asset, category
from .._texture import varied
from .._vegetables import bell_pepper, broccoli, carrot, cucumber, potato
from . import _icons as icons
from ._icons import Icon
from ._ingredient_more import aubergine, bread, cheese, corn_cob, fish, garlic, mushroom, steak
from ._packages import standing_box
from ._sized import fitted, reachable, resized, shortened
from ._vessels_labelled import label

SHORTER = 0.70
"""Carrots and cucumbers of the arena, 13 to 18 cm long, are too long for a fridge shelf and a plate of 20 cm."""


def boxed(rng: np.random.Generator, word: str, ground: Vec3, band: Vec3, icon: Icon) -> Asset:
    """Carton that stands, 56 to 62 mm wide, 34 to 40 mm deep, 92 to 104 mm high."""
    half = (rng.uniform(0.017, 0.020), rng.uniform(0.028, 0.031), rng.uniform(0.046, 0.052))
    colour = varied(rng, ground, 0.02)
    return standing_box(half, label(colour, varied(rng, band, 0.02), word, icon, rng), colour, rng.uniform(0.10, 0.14))


def rice_box(rng: np.random.Generator) -> Asset:
    """Box of rice."""
    return boxed(rng, "rice", (0.20, 0.50, 0.36), (0.95, 0.93, 0.84), icons.crystals)


def pasta_box(rng: np.random.Generator) -> Asset:
    """Box of pasta."""
    return boxed(rng, "pasta", (0.16, 0.30, 0.62), (0.96, 0.80, 0.30), icons.wheat)


def short_carrot(rng: np.random.Generator) -> Asset:
    """Carrot of 9 to 11 cm."""
    return resized(carrot(rng), SHORTER)


def short_cucumber(rng: np.random.Generator) -> Asset:
    """Cucumber of 10 to 13 cm."""
    return resized(cucumber(rng), SHORTER)


KINDS: dict[str, Callable[[np.random.Generator], Asset]] = {
    "tomato": tomato,
    "carrot": short_carrot,
    "potato": potato,
    "onion": onion,
    "garlic": garlic,
    "cucumber": short_cucumber,
    "aubergine": aubergine,
    "bell pepper": bell_pepper,
    "broccoli": broccoli,
    "corn cob": corn_cob,
    "mushroom": mushroom,
    "egg": egg,
    "fish": fish,
    "steak": steak,
    "cheese": cheese,
    "bread": bread,
    "rice box": rice_box,
    "pasta box": pasta_box,
}


@category("ingredient", nouns=("ingredient",), looks={"kind": tuple(KINDS)})
def ingredient(rng: np.random.Generator, kind: str = "") -> Asset:
    """One of the things that the table of recipes knows."""
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    return replace(reachable(shortened(fitted(KINDS[kind](rng), rng.uniform(0.056, 0.0635)))), nouns=(kind,))
