"""Things hidden in the drawers of a cabinet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from .._candidates import Candidates, by_bank
from .._draw import recipe
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot, numbered
from ..facts import Item, options, side, table
from ..scenes import fixture
from .condiment import OBJECTS as CONDIMENTS
from .condiment import wrong_pours
from .fruit import OBJECTS as FRUITS
from .kitchen import JUICED, juice_bindings

DRAWERS = ("top", "middle", "bottom")
CABINET_X = 0.17
# Things lie in the front of a drawer: before the cabinet once it is open, with room for the palm.
FORWARD_M = -0.040
# What is low enough for a drawer, 7 cm deep.
LOW_FRUITS = ("banana", "orange", "lemon", "strawberry", "plum", "peach", "kiwi", "apple", "lime", "avocado")


def cabinet_scene(
    sampler: Sampler, hidden: Sequence[tuple[str, ScenePiece]], visible: Sequence[ScenePiece], y: float = 0.0
) -> tuple[SceneText, str, tuple[str, ...]]:
    """Return a scene with a cabinet, what is hidden in its drawers, and what lies on the table beside them."""
    scene = SceneText()
    cabinet = fixture(scene, sampler, "cabinet", CABINET_X, y)
    names = [
        scene.put(
            piece,
            SitePlace(
                f"{cabinet}/{drawer}_region",
                Spot(FORWARD_M, sampler.uniform(-0.05, 0.05), 0.01, 0.01, _lying(piece)),
                (CABINET_X, y),
                f"{cabinet}/{drawer}",
            ),
            relation="In",
        )
        for drawer, piece in hidden
    ]
    ends = (0.27, -0.27)
    for piece, end in zip(visible, sampler.sample(ends, len(visible)), strict=True):
        names.append(scene.put(piece, Spot(-0.22 + sampler.uniform(-0.03, 0.03), end, 0.01, 0.01, (-0.3, 0.3))))
    return scene, cabinet, tuple(names)


def _lying(piece: ScenePiece) -> tuple[float, float]:
    """Return the range of yaw in a drawer: packages lie lengthwise, so that the palm stays along the cabinet."""
    middle = math.pi / 2 if piece.category == "snack" else 0.0
    return middle - 0.12, middle + 0.12


def _in_drawers(sampler: Sampler, pieces: Sequence[ScenePiece]) -> tuple[str, list[tuple[str, ScenePiece]]]:
    """Return the drawer of the first piece, by turn, and the drawer of each."""
    drawer = sampler.turn("drawer", DRAWERS)
    rest = sampler.sample([name for name in DRAWERS if name != drawer], len(pieces) - 1)
    return drawer, list(zip([drawer, *rest], pieces, strict=True))


def _things(sampler: Sampler, target: tuple[str, str], count: int) -> list[ScenePiece]:
    """Return the target and ``count`` other things, of fruits and snacks, no two of a kind."""
    pool = [("fruit", kind) for kind in LOW_FRUITS] + [("snack", kind) for kind in table("snacks")["items"]]
    chosen = [target, *sampler.sample([thing for thing in pool if thing != target], count)]
    names = numbered([kind for _, kind in chosen])
    return [
        ScenePiece(name, category, sampler.instance(), {"kind": kind})
        for name, (category, kind) in zip(names, chosen, strict=True)
    ]


def _hinted(category: str, kind: str) -> bool:
    """Return whether the bank has words for a thing without its name."""
    return bool(options("C03", [Item("thing_1", category, {"kind": kind})], "thing_1"))


@recipe("find_unseen_object", "find_unseen_object_implicit")
def find(sampler: Sampler) -> EpisodeParts:
    """C02, C03: three things hidden, one in each drawer, two in sight; the hidden one is named, or told indirectly."""
    pool = [("fruit", kind) for kind in LOW_FRUITS] + [("snack", kind) for kind in table("snacks")["items"]]
    implicit = sampler.task.slug.endswith("implicit")
    target = sampler.turn("target", [thing for thing in pool if not implicit or _hinted(*thing)])
    pieces = _things(sampler, target, 4)
    drawer, hidden = _in_drawers(sampler, pieces[:3])
    scene, cabinet, names = cabinet_scene(sampler.of("scene"), hidden, pieces[3:])
    candidates = Candidates(tuple(pieces), 0)
    asked = by_bank(sampler.task.id)(sampler, candidates)
    where = f"{cabinet}/{drawer}"
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "$drawer": where, "table": "main_table"},
        drawer=drawer,
    )


@recipe("find_fruit_to_make_juice")
def find_and_juice(sampler: Sampler) -> EpisodeParts:
    """C05: the fruit is in a drawer; juicer and lid stand ready."""
    keys = [key for key in FRUITS.side(sampler.split) if key in JUICED and key in LOW_FRUITS]
    target = sampler.turn("target", keys)
    rest = sampler.sample([key for key in FRUITS.side(sampler.split) if key in LOW_FRUITS and key != target], 2)
    pieces = FRUITS.pieces([target, *rest], [sampler.instance() for _ in range(3)])
    drawer, hidden = _in_drawers(sampler, pieces[:2])
    geometry = sampler.of("scene")
    scene, cabinet, names = cabinet_scene(geometry, hidden, (), 0.17)
    seen = scene.put(pieces[2], Spot(-0.27, 0.28, 0.01, 0.01))
    juicer = fixture(scene, geometry, "juicer", -0.03, -0.20)
    lid = scene.put(ScenePiece("lid_1", "lid", geometry.instance()), Spot(-0.27, -0.26, 0.01, 0.01))
    where = f"{cabinet}/{drawer}"
    asked = by_bank("C05")(sampler, Candidates(tuple(pieces), 0))
    everything = (*names, seen)
    return one_of(
        scene,
        everything,
        asked,
        lambda f: {**juice_bindings(juicer, lid, f), "$drawer": where},
        lambda f: inside(juicer, others(everything, f)),
        drawer=drawer,
    )


@recipe("find_condiment_and_add")
def find_and_add(sampler: Sampler) -> EpisodeParts:
    """C18: the condiment lies in a drawer; a pan waits."""
    keys = side("condiments", sampler.split)
    target = sampler.turn("target", keys)
    rest = sampler.sample([key for key in keys if key != target], 2)
    bottles = CONDIMENTS.pieces([target, *rest], [sampler.instance() for _ in range(3)])
    # Pots stand upright in a drawer: what lies would run out.
    pieces = [replace(piece, looks={**piece.looks, "shape": "pot"}) for piece in bottles]
    drawer, hidden = _in_drawers(sampler, pieces[:2])
    geometry = sampler.of("scene")
    scene, cabinet, names = cabinet_scene(geometry, hidden, (), 0.17)
    seen = scene.put(pieces[2], Spot(-0.27, -0.28, 0.01, 0.01, (-0.1, 0.1)))
    pan = fixture(scene, geometry, "pan", 0.0, -0.20)
    where = f"{cabinet}/{drawer}"
    everything = (*names, seen)
    candidates = Candidates(tuple(pieces), 0)
    asked = by_bank("C18")(sampler, candidates)
    return one_of(
        scene,
        everything,
        asked,
        lambda t: {"$t": t, "pan": pan, "$drawer": where},
        lambda t: wrong_pours(everything, t, pan),
        drawer=drawer,
    )
