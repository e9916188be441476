"""Looks of the knowledge suite's things: each looks different, and a toy answers to both of its names."""

from __future__ import annotations

import pytest
from test_assets_laws import FOOD
from test_assets_registry import digest

from proctor.assets import looks_of, make

KINDS = looks_of("toy")["kind"] or ()
TOYS = dict(zip(KINDS[: len(KINDS) // 2], KINDS[len(KINDS) // 2 :], strict=True))
"""Archetypes, and the names of the characters."""


@pytest.mark.parametrize("name", [name for name in FOOD if set(looks_of(name)) - {"kind", "text"}])
def test_every_look_looks_different(name):
    """Each value of each look, beside the first values of the others; what a sample is asked about does not show."""
    looks = {key: values or ("7", "stained glass") for key, values in looks_of(name).items() if key != "property"}
    first = {key: values[0] for key, values in looks.items()}
    varied = [{**first, key: value} for key, values in looks.items() if key != "kind" for value in values]
    asked = dict.fromkeys(tuple(choice.items()) for choice in varied)
    assert len({digest(make(name, 0, look)) for look in asked}) == len(asked)


def test_a_toy_answers_to_its_archetype_and_to_its_name():
    for archetype, name in TOYS.items():
        plain, called = (make("toy", 5, (("kind", kind),)) for kind in (archetype, name))
        assert digest(plain) == digest(called)
        assert {archetype, name, "toy"} <= set(plain.nouns)
