"""Whatever a table of knowledge or a task names has a maker, builds, and fits a hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from proctor.assets import Look, categories, looks_of, make
from proctor.tasks.knowledge import drawable

BENCH = files("proctor.tasks.knowledge")
OTHER_NAMES = {"nametag": "tubestand", "nail": "panel", "plate": "serving_plate", "vase": "flower_vase"}
"""Tags are labels of the tube stand, nails are parts of the panel; two names belong to the arena's things already."""
OPENING_M = 0.078
SEED = 1


def _tables() -> dict[str, Any]:
    folder = BENCH.joinpath("facts")
    return {
        entry.name.removesuffix(".json"): json.loads(entry.read_text())
        for entry in folder.iterdir()
        if entry.name.endswith(".json")
    }


def _asked() -> Iterator[tuple[str, str, str]]:
    """Yield (category, look, value) for everything that the tables speak of."""
    tables = _tables()
    for table in tables.values():
        for item in table.get("items", []):
            yield table["category"], table["look"], item
    for side in tables["bakery"]["classes"].values():
        yield from (("bakery", "kind", item) for item in side)
    storage = tables["storage"]
    for side in ("fridge", "room_temperature", "microwave_heatable", "never_in_microwave"):
        yield from (("food", "kind", item) for item in storage[side])
    materials = tables["materials"]
    for name, entry in materials["properties"].items():
        yield "sample", "property", name
        yield from (("sample", "material", item) for item in entry["values"])
    for side in ("attracted", "not attracted"):
        yield from (("sample", "material", item) for item in materials["magnetism"][side])
    yield from (("cutlery", "kind", item) for item in tables["dining"]["cutlery"])
    yield from (("painting", "subject", item) for item in tables["paintings"]["subjects"])
    yield from (("mahjong", "kind", item) for item in tables["mahjong"]["tile_kinds"])
    yield from (("billiard_ball", "ball", item) for item in tables["billiards"]["snooker_values"])
    yield from (("book", "title", item["title"]) for item in tables["books"]["classics"][:3])


ASKED = sorted(set(_asked()))


def test_whatever_a_drawn_task_names_has_a_maker():
    made = set(categories())
    tasks = json.loads(BENCH.joinpath("tasks.json").read_text())["tasks"]
    drawn = [task for task in tasks if task["slug"] in drawable()]
    assert len(drawn) >= 90
    assert {OTHER_NAMES.get(name, name) for task in drawn for name in task["categories"]} <= made


@pytest.mark.parametrize("category", sorted({category for category, _, _ in ASKED}))
def test_what_a_table_names_is_made_and_fits_a_hand(category):
    for _, key, value in (asked for asked in ASKED if asked[0] == category):
        _is_made(category, key, value)


def _is_made(category: str, key: str, value: str) -> None:
    allowed = looks_of(category)[key]
    if allowed is not None:
        assert value in allowed
    look: Look = ((key, value),)
    asset = make(category, SEED, look)
    assert asset.height_m > 0
    assert all(0 < grasp.width_m < OPENING_M for grasp in asset.grasps)
