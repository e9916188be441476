"""``toy``: twelve characters of our own, three to a family; the colour of the base disc says which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._registry import Asset, category
from ._toy_creatures import bear, crab, dragon, duck, hedgehog
from ._toy_people import alien, astronaut, diver, knight, pirate, robot, wizard

TOYS: dict[str, tuple[str, Callable[[np.random.Generator], Asset]]] = {
    "pirate": ("Captain Brine", pirate),
    "deep-sea diver": ("Marlo the Diver", diver),
    "crab": ("Pinch", crab),
    "astronaut": ("Nova Pell", astronaut),
    "alien visitor": ("Zib", alien),
    "robot": ("Rivet", robot),
    "knight": ("Sir Oakley", knight),
    "wizard": ("Mistral", wizard),
    "dragon": ("Ember", dragon),
    "bear": ("Tussock", bear),
    "duck": ("Dab", duck),
    "hedgehog": ("Prickle", hedgehog),
}
"""By archetype: the character's name and its maker."""
_BY_NAME = {name: archetype for archetype, (name, _) in TOYS.items()}


@category("toy", nouns=("toy", "figure"), looks={"kind": (*TOYS, *_BY_NAME)})
def toy(rng: np.random.Generator, kind: str = "") -> Asset:
    """Toy figure, 45 to 90 mm tall, 60 to 120 g; ``kind`` is an archetype or the name of the character."""
    archetype = _BY_NAME.get(kind, kind) or list(TOYS)[int(rng.integers(len(TOYS)))]
    name, maker = TOYS[archetype]
    plan = maker(rng)
    return replace(plan, nouns=(archetype, *(noun for noun in plan.nouns if noun != archetype), name))
