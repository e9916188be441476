"""Books on a shelf."""

from __future__ import annotations

from .._answer import one_of
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Sort, dealer, on_track
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import on_bookshelf

SORT = Sort.of("books", "book", "title", named=False)
SLOTS = 5
ASKERS = {
    "select_book": by_bank("P04"),
    "select_book_common_sense": by_bank("P29"),
    "select_book_semantic": by_bank("P42"),
}


@recipe(*ASKERS)
def book(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P04, P29, P42: three or four books in the slots of a shelf."""
    lineup, asked = on_track(deal, request, ASKERS, dealer(SORT, 3, 4), SORT.partner)
    scene, shelf, names = on_bookshelf(deal, [lineup.pieces], SLOTS)
    return one_of(scene, names, asked, lambda t: {"$t": t, "shelf": shelf})


@recipe("select_book_spatial")
def book_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P17: three books on one layer, two or three on the other; asked by their order on a layer."""
    keys = SORT.side(deal.split)
    layer = deal.turn("layer", (1, 2))
    place = deal.wheel("place", 3)
    side = deal.turn("side", ("left", "right"))
    titles = deal.sample(keys, 3 + deal.turn("on the other", (2, 3)))
    pieces = SORT.pieces(titles, [deal.instance() for _ in titles])
    layers = [pieces[:3], pieces[3:]] if layer == 1 else [pieces[3:], pieces[:3]]
    scene, shelf, names = on_bookshelf(deal, layers, SLOTS)
    number = place + 1 if side == "left" else 3 - place
    question = Question("nth_place", {"category": "book", "n": number, "side": side, "inside": f"{shelf}/layer{layer}"})
    which = "bottom" if layer == 1 else "top"
    asked = said(deal, "P17", question, scene.items(names), layer=which)
    return one_of(scene, names, asked, lambda t: {"$t": t, "shelf": shelf}, layer=which)
