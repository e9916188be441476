"""Flowers in a stand, one of them for a vase."""

from __future__ import annotations

from dataclasses import replace

from .._candidates import Candidates, ObjectSet, by_bank, on_track, said, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, also, one_of
from .._sampler import Sampler
from .._scene import ScenePiece, SitePlace
from ..facts import Question
from ..scenes import fixture, flower_stand

OBJECTS = ObjectSet.of("flowers", "flower", "kind")
QUESTIONS = {
    "insert_flower": by_bank("P06"),
    "insert_flower_common_sense": by_bank("P31"),
    "insert_flower_semantic": by_bank("P44"),
}


def _fresh(candidates: Candidates, wilted: tuple[int, ...] = ()) -> Candidates:
    """Return the candidates with every flower fresh, but for the slots ``wilted``."""
    states = ["wilted" if i in wilted else "fresh" for i in range(len(candidates.pieces))]
    pieces = [
        replace(piece, looks={**piece.looks, "state": state})
        for piece, state in zip(candidates.pieces, states, strict=True)
    ]
    return Candidates(tuple(pieces), candidates.target)


def _partner(candidates: Candidates) -> Candidates:
    return _fresh(OBJECTS.partner(candidates))


@recipe(*QUESTIONS)
def flower(sampler: Sampler) -> EpisodeParts:
    """P06, P31, P44: three flowers in a stand, one vase."""
    candidates, asked = on_track(
        sampler, QUESTIONS, lambda d, asks: _fresh(sample_candidates(d, OBJECTS, (3, 3), asks=asks)), _partner
    )
    scene, _, names, (vase,) = flower_stand(sampler, candidates.pieces)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "vase": vase},
        lambda t: [f"(Inserted {n} {vase})" for n in names if n != t],
    )


@recipe("insert_bloom_flower")
def bloom(sampler: Sampler) -> EpisodeParts:
    """P32: one fresh flower among wilted ones."""
    candidates = sample_candidates(sampler, OBJECTS, (3, 3))
    candidates = _fresh(candidates, tuple(i for i in range(3) if i != candidates.target))
    scene, _, names, (vase,) = flower_stand(sampler, candidates.pieces)
    question = Question("state", {"category": "flower", "state": "fresh"})
    asked = said(sampler, "P32", question, candidates.items)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "vase": vase},
        lambda t: [f"(Inserted {n} {vase})" for n in names if n != t],
    )


@recipe("insert_flower_spatial")
def flower_by_place(sampler: Sampler) -> EpisodeParts:
    """P19: three or four flowers, two vases; both are told by their place."""
    candidates = _fresh(sample_candidates(sampler, OBJECTS, (3, 4)))
    scene, _, names, vases = flower_stand(sampler, candidates.pieces, vases=2)
    side = sampler.turn("side", ("left", "right"))
    which = sampler.turn("vase", ("left", "right"))
    number = candidates.target + 1 if side == "left" else len(names) - candidates.target
    question = Question("nth_place", {"category": "flower", "n": number, "side": side})
    asked = said(sampler, "P19", question, candidates.items, vase=which)
    parts = one_of(scene, names, asked, lambda t: {"$t": t}, vase=which)
    vase = Question("nth_place", {"category": "flower_vase", "n": 1, "side": which})
    return also(
        parts, "$vase", vase, vases, lambda v: [f"(Inserted {n} {v})" for n in names if n != candidates.asked.name]
    )


@recipe("replace_wilted_flower")
def replace_wilted(sampler: Sampler) -> EpisodeParts:
    """C17: a wilted flower in the vase, fresh ones in the stand, a bin."""
    candidates = _fresh(sample_candidates(sampler, OBJECTS, (2, 3)))
    scene, _, names, (vase,) = flower_stand(sampler, candidates.pieces)
    geometry = sampler.of("bin")
    old = ScenePiece(
        "old_flower_1",
        "flower",
        geometry.instance(),
        {"kind": geometry.choice(OBJECTS.side(sampler.split)), "state": "wilted"},
    )
    wilted = scene.put(old, SitePlace(f"{vase}/hole", None, None, vase), relation="In")
    side = next(thing.where.y for thing in scene.things if thing.piece.name == vase)  # type: ignore[union-attr]
    bin_ = fixture(scene, geometry, "bin", 0.02, round(0.5 * side, 4))
    question = Question("look", {"category": "flower", "kind": candidates.asked.looks["kind"], "state": "fresh"})
    parts = one_of(
        scene,
        names,
        said(sampler, "C17", question, candidates.items),
        lambda t: {"$t": t, "vase": vase, "bin": bin_},
        lambda t: [f"(In {n} {bin_})" for n in names],
    )
    past = Question("state", {"category": "flower", "state": "wilted"})
    return also(parts, "$w", past, [*names, wilted])
