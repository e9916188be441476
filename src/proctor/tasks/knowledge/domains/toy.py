"""Toys for a gift box."""

from __future__ import annotations

from .._candidates import ObjectSet, any_candidates, by_bank, on_track, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, also, inside, one_of, others
from .._sampler import Sampler
from .._scene import SceneText
from ..facts import Question
from ..scenes import fixture, row, table_with

OBJECTS = ObjectSet.of("toys", "toy", "kind")
QUESTIONS = {
    "select_toy": by_bank("P03"),
    "select_toy_common_sense": by_bank("P28"),
    "select_toy_semantic": by_bank("P41"),
}


@recipe(*QUESTIONS)
def toy(sampler: Sampler) -> EpisodeParts:
    """P03, P28, P41: three or four toys, an open gift box."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 4), OBJECTS.partner)
    scene, names, box = table_with(sampler, candidates.pieces, "giftbox", fixed=True)
    return one_of(scene, names, asked, lambda t: {"$t": t, "giftbox": box}, lambda t: inside(box, others(names, t)))


@recipe("select_toy_spatial")
def toy_into_box(sampler: Sampler) -> EpisodeParts:
    """P16: three toys, three boxes; the box is told by its place."""
    candidates = sample_candidates(sampler, OBJECTS, (3, 3))
    which = sampler.turn("box", ("leftmost", "middle", "rightmost"))
    geometry = sampler.of("scene")
    scene = SceneText()
    boxes = [
        fixture(scene, geometry, "giftbox", geometry.uniform(-0.03, 0.0), y, slack=0.006) for y in (0.255, 0.0, -0.255)
    ]
    names = row(scene, geometry, candidates.pieces, width=0.48)
    place = Question("middle_place", {"category": "giftbox"})
    if which != "middle":
        place = Question("nth_place", {"category": "giftbox", "n": 1, "side": which.removesuffix("most")})
    asked = by_bank("P16", box=which)(sampler, candidates)
    parts = one_of(scene, names, asked, lambda t: {"$t": t}, box=which)
    wrong = others(names, candidates.asked.name)
    return also(parts, "$box", place, boxes, lambda box: inside(box, wrong))
