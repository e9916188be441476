"""Books on a shelf."""

from __future__ import annotations

from .._candidates import ObjectSet, any_candidates, by_bank, on_track, said
from .._draw import recipe
from .._parts import EpisodeParts, one_of
from .._sampler import Sampler
from ..facts import Question
from ..scenes import on_bookshelf

OBJECTS = ObjectSet.of("books", "book", "title", named=False)
SLOTS = 5
QUESTIONS = {
    "select_book": by_bank("P04"),
    "select_book_common_sense": by_bank("P29"),
    "select_book_semantic": by_bank("P42"),
}


@recipe(*QUESTIONS)
def book(sampler: Sampler) -> EpisodeParts:
    """P04, P29, P42: three or four books in the slots of a shelf."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 4), OBJECTS.partner)
    scene, shelf, names = on_bookshelf(sampler, [candidates.pieces], SLOTS)
    return one_of(scene, names, asked, lambda t: {"$t": t, "shelf": shelf})


@recipe("select_book_spatial")
def book_by_place(sampler: Sampler) -> EpisodeParts:
    """P17: three books on one layer, two or three on the other; asked by their order on a layer."""
    keys = OBJECTS.side(sampler.split)
    layer = sampler.turn("layer", (1, 2))
    place = sampler.cycle("place", 3)
    side = sampler.turn("side", ("left", "right"))
    titles = sampler.sample(keys, 3 + sampler.turn("on the other", (2, 3)))
    pieces = OBJECTS.pieces(titles, [sampler.instance() for _ in titles])
    layers = [pieces[:3], pieces[3:]] if layer == 1 else [pieces[3:], pieces[:3]]
    scene, shelf, names = on_bookshelf(sampler, layers, SLOTS)
    number = place + 1 if side == "left" else 3 - place
    question = Question("nth_place", {"category": "book", "n": number, "side": side, "inside": f"{shelf}/layer{layer}"})
    which = "bottom" if layer == 1 else "top"
    asked = said(sampler, "P17", question, scene.items(names), layer=which)
    return one_of(scene, names, asked, lambda t: {"$t": t, "shelf": shelf}, layer=which)
