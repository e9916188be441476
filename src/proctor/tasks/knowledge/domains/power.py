"""Machines that must be plugged in before they run."""

from __future__ import annotations

from .._answer import inside, one_of, others
from .._bank import by_bank
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Sort, deal_lineup
from .._scene import Piece, SceneText, Spot
from .._tasks import BenchTask
from ..scenes import fixture, row
from .fruit import SORT as FRUITS
from .kitchen import DOOR_X, DOOR_Y, JUICED, SOUP, cold_row, juice_bindings


def _outlet(scene: SceneText, deal: Deal, socket: tuple[float, float], plug: tuple[float, float]) -> dict[str, str]:
    """Put a socket and, before it, a plug that points away from the robot; return their names by their words."""
    at = fixture(scene, deal, "socket", *socket)
    lying = Spot(*plug, 0.01, 0.01, (-0.5, 0.5))
    return {"socket": at, "plug": scene.put(Piece("plug_1", "plug", deal.instance()), lying)}


@recipe("insert_power_cord_to_make_juice")
def plug_and_juice(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C06: the plug into the socket, fruit into the juicer, lid on, button."""
    targets = [key for key in FRUITS.side(deal.split) if key in JUICED]
    lineup = deal_lineup(deal, FRUITS, (3, 3), targets)
    geometry = deal.of("scene")
    scene = SceneText()
    juicer = fixture(scene, geometry, "juicer", -0.02, 0.0)
    side = geometry.choice((1, -1))
    lid = scene.put(Piece("lid_1", "lid", geometry.instance()), Spot(-0.20, round(0.24 * side, 4), 0.01, 0.01))
    names = row(scene, geometry, lineup.pieces, x=-0.32, width=0.54, depth=0.008)
    outlet = _outlet(scene, geometry, (0.0, round(-0.26 * side, 4)), (-0.18, round(-0.20 * side, 4)))
    return one_of(
        scene,
        names,
        by_bank("C06")(deal, lineup),
        lambda f: {**juice_bindings(juicer, lid, f), **outlet},
        lambda f: inside(juicer, others(names, f)),
    )


@recipe("plug_cord_and_heat_food")
def plug_and_heat(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C16: the plug into the socket, food into the microwave, door shut, button."""
    lineup = deal_lineup(deal, Sort("food", "kind", SOUP, SOUP), (2, 3), SOUP)
    geometry = deal.of("scene")
    scene = SceneText()
    microwave = fixture(scene, geometry, "microwave", DOOR_X, DOOR_Y)
    names = cold_row(scene, geometry, lineup.pieces)
    outlet = _outlet(scene, geometry, (-0.01, -0.30), (-0.16, -0.11))
    return one_of(
        scene,
        names,
        by_bank("C16")(deal, lineup),
        lambda t: {"$t": t, "microwave": microwave, **outlet},
        lambda t: inside(microwave, others(names, t)),
    )
