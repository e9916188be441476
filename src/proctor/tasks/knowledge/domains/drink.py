"""Drinks in a cool box."""

from __future__ import annotations

from .._candidates import ObjectSet, any_candidates, by_bank, on_track, said, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, one_of
from .._sampler import Sampler
from ..facts import Question
from ..scenes import on_shelves

OBJECTS = ObjectSet.of("drinks", "drink", "kind")
QUESTIONS = {
    "select_drink": by_bank("P02"),
    "select_drink_common_sense": by_bank("P27"),
    "select_drink_semantic": by_bank("P40"),
}


@recipe(*QUESTIONS)
def drink(sampler: Sampler) -> EpisodeParts:
    """P02, P27, P40: three drinks on the shelf of a cool box."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 3), OBJECTS.partner)
    scene, box, names, _ = on_shelves(sampler, "coolbox", [candidates.pieces])
    return one_of(scene, names, asked, lambda t: {"$t": t, "coolbox": box})


@recipe("select_drink_spatial")
def drink_by_place(sampler: Sampler) -> EpisodeParts:
    """P15: two drinks on one shelf, one or two on the other; asked by their order on a shelf."""
    candidates = sample_candidates(sampler, OBJECTS, (3, 4))
    shelf = sampler.turn("shelf", (1, 2))
    count = 2 if len(candidates.pieces) == 4 else sampler.turn("on it", (1, 2))
    place = sampler.cycle(f"place of {count}", count)
    pieces = [candidates.asked, *(piece for piece in candidates.pieces if piece is not candidates.asked)]
    asked_shelf = pieces[1:count]
    asked_shelf.insert(place, pieces[0])
    shelves = [asked_shelf, pieces[count:]] if shelf == 1 else [pieces[count:], asked_shelf]
    scene, box, names, _ = on_shelves(sampler, "coolbox", shelves)
    side = sampler.turn("side", ("left", "right")) if count > 1 else "left"
    number = place + 1 if side == "left" else count - place
    question = Question("nth_place", {"category": "drink", "n": number, "side": side, "inside": f"{box}/shelf{shelf}"})
    which = "lower" if shelf == 1 else "upper"
    asked = said(sampler, "P15", question, scene.items(names), layer=which)
    return one_of(scene, names, asked, lambda t: {"$t": t, "coolbox": box}, shelf=which)
