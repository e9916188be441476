"""Scenes for questions of every kind, most of them things taken at random until one answer is proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from proctor.tasks.knowledge.facts import (
    KINDS,
    Item,
    NotUniqueError,
    Proof,
    Split,
    attribute_table,
    book,
    choose,
    possible,
    prove,
    side,
    table,
)

# Kind of question, its table, the category of its things and the look that tells them apart.
SIMPLE = {
    "country": ("flowers", "flower", "kind"),
    "state": ("flowers", "flower", "kind"),
    "style": ("paintings", "painting", "style"),
    "match_style": ("paintings", "painting", "style"),
    "solution_colour": ("solutions", "tube", "solution"),
}


def pool(kind: str, split: Split, params: Mapping[str, object]) -> list[tuple[str, dict[str, str]]]:
    """Return (category, looks) of everything that may stand in a scene of a question kind."""
    if kind == "attribute":
        facts = attribute_table(str(params["table"]))
        return [(facts.category, {facts.look: item}) for item in side(facts.name, split)]
    if kind in SIMPLE:
        name, category, look = SIMPLE[kind]
        return [(category, {look: item}) for item in side(name, split)]
    if kind in ("subject", "author", "study", "book_order"):
        classics = kind in ("author", "book_order")
        return [("book", {"title": title}) for title in side("books", split) if not classics or "year" in book(title)]
    if kind in ("nth_card", "beat_card", "best_five"):
        deck = table("cards")["deck"]
        cards = [
            (rank, suit, value + i) for rank, value in deck["values"].items() for i, suit in enumerate(deck["suits"])
        ]
        return [("card", {"rank": r, "suit": s}) for r, s, n in cards if split == "all" or (split == "unseen") == n % 2]
    if kind in ("odd_tile", "run_tile"):
        tiles = enumerate(table("mahjong")["tile_kinds"])
        return [("mahjong", {"kind": tile}) for i, tile in tiles if split == "all" or (split == "seen") == i % 2]
    if kind in ("material", "weight", "magnet"):
        data = table("materials")
        values = data["properties"][params.get("property", "density")]["values"]
        magnets = (*data["magnetism"]["attracted"], *data["magnetism"]["not attracted"])
        return [("sample", {"material": material}) for material in (magnets if kind == "magnet" else values)]
    if kind == "storage":
        return [("food", {"kind": item}) for key in ("fridge", "room_temperature") for item in table("storage")[key]]
    if kind == "menu":
        return [("cutlery", {"kind": item}) for item in table("dining")["cutlery"]]
    return [("billiard_ball", {"ball": ball}) for ball in table("billiards")["snooker_values"]]


def _items(rng: np.random.Generator, kind: str, count: int, params: Mapping[str, object]) -> list[Item]:
    things = pool(kind, "all", params)
    chosen = [things[int(index)] for index in rng.permutation(len(things))[:count]]
    if kind == "state":
        chosen = [(category, {**looks, "state": rng.choice(["fresh", "wilted"])}) for category, looks in chosen]
    items = [
        Item(f"{category}_{i}", category, looks, volume_cm3=float(3 + rng.integers(4)) ** 3)
        for i, (category, looks) in enumerate(chosen)
    ]
    if kind == "match_style":
        spoken = [table("paintings")["spoken"][looks["style"]] for _, looks in chosen]
        items += [Item(f"cube_{i}", "number_cube", {"text": text}) for i, text in enumerate(rng.permutation(spoken))]
    return [*items, Item("serving_plate_1", "serving_plate")] if kind == "menu" else items


def scene_with_answer(
    rng: np.random.Generator, kind: str, count: int, **params: object
) -> tuple[Sequence[Item], Proof]:
    """Return ``count`` things and the proof of a question of ``kind`` about them."""
    if kind in KINDS:
        chosen = choose(rng, kind, count, **params)
        return chosen.items, chosen.proof
    for _ in range(2000):
        items = _items(rng, kind, count, params)
        for question in possible(kind, items):
            if all(question.get(key, value) == value for key, value in params.items()):
                try:
                    return items, prove(question, items)
                except NotUniqueError:
                    continue
    raise AssertionError(f"no scene of {count} things answers a question of kind {kind}")
