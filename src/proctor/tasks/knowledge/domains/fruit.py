"""Fruit on the table, one of it for the plate."""

from __future__ import annotations

from .._candidates import ObjectSet, any_candidates, by_bank, on_track, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot, numbered
from ..facts import Question
from ..scenes import receptacle, table_with

OBJECTS = ObjectSet.of("fruits", "fruit", "kind")
QUESTIONS = {
    "select_fruit": by_bank("P01"),
    "select_fruit_common_sense": by_bank("P26"),
    "select_fruit_semantic": by_bank("P39"),
}


@recipe(*QUESTIONS)
def fruit(sampler: Sampler) -> EpisodeParts:
    """P01, P26, P39: three or four fruits, a plate."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 4), OBJECTS.partner)
    scene, names, plate = table_with(sampler, candidates.pieces, "serving_plate", name="plate")
    return one_of(scene, names, asked, lambda t: {"$t": t, "plate": plate}, lambda t: inside(plate, others(names, t)))


@recipe("select_fruit_spatial")
def fruit_by_place(sampler: Sampler) -> EpisodeParts:
    """P14: two fruits of a kind, told apart by the tray one of them lies in or by what it lies beside."""
    keys = OBJECTS.side(sampler.split)
    target = sampler.turn("target", keys)
    how = sampler.turn("relation", ("tray", "left", "right"))
    anchor, *more = sampler.sample([key for key in keys if key != target], 3)
    names = numbered([target, target, anchor, *more])
    wanted, twin, marker, *rest = [
        ScenePiece(name, "fruit", sampler.instance(), {"kind": key})
        for name, key in zip(names, [target, target, anchor, *more], strict=True)
    ]
    scene, question = (_in_tray if how == "tray" else _beside)(sampler.of("scene"), how, wanted, twin, marker, rest)
    plate = receptacle(scene, sampler.of("plate"), "serving_plate", -0.01, 0.0, name="plate")
    kept = [wanted.name, twin.name, marker.name, *(piece.name for piece in rest[:1])]
    return one_of(
        scene,
        kept,
        said(sampler, "P14", question, scene.items(kept)),
        lambda t: {"$t": t, "plate": plate},
        lambda t: inside(plate, others(kept, t)),
        relation=how,
    )


def _in_tray(
    sampler: Sampler, how: str, wanted: ScenePiece, twin: ScenePiece, marker: ScenePiece, rest: list[ScenePiece]
) -> tuple[SceneText, Question]:
    scene = SceneText()
    side = 1 if sampler.rng.integers(2) else -1
    tray = receptacle(scene, sampler, "tray", -0.22, round(0.20 * side, 4))
    for piece, x, y in ((wanted, 0.0, 0.05), (rest[0], 0.0, -0.05)):
        niche = SitePlace(f"{tray}/inside", Spot(x, y, 0.004, 0.004, (-0.4, 0.4)), (-0.22, 0.2 * side + y), tray)
        scene.put(piece, niche, relation="In")
    for piece, y in ((twin, -0.06), (marker, -0.24)):
        scene.put(piece, Spot(-0.24 + sampler.uniform(-0.02, 0.02), round(y * side, 4), yaw=(-0.4, 0.4)))
    kind = wanted.looks["kind"]
    return scene, Question("inside", {"category": "fruit", "container": tray, "of_kind": kind})


def _beside(
    sampler: Sampler, how: str, wanted: ScenePiece, twin: ScenePiece, marker: ScenePiece, rest: list[ScenePiece]
) -> tuple[SceneText, Question]:
    scene = SceneText()
    sign = 1 if how == "left" else -1
    middle = sampler.uniform(-0.04, 0.04)
    scene.put(marker, Spot(-0.24, middle, yaw=(-0.4, 0.4)))
    gap = sampler.uniform(0.12, 0.15)
    scene.put(wanted, Spot(-0.24 + sampler.uniform(-0.02, 0.02), round(middle + sign * gap, 4), yaw=(-0.4, 0.4)))
    scene.put(twin, Spot(-0.24 + sampler.uniform(-0.02, 0.02), round(middle - sign * gap, 4), yaw=(-0.4, 0.4)))
    scene.put(rest[0], Spot(-0.24, round(middle - sign * 0.27, 4), yaw=(-0.4, 0.4)))
    if abs(middle) + 0.27 > 0.34:
        raise RejectedError("the row leaves the reach")
    return scene, Question(
        "side_of", {"category": "fruit", "anchor": marker.name, "side": how, "of_kind": wanted.looks["kind"]}
    )
