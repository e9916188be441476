"""A panel with nails: the loose one driven in with the hammer, pictures hung on the right one."""

from __future__ import annotations

from collections.abc import Sequence

from .._candidates import ObjectSet, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from ..facts import Item, NotUniqueError, Proof, Question, prove, table
from ..scenes import fixture

PANEL_X, HAMMER_X, PICTURE_X = 0.05, -0.24, -0.09
STAND, HANDLE_Y = (-0.13, 0.15), -0.15
LOOSE_MM = "30"
# The four nails of a panel in a square: height and y.
SQUARE = {"nail1": (0.33, 0.12), "nail2": (0.33, -0.12), "nail3": (0.15, 0.12), "nail4": (0.15, -0.12)}
CORNERS = ("upper left", "upper right", "lower left", "lower right")
STYLES = ObjectSet.of("paintings", "painting", "style", named=False)


def _nails(panel: str, loose: int, count: int) -> list[Item]:
    """Return the nails of a panel as the rules see them: how far each stands out beyond where it belongs."""
    return [Item(f"{panel}/nail{k}", "nail", {"out_mm": LOOSE_MM if k == loose else "0"}) for k in range(1, count + 1)]


def _hammer(scene: SceneText, sampler: Sampler, y: float, turn: float) -> str:
    spot = Spot(HAMMER_X, y, 0.015, 0.015, (-turn, turn))
    return scene.put(ScenePiece("hammer_1", "hammer", sampler.instance()), spot)


def _proof(question: Question, items: Sequence[Item]) -> Proof:
    try:
        return prove(question, items)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None


@recipe("hammer_loose_nail")
def loose_nail(sampler: Sampler) -> EpisodeParts:
    """P13: three nails, one of them loose; the hammer lies before the panel."""
    loose = sampler.turn("nail", (1, 2, 3))
    geometry = sampler.of("scene")
    scene = SceneText()
    panel = fixture(scene, geometry, "panel", PANEL_X, nails="3", loose=str(loose), seat="flush")
    hammer = _hammer(scene, geometry, geometry.uniform(-0.13, 0.13), 0.6)
    nails = _nails(panel, loose, 3)
    question = Question("loose_nail")
    proof = _proof(question, nails)
    (nail,) = proof.names
    bindings = {"$nail": nail, "hammer": hammer}
    text = said(sampler, "P13", question, nails).text
    return EpisodeParts(scene, text, bindings, proof, f"nail {loose}", facts={"slot": loose - 1, "slots": 3})


@recipe("hang_picture")
def hang_picture(sampler: Sampler) -> EpisodeParts:
    """P21: four nails in a square, one picture that stands on the table."""
    corner = sampler.turn("corner", CORNERS)
    geometry = sampler.of("scene")
    scene = SceneText()
    panel = fixture(scene, geometry, "panel", PANEL_X, nails="4", loose="none", seat="peg")
    picture = _picture(scene, geometry, "", geometry.uniform(-0.12, 0.12))
    nails = [Item(f"{panel}/{name}", "nail", {}, at) for name, at in SQUARE.items()]
    question = Question("nail_place", {"nail": corner})
    proof = _proof(question, nails)
    (nail,) = proof.names
    text = said(sampler, "P21", question, nails).text
    facts = {"slot": CORNERS.index(corner), "slots": len(CORNERS)}
    return EpisodeParts(scene, text, {"$nail": nail, "picture": picture}, proof, corner, facts=facts)


def _picture(scene: SceneText, sampler: Sampler, style: str, y: float) -> str:
    """Put a picture that stands on the table, of a style or of any."""
    number = 1 + sum(thing.piece.category == "picture_frame" for thing in scene.things)
    looks = {"style": style, "subject": sampler.choice(list(table("paintings")["subjects"]))} if style else {}
    piece = ScenePiece(f"picture_{number}", "picture_frame", sampler.instance(), looks)
    return scene.put(piece, Spot(PICTURE_X, round(y, 4), 0.01, 0.01, (-0.1, 0.1)))


@recipe("hammer_nail_and_hang_picture")
def drive_and_hang(sampler: Sampler) -> EpisodeParts:
    """C19: one loose nail, a hammer, and two pictures of which one is asked for by its style."""
    side = STYLES.side(sampler.split)
    style = sampler.turn("target", side)
    place = sampler.cycle("place", 2)
    other = sampler.choice([key for key in side if key != style])
    geometry = sampler.of("scene")
    scene = SceneText()
    panel = fixture(scene, geometry, "panel", PANEL_X, nails="1", loose="1", seat="peg")
    hammer = _hammer(scene, geometry, geometry.uniform(-0.02, 0.02), 0.2)
    styles = [style, other] if place == 0 else [other, style]
    names = [_picture(scene, geometry, key, y) for key, y in zip(styles, (0.22, -0.22), strict=True)]
    question = Question("style", {"style": style})
    proof = _proof(question, scene.items(names))
    (target,) = proof.names
    nail = f"{panel}/nail1"
    text = said(sampler, "C19", question, scene.items(names)).text
    bindings = {"$nail": nail, "hammer": hammer, "$t": target, "table": "main_table"}
    faults = [f"(Hung {name} {nail})" for name in names if name != target]
    return EpisodeParts(scene, text, bindings, proof, style, faults, facts={"slot": place, "slots": 2})


@recipe("assemble_hammer")
def assemble(sampler: Sampler) -> EpisodeParts:
    """C20: the hammer's head on a stand, its handle on the table, three nails of which one is loose."""
    loose = sampler.turn("nail", (1, 2, 3))
    geometry = sampler.of("scene")
    scene = SceneText()
    panel = fixture(scene, geometry, "panel", PANEL_X, nails="3", loose=str(loose), seat="flush")
    sign = geometry.turn("side", (1.0, -1.0))
    stand = fixture(scene, geometry, "head_stand", STAND[0], sign * STAND[1])
    seat = SitePlace(f"{stand}/seat", Spot(0.0, 0.0, 0.0005, 0.0005, (0.0, 0.0)))
    head = scene.put(ScenePiece("head_1", "hammer_parts", geometry.instance(), {"part": "head"}), seat)
    lying = Spot(HAMMER_X, sign * HANDLE_Y, 0.015, 0.02, (-0.4, 0.4))
    handle = scene.put(ScenePiece("handle_1", "hammer_parts", geometry.instance(), {"part": "handle"}), lying)
    nails = _nails(panel, loose, 3)
    question = Question("loose_nail")
    proof = _proof(question, nails)
    (nail,) = proof.names
    bindings = {"$nail": nail, "handle": handle, "head": head}
    text = said(sampler, "C20", question, nails).text
    return EpisodeParts(scene, text, bindings, proof, f"nail {loose}", facts={"slot": loose - 1, "slots": 3})
