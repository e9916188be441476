"""``fruit``: fifteen kinds, small enough for a hand that spans 65 mm; the arena's own where they exist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._fruit import apple, orange, peach
from .._fruit_lying import curved, lemon, lime, mango, strawberry
from .._registry import Asset, category
from .._vegetables import kiwi
from ._fruit_more import avocado, cherry, grape, pear, pineapple, plum
from ._sized import fitted


def banana(rng: np.random.Generator) -> Asset:
    """Small banana, 10 to 12 cm across its ends, 26 to 29 mm thick: it must fit a tray, a drawer and a juicer."""
    return curved(rng, rng.uniform(0.0130, 0.0146), rng.uniform(0.054, 0.060), rng.uniform(0.86, 0.96))


KINDS: dict[str, Callable[[np.random.Generator], Asset]] = {
    "apple": apple,
    "banana": banana,
    "orange": orange,
    "lemon": lemon,
    "lime": lime,
    "pear": pear,
    "peach": peach,
    "kiwi": kiwi,
    "mango": mango,
    "strawberry": strawberry,
    "avocado": avocado,
    "grape": grape,
    "pineapple": pineapple,
    "cherry": cherry,
    "plum": plum,
}


@category("fruit", nouns=("fruit",), looks={"kind": tuple(KINDS)})
def fruit(rng: np.random.Generator, kind: str = "") -> Asset:
    """One of the kinds that the table of fruits knows, at most 64 mm where it is grasped."""
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    return replace(fitted(KINDS[kind](rng), rng.uniform(0.058, 0.064)), nouns=(kind,))
