"""Condiments before a pan."""

from __future__ import annotations

from .._candidates import ObjectSet, any_candidates, by_bank, on_track, said, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, one_of
from .._sampler import Sampler
from ..facts import Question
from ..scenes import counter

OBJECTS = ObjectSet.of("condiments", "condiment", "kind")
QUESTIONS = {
    "add_condiment": by_bank("P07"),
    "add_condiment_common_sense": by_bank("P33"),
    "add_condiment_semantic": by_bank("P45"),
}


@recipe(*QUESTIONS)
def condiment(sampler: Sampler) -> EpisodeParts:
    """P07, P33, P45: three or four bottles, a pan behind them."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 4), OBJECTS.partner)
    scene, names, pan = counter(sampler, candidates.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t, "pan": pan}, lambda t: wrong_pours(names, t, pan))


def wrong_pours(names: tuple[str, ...], but: str, pan: str) -> list[str]:
    """Return the faults of pouring anything else."""
    return [f"(Poured {name} {pan} 0.1)" for name in names if name != but]


@recipe("add_condiment_spatial")
def condiment_by_place(sampler: Sampler) -> EpisodeParts:
    """P20: four bottles in a row or a column."""
    candidates = sample_candidates(sampler, OBJECTS, (4, 4))
    along = sampler.turn("line", ("row", "column"))
    scene, names, pan = counter(sampler, candidates.pieces, column=along == "column")
    side = sampler.turn("side", ("left", "right") if along == "row" else ("near", "far"))
    number = candidates.target + 1 if side in ("left", "near") else len(names) - candidates.target
    question = Question("nth_place", {"category": "condiment", "n": number, "side": side})
    return one_of(
        scene,
        names,
        said(sampler, "P20", question, scene.items(names)),
        lambda t: {"$t": t, "pan": pan},
        lambda t: wrong_pours(names, t, pan),
        line=along,
    )
