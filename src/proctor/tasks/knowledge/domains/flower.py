"""Flowers in a stand, one of them for a vase."""

from __future__ import annotations

from dataclasses import replace

from .._answer import also, one_of
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Lineup, Sort, deal_lineup, on_track
from .._scene import Niche, Piece
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import fixture, flower_stand

SORT = Sort.of("flowers", "flower", "kind")
ASKERS = {
    "insert_flower": by_bank("P06"),
    "insert_flower_common_sense": by_bank("P31"),
    "insert_flower_semantic": by_bank("P44"),
}


def _fresh(lineup: Lineup, wilted: tuple[int, ...] = ()) -> Lineup:
    """Return the lineup with every flower fresh, but for the slots ``wilted``."""
    states = ["wilted" if i in wilted else "fresh" for i in range(len(lineup.pieces))]
    pieces = [
        replace(piece, looks={**piece.looks, "state": state})
        for piece, state in zip(lineup.pieces, states, strict=True)
    ]
    return Lineup(tuple(pieces), lineup.target)


def _partner(lineup: Lineup) -> Lineup:
    return _fresh(SORT.partner(lineup))


@recipe(*ASKERS)
def flower(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P06, P31, P44: three flowers in a stand, one vase."""
    lineup, asked = on_track(
        deal, request, ASKERS, lambda d, asks: _fresh(deal_lineup(d, SORT, (3, 3), asks=asks)), _partner
    )
    scene, _, names, (vase,) = flower_stand(deal, lineup.pieces)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "vase": vase},
        lambda t: [f"(Inserted {n} {vase})" for n in names if n != t],
    )


@recipe("insert_bloom_flower")
def bloom(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P32: one fresh flower among wilted ones."""
    lineup = deal_lineup(deal, SORT, (3, 3))
    lineup = _fresh(lineup, tuple(i for i in range(3) if i != lineup.target))
    scene, _, names, (vase,) = flower_stand(deal, lineup.pieces)
    question = Question("state", {"category": "flower", "state": "fresh"})
    asked = said(deal, "P32", question, lineup.items)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "vase": vase},
        lambda t: [f"(Inserted {n} {vase})" for n in names if n != t],
    )


@recipe("insert_flower_spatial")
def flower_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P19: three or four flowers, two vases; both are told by their place."""
    lineup = _fresh(deal_lineup(deal, SORT, (3, 4)))
    scene, _, names, vases = flower_stand(deal, lineup.pieces, vases=2)
    side = deal.turn("side", ("left", "right"))
    which = deal.turn("vase", ("left", "right"))
    number = lineup.target + 1 if side == "left" else len(names) - lineup.target
    question = Question("nth_place", {"category": "flower", "n": number, "side": side})
    asked = said(deal, "P19", question, lineup.items, vase=which)
    draft = one_of(scene, names, asked, lambda t: {"$t": t}, vase=which)
    vase = Question("nth_place", {"category": "flower_vase", "n": 1, "side": which})
    return also(draft, "$vase", vase, vases, lambda v: [f"(Inserted {n} {v})" for n in names if n != lineup.asked.name])


@recipe("replace_wilted_flower")
def replace_wilted(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C17: a wilted flower in the vase, fresh ones in the stand, a bin."""
    lineup = _fresh(deal_lineup(deal, SORT, (2, 3)))
    scene, _, names, (vase,) = flower_stand(deal, lineup.pieces)
    geometry = deal.of("bin")
    old = Piece(
        "old_flower_1",
        "flower",
        geometry.instance(),
        {"kind": geometry.choice(SORT.side(deal.split)), "state": "wilted"},
    )
    wilted = scene.put(old, Niche(f"{vase}/hole", None, None, vase), relation="In")
    side = next(thing.where.y for thing in scene.things if thing.piece.name == vase)  # type: ignore[union-attr]
    bin_ = fixture(scene, geometry, "bin", 0.02, round(0.5 * side, 4))
    question = Question("look", {"category": "flower", "kind": lineup.asked.looks["kind"], "state": "fresh"})
    draft = one_of(
        scene,
        names,
        said(deal, "C17", question, lineup.items),
        lambda t: {"$t": t, "vase": vase, "bin": bin_},
        lambda t: [f"(In {n} {bin_})" for n in names],
    )
    past = Question("state", {"category": "flower", "state": "wilted"})
    return also(draft, "$w", past, [*names, wilted])
