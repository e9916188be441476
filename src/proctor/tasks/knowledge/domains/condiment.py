"""Condiments before a pan."""

from __future__ import annotations

from .._answer import one_of
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Sort, deal_lineup, dealer, on_track
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import counter

SORT = Sort.of("condiments", "condiment", "kind")
ASKERS = {
    "add_condiment": by_bank("P07"),
    "add_condiment_common_sense": by_bank("P33"),
    "add_condiment_semantic": by_bank("P45"),
}


@recipe(*ASKERS)
def condiment(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P07, P33, P45: three or four bottles, a pan behind them."""
    lineup, asked = on_track(deal, request, ASKERS, dealer(SORT, 3, 4), SORT.partner)
    scene, names, pan = counter(deal, lineup.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t, "pan": pan}, lambda t: wrong_pours(names, t, pan))


def wrong_pours(names: tuple[str, ...], but: str, pan: str) -> list[str]:
    """Return the faults of pouring anything else."""
    return [f"(Poured {name} {pan} 0.1)" for name in names if name != but]


@recipe("add_condiment_spatial")
def condiment_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P20: four bottles in a row or a column."""
    lineup = deal_lineup(deal, SORT, (4, 4))
    along = deal.turn("line", ("row", "column"))
    scene, names, pan = counter(deal, lineup.pieces, column=along == "column")
    side = deal.turn("side", ("left", "right") if along == "row" else ("near", "far"))
    number = lineup.target + 1 if side in ("left", "near") else len(names) - lineup.target
    question = Question("nth_place", {"category": "condiment", "n": number, "side": side})
    return one_of(
        scene,
        names,
        said(deal, "P20", question, scene.items(names)),
        lambda t: {"$t": t, "pan": pan},
        lambda t: wrong_pours(names, t, pan),
        line=along,
    )
