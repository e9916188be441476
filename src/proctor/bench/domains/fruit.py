"""Fruit on the table, one of it for the plate."""

from __future__ import annotations

from .._attributes import ask_by_fact, ask_by_name
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Lineup, deal_lineup, draft_of, on_track
from .._tables import table
from .._tasks import BenchTask
from ..scenes import Piece, table_with

ASKERS = {
    "select_fruit": ask_by_name("Put the {} on the plate.", "Move the {} onto the plate."),
    "select_fruit_common_sense": ask_by_fact("fruits", lambda phrase: f"Put the fruit that {phrase} on the plate."),
}


def _lineup(deal: Deal, keys: tuple[str, ...]) -> Lineup:
    return deal_lineup(deal, keys, keys, (3, 4))


@recipe(*ASKERS)
def fruit(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P01, P26, P39: three or four fruits, a plate."""
    lineup, question = on_track(deal, request, table("fruits")["split"], ASKERS, _lineup)
    pieces = [Piece("fruit", seed, {"kind": key}, key) for key, seed in zip(lineup.keys, lineup.instances, strict=True)]
    scene, names, plate = table_with(deal, pieces, Piece("serving_plate", deal.of("plate").instance(), name="plate"))
    faults = [f"(On {name} {plate})" for slot, name in enumerate(names) if slot != question.answer]
    return draft_of(scene, names, question, {"$t": names[question.answer], "plate": plate}, faults)
