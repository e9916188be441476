"""A toy chosen from what is said of a child, packed, and the box shut."""

from __future__ import annotations

from .._answer import inside, one_of, others
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import by_kind, deal_lineup
from .._scene import SceneText
from .._tasks import BenchTask
from .._words import phrase_of
from ..scenes import fixture, row
from .toy import SORT

CHILDREN = (
    "My nephew loves the toy that {}. Pack it as a present for him and shut the box.",
    "For the birthday we chose the toy that {}. Put it into the gift box and close the lid.",
)


@recipe("wrap_toy_as_gift")
def wrap(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C09: three or four toys, a gift box with an open lid."""
    lineup = deal_lineup(deal, SORT, (3, 4))
    asked = by_kind("attribute", lambda q: deal.choice(CHILDREN).format(phrase_of(q)))(deal, lineup)
    geometry = deal.of("scene")
    scene = SceneText()
    box = fixture(scene, geometry, "giftbox_lid", -0.01, geometry.uniform(-0.05, 0.05), name="giftbox")
    scene.open(f"{box}/inside")
    names = row(scene, geometry, lineup.pieces, x=-0.29, depth=0.008)
    return one_of(scene, names, asked, lambda t: {"$t": t, "giftbox": box}, lambda t: inside(box, others(names, t)))
