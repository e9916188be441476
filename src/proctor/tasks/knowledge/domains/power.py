"""Machines that must be plugged in before they run."""

from __future__ import annotations

from .._candidates import ObjectSet, by_bank, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, Spot
from ..scenes import fixture, row
from .fruit import OBJECTS as FRUITS
from .kitchen import DOOR_X, DOOR_Y, JUICED, SOUP, cold_row, juice_bindings


def _outlet(
    scene: SceneText, sampler: Sampler, socket: tuple[float, float], plug: tuple[float, float]
) -> dict[str, str]:
    """Put a socket and, before it, a plug that points away from the robot; return their names by their words."""
    at = fixture(scene, sampler, "socket", *socket)
    lying = Spot(*plug, 0.01, 0.01, (-0.5, 0.5))
    return {"socket": at, "plug": scene.put(ScenePiece("plug_1", "plug", sampler.instance()), lying)}


@recipe("insert_power_cord_to_make_juice")
def plug_and_juice(sampler: Sampler) -> EpisodeParts:
    """C06: the plug into the socket, fruit into the juicer, lid on, button."""
    targets = [key for key in FRUITS.side(sampler.split) if key in JUICED]
    candidates = sample_candidates(sampler, FRUITS, (3, 3), targets)
    geometry = sampler.of("scene")
    scene = SceneText()
    juicer = fixture(scene, geometry, "juicer", -0.02, 0.0)
    side = geometry.choice((1, -1))
    lid = scene.put(ScenePiece("lid_1", "lid", geometry.instance()), Spot(-0.20, round(0.24 * side, 4), 0.01, 0.01))
    names = row(scene, geometry, candidates.pieces, x=-0.32, width=0.54, depth=0.008)
    outlet = _outlet(scene, geometry, (0.0, round(-0.26 * side, 4)), (-0.18, round(-0.20 * side, 4)))
    return one_of(
        scene,
        names,
        by_bank("C06")(sampler, candidates),
        lambda f: {**juice_bindings(juicer, lid, f), **outlet},
        lambda f: inside(juicer, others(names, f)),
    )


@recipe("plug_cord_and_heat_food")
def plug_and_heat(sampler: Sampler) -> EpisodeParts:
    """C16: the plug into the socket, food into the microwave, door shut, button."""
    candidates = sample_candidates(sampler, ObjectSet("food", "kind", SOUP, SOUP), (2, 3), SOUP)
    geometry = sampler.of("scene")
    scene = SceneText()
    microwave = fixture(scene, geometry, "microwave", DOOR_X, DOOR_Y)
    names = cold_row(scene, geometry, candidates.pieces)
    outlet = _outlet(scene, geometry, (-0.01, -0.30), (-0.16, -0.11))
    return one_of(
        scene,
        names,
        by_bank("C16")(sampler, candidates),
        lambda t: {"$t": t, "microwave": microwave, **outlet},
        lambda t: inside(microwave, others(names, t)),
    )
