"""A panel with nails, and the hammer that drives the loose one in."""

from __future__ import annotations

from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._errors import RejectedError
from .._file import BenchFile
from .._scene import Piece, SceneText, Spot
from .._tasks import BenchTask
from ..knowledge import Item, NotUniqueError, ask, prove
from ..scenes import fixture

PANEL_X, HAMMER_X = 0.03, -0.24
LOOSE_MM = "30"


def _nails(panel: str, loose: int, count: int) -> list[Item]:
    """Return the nails of a panel as the rules see them: how far each stands out beyond where it belongs."""
    return [Item(f"{panel}/nail{k}", "nail", {"out_mm": LOOSE_MM if k == loose else "0"}) for k in range(1, count + 1)]


def _hammer(scene: SceneText, deal: Deal, y: float) -> str:
    spot = Spot(HAMMER_X, y, 0.015, 0.02, (-0.6, 0.6))
    return scene.put(Piece("hammer_1", "hammer", deal.instance()), spot)


@recipe("hammer_loose_nail")
def loose_nail(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P13: three nails, one of them loose; the hammer lies before the panel."""
    loose = deal.turn("nail", (1, 2, 3))
    geometry = deal.of("scene")
    scene = SceneText()
    panel = fixture(scene, geometry, "panel", PANEL_X, nails="3", loose=str(loose), seat="flush")
    hammer = _hammer(scene, geometry, geometry.uniform(-0.13, 0.13))
    nails = _nails(panel, loose, 3)
    try:
        asked = ask(deal.rng, "P13", nails)
        proof = prove(asked.question, nails)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    (nail,) = proof.names
    bindings = {"$nail": nail, "$nail.depth": nail, "hammer": hammer}
    return Draft(scene, asked.text, bindings, proof, f"nail {loose}", facts={"slot": loose - 1, "slots": 3})
