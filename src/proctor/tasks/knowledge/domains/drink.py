"""Drinks in a cool box."""

from __future__ import annotations

from .._answer import one_of
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Sort, deal_lineup, dealer, on_track
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import on_shelves

SORT = Sort.of("drinks", "drink", "kind")
ASKERS = {
    "select_drink": by_bank("P02"),
    "select_drink_common_sense": by_bank("P27"),
    "select_drink_semantic": by_bank("P40"),
}


@recipe(*ASKERS)
def drink(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P02, P27, P40: three drinks on the shelf of a cool box."""
    lineup, asked = on_track(deal, request, ASKERS, dealer(SORT, 3, 3), SORT.partner)
    scene, box, names, _ = on_shelves(deal, "coolbox", [lineup.pieces])
    return one_of(scene, names, asked, lambda t: {"$t": t, "coolbox": box})


@recipe("select_drink_spatial")
def drink_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P15: two drinks on one shelf, one or two on the other; asked by their order on a shelf."""
    lineup = deal_lineup(deal, SORT, (3, 4))
    shelf = deal.turn("shelf", (1, 2))
    count = 2 if len(lineup.pieces) == 4 else deal.turn("on it", (1, 2))
    place = deal.wheel(f"place of {count}", count)
    pieces = [lineup.asked, *(piece for piece in lineup.pieces if piece is not lineup.asked)]
    asked_shelf = pieces[1:count]
    asked_shelf.insert(place, pieces[0])
    shelves = [asked_shelf, pieces[count:]] if shelf == 1 else [pieces[count:], asked_shelf]
    scene, box, names, _ = on_shelves(deal, "coolbox", shelves)
    side = deal.turn("side", ("left", "right")) if count > 1 else "left"
    number = place + 1 if side == "left" else count - place
    question = Question("nth_place", {"category": "drink", "n": number, "side": side, "inside": f"{box}/shelf{shelf}"})
    which = "lower" if shelf == 1 else "upper"
    asked = said(deal, "P15", question, scene.items(names), layer=which)
    return one_of(scene, names, asked, lambda t: {"$t": t, "coolbox": box}, shelf=which)
