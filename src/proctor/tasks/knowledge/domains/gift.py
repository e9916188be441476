"""A toy chosen from what is said of a child, packed, and the box shut."""

from __future__ import annotations

from .._answer import inside, one_of, others
from .._bank import by_bank
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import deal_lineup
from .._scene import SceneText
from .._tasks import BenchTask
from ..scenes import fixture, row
from .toy import SORT

ASK = by_bank("C09")


@recipe("wrap_toy_as_gift")
def wrap(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C09: three or four toys, a gift box with an open lid."""
    lineup = deal_lineup(deal, SORT, (3, 4), asks=(ASK,))
    asked = ASK(deal, lineup)
    geometry = deal.of("scene")
    scene = SceneText()
    box = fixture(scene, geometry, "giftbox_lid", -0.01, geometry.uniform(-0.05, 0.05), name="giftbox")
    scene.open(f"{box}/inside")
    names = row(scene, geometry, lineup.pieces, x=-0.29, depth=0.008)
    return one_of(scene, names, asked, lambda t: {"$t": t, "giftbox": box}, lambda t: inside(box, others(names, t)))
