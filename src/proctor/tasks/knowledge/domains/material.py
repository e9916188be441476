"""Samples on pedestals: which material is the densest, the lightest, the most slippery, ...; press its button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from .._candidates import AskedQuestion, said
from .._draw import recipe
from .._parts import EpisodeParts, one_of
from .._sampler import Sampler
from .._scene import ScenePiece
from ..facts import Question, holds, table
from ..scenes import pedestals

# Property that each task asks for.
PROPERTIES = {
    "friction_qa": "friction_on_steel",
    "density_qa": "density",
    "thermal_expansion_qa": "thermal_expansion",
    "speed_of_sound_qa": "speed_of_sound",
    "reflection_qa": "specular_reflectance",
    "drag_force_qa": "drag_coefficient",
}
EDGES_MM = (30, 40, 50)


@recipe(*PROPERTIES)
def by_property(sampler: Sampler) -> EpisodeParts:
    """P51, P52, P55 to P58: the largest or smallest of three or four."""
    name = PROPERTIES[sampler.task.slug]
    materials = list(table("materials")["properties"][name]["values"])
    direction = sampler.turn("direction", ("largest", "smallest"))
    question = Question("material", {"property": name, "direction": direction})
    count = sampler.turn("count", (3, 4)) if len(materials) > 8 else 3
    rivals = {key: _rivals(name, direction, key) for key in materials}
    answers = [key for key in materials if len(rivals[key]) >= count - 1]
    target = sampler.turn(f"target {direction} {count}", answers)
    keys = _with_answer(sampler, rivals[target], target, count)
    return _pressed(sampler, keys, said(sampler, sampler.task.id, question, ()), {"property": name})


def _rivals(name: str, direction: str, key: str) -> list[str]:
    """Return the materials that ``key`` beats in a property by the table's gap, at every value both may have."""
    values = table("materials")["properties"][name]
    gap, (_, low, high) = values["gap_ratio"], values["values"][key]
    return [
        other
        for other, (_, near, far) in values["values"].items()
        if other != key and (low >= gap * far if direction == "largest" else near >= gap * high and near > 0)
    ]


def _with_answer(sampler: Sampler, keys: Sequence[str], target: str, count: int) -> list[str]:
    place = sampler.cycle(f"slot of {count}", count, every=2)
    rest = sampler.sample([key for key in keys if key != target], count - 1)
    return [*rest[:place], target, *rest[place:]]


@recipe("magnetism_qa")
def by_magnet(sampler: Sampler) -> EpisodeParts:
    """P53: one thing a magnet attracts among others, or the other way round."""
    data = table("materials")["magnetism"]
    attracted = sampler.turn("attracted", (True, False))
    ours, theirs = ("attracted", "not attracted") if attracted else ("not attracted", "attracted")
    count = sampler.turn("count", (3, 4))
    target = sampler.turn(f"target {ours}", data[ours])
    place = sampler.cycle(f"slot of {count}", count, every=2)
    rest = sampler.sample(list(data[theirs]), count - 1)
    keys = [*rest[:place], target, *rest[place:]]
    asked = said(sampler, "P53", Question("magnet", {"attracted": attracted}), ())
    return _pressed(sampler, keys, asked, {"property": "magnetism"})


@recipe("weight_qa")
def by_weight(sampler: Sampler) -> EpisodeParts:
    """P54: solid blocks of different size and material."""
    direction = sampler.turn("direction", ("largest", "smallest"))
    materials = list(table("materials")["properties"]["density"]["values"])
    count = sampler.turn("count", (3, 4))
    target = sampler.turn(f"target {direction}", _extremes(direction))
    keys = _with_answer(sampler, materials, target, count)
    question = Question("weight", {"direction": direction})
    asked = said(sampler, "P54", question, ())
    samples = _samples(sampler, keys, {"property": "density"})
    mine = _sized(samples[keys.index(target)], sampler.choice(EDGES_MM))
    return _shown(
        sampler, [mine if s.name == mine.name else _beaten(sampler, question, mine, s) for s in samples], asked
    )


def _sized(piece: ScenePiece, edge: int) -> ScenePiece:
    return replace(piece, looks={**piece.looks, "edge": str(edge)}, volume_cm3=edge**3 / 1000)


def _beaten(sampler: Sampler, question: Question, winner: ScenePiece, piece: ScenePiece) -> ScenePiece:
    """Return a block in one of the sizes at which ``winner`` is the answer to a question about the two."""
    sizes = [_sized(piece, edge) for edge in EDGES_MM]
    return sampler.choice([one for one in sizes if holds(question, [winner.item, one.item], winner.name)])


@cache
def _extremes(direction: str) -> list[str]:
    """Return the materials that can outweigh (or be lighter than) half of the others in some sizes of block."""
    values = table("materials")["properties"]["density"]
    ratio = (EDGES_MM[-1] / EDGES_MM[0]) ** 3 / values["gap_ratio"]
    found = []
    for key, (_, low, high) in values["values"].items():
        rest = [(near, far) for other, (_, near, far) in values["values"].items() if other != key]
        beaten = [low * ratio > far if direction == "largest" else high < near * ratio for near, far in rest]
        if sum(beaten) >= len(rest) // 2:
            found.append(key)
    return found


def _samples(sampler: Sampler, keys: Sequence[str], looks: dict[str, str]) -> list[ScenePiece]:
    return [
        ScenePiece(f"sample_{i + 1}", "sample", sampler.instance(), {"material": key, **looks})
        for i, key in enumerate(keys)
    ]


def _pressed(sampler: Sampler, keys: Sequence[str], asked: AskedQuestion, looks: dict[str, str]) -> EpisodeParts:
    return _shown(sampler, _samples(sampler, keys, looks), asked)


def _shown(sampler: Sampler, pieces: Sequence[ScenePiece], asked: AskedQuestion) -> EpisodeParts:
    scene, names, buttons = pedestals(sampler, pieces)
    parts = one_of(scene, names, asked, lambda t: {"$t": t, "$b": f"{buttons[names.index(t)]}/button"})
    return replace(parts, target=scene.items([parts.proof.names[0]])[0].look("material"))
