"""Looks of the knowledge suite's things: each looks different, and a toy answers to both of its names."""

from __future__ import annotations

import pytest
from test_assets_laws import FOOD, SEED
from test_assets_registry import digest

from proctor.assets import looks_of, make

KINDS = looks_of("toy")["kind"] or ()
TOYS = dict(zip(KINDS[: len(KINDS) // 2], KINDS[len(KINDS) // 2 :], strict=True))
"""Archetypes, and the names of the characters."""


@pytest.mark.parametrize("name", [name for name in FOOD if set(looks_of(name)) - {"kind"}])
def test_every_look_looks_different(name):
    """All but what a sample is asked about, which does not show."""
    for key, values in looks_of(name).items():
        if key not in ("kind", "property"):
            asked = values or ("7", "stained glass")
            assert len({digest(make(name, SEED, ((key, value),))) for value in asked}) == len(asked), key


def test_a_toy_answers_to_its_archetype_and_to_its_name():
    for archetype, name in TOYS.items():
        plain, called = (make("toy", 5, (("kind", kind),)) for kind in (archetype, name))
        assert digest(plain) == digest(called)
        assert {archetype, name, "toy"} <= set(plain.nouns)
