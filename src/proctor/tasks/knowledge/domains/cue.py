"""A cue, a cue ball, and the ball that it is to pot."""

from __future__ import annotations

import math

from .._candidates import Candidates, by_bank
from .._draw import recipe
from .._parts import EpisodeParts, one_of
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from .._template import Bindings
from ..facts import table
from ..scenes import BILLIARDS_X, fixture, pockets

COLOURS = tuple(table("billiards")["snooker_values"])
POCKET_X, POCKET_Y = 0.215, 0.175
"""The far corner pockets of the table, in its own frame."""
CUE_X, CUE_Y, OTHER_X, OTHER_Y = -0.125, 0.060, 0.125, 0.105
"""Where cue and other ball lie on the bed, on the side away from the pocket."""
SLACK_M = 0.001


def _on_bed(bed: str, x: float, y: float, yaw: tuple[float, float] = (-3.0, 3.0)) -> SitePlace:
    spot = Spot(round(x, 4), round(y, 4), SLACK_M, SLACK_M, yaw)
    return SitePlace(f"{bed}/bed", spot, (round(BILLIARDS_X + x, 4), round(y, 4)), f"{bed}/bed")


@recipe("simple_cuestick_use")
def with_cue(sampler: Sampler) -> EpisodeParts:
    """P60: cue ball and ball in line with a far corner pocket, another ball aside.

    A cue ball that follows into the pocket is no fault: with our contacts it keeps half of its speed.
    """
    target = sampler.turn("target", COLOURS)
    side = sampler.turn("side", ("left", "right"))
    place = sampler.cycle("place", 2)
    other = sampler.choice([colour for colour in COLOURS if colour != target])
    geometry = sampler.of("scene")
    scene = SceneText()
    bed = fixture(scene, geometry, "billiard_table", BILLIARDS_X, 0.0, slack=0.006, turn=0.015)
    sign = 1.0 if side == "left" else -1.0
    angle = math.radians(geometry.uniform(36.0, 46.0))
    dx, dy = math.cos(angle), sign * math.sin(angle)
    far, gap = geometry.uniform(0.10, 0.13), geometry.uniform(0.060, 0.068)
    at = (POCKET_X - far * dx, sign * POCKET_Y - far * dy)
    balls = [
        ScenePiece(f"ball_{1 + place}", "billiard_ball", geometry.instance(), {"ball": target}),
        ScenePiece(f"ball_{2 - place}", "billiard_ball", geometry.instance(), {"ball": other}),
        ScenePiece("cueball_1", "billiard_ball", geometry.instance(), {"ball": "white"}),
    ]
    spots = [at, (OTHER_X, -sign * OTHER_Y), (at[0] - gap * dx, at[1] - gap * dy)]
    names = [scene.put(ball, _on_bed(bed, x, y)) for ball, (x, y) in zip(balls, spots, strict=True)]
    rest = _on_bed(bed, CUE_X, -sign * CUE_Y, (-0.06, 0.06))
    cue = scene.put(ScenePiece("cue_1", "cue", geometry.instance()), rest)
    asked = by_bank("P60")(sampler, Candidates(tuple(balls[:2]), 0))
    where = pockets(bed)

    bindings: Bindings = {
        "$cueball": names[2], "cue": cue, "cue_or_cueball": (cue, names[2]), "pockets": where,
        "$pocket": f"{bed}/{side}_top",
    }  # fmt: skip
    return one_of(
        scene,
        names[:2],
        asked,
        lambda t: {**bindings, "$t": t},
        lambda t: [f"(Or {' '.join(f'(In {name} {pocket})' for pocket in where)})" for name in names[:2] if name != t],
    )
