"""Toys for a gift box."""

from __future__ import annotations

from .._answer import also, inside, one_of, others
from .._bank import by_bank
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Sort, deal_lineup, dealer, on_track
from .._scene import SceneText
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import fixture, row, table_with

SORT = Sort.of("toys", "toy", "kind")
ASKERS = {
    "select_toy": by_bank("P03"),
    "select_toy_common_sense": by_bank("P28"),
    "select_toy_semantic": by_bank("P41"),
}


@recipe(*ASKERS)
def toy(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P03, P28, P41: three or four toys, an open gift box."""
    lineup, asked = on_track(deal, request, ASKERS, dealer(SORT, 3, 4), SORT.partner)
    scene, names, box = table_with(deal, lineup.pieces, "giftbox", fixed=True)
    return one_of(scene, names, asked, lambda t: {"$t": t, "giftbox": box}, lambda t: inside(box, others(names, t)))


@recipe("select_toy_spatial")
def toy_into_box(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P16: three toys, three boxes; the box is told by its place."""
    lineup = deal_lineup(deal, SORT, (3, 3))
    which = deal.turn("box", ("leftmost", "middle", "rightmost"))
    geometry = deal.of("scene")
    scene = SceneText()
    boxes = [
        fixture(scene, geometry, "giftbox", geometry.uniform(-0.03, 0.0), y, slack=0.006) for y in (0.255, 0.0, -0.255)
    ]
    names = row(scene, geometry, lineup.pieces, width=0.48)
    place = Question("middle_place", {"category": "giftbox"})
    if which != "middle":
        place = Question("nth_place", {"category": "giftbox", "n": 1, "side": which.removesuffix("most")})
    asked = by_bank("P16", box=which)(deal, lineup)
    draft = one_of(scene, names, asked, lambda t: {"$t": t}, box=which)
    wrong = others(names, lineup.asked.name)
    return also(draft, "$box", place, boxes, lambda box: inside(box, wrong))
