"""Ingredients in an open fridge, one of them for the board."""

from __future__ import annotations

from .._answer import inside, one_of, others
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Asked, Sort, dealer, on_track
from .._tasks import BenchTask
from ..facts import Question
from ..scenes import on_shelves

SORT = Sort.of("recipes", "ingredient", "kind")
ASKERS = {
    "select_ingredient": by_bank("P05", board="@"),
    "select_ingredient_common_sense": by_bank("P30"),
    "select_ingredient_semantic": by_bank("P43"),
}


@recipe(*ASKERS)
def ingredient(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P05, P30, P43: three or four ingredients on two shelves; a board or, in the plain task, a plate."""
    lineup, asked = on_track(deal, request, ASKERS, dealer(SORT, 3, 4), SORT.partner)
    plain = task.slug == "select_ingredient"
    surface = deal.turn("surface", ("board", "serving_plate")) if plain else "board"
    pieces = lineup.pieces
    low = len(pieces) // 2 if len(pieces) == 4 else deal.turn("below", (1, 2))
    scene, fridge, names, board = on_shelves(deal, "fridge", [pieces[:low], pieces[low:]], board=surface)
    word = "plate" if surface == "serving_plate" else "board"
    return one_of(
        scene,
        names,
        Asked(asked.text.replace("@", word), asked.question),
        lambda t: {"$t": t, "$board": board, "board": board, "fridge": fridge},
        lambda t: inside(board, others(names, t)),
        surface=word,
    )


@recipe("select_ingredient_spatial")
def ingredient_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P18: three ingredients on one shelf, two or three on the other; asked by their order on a shelf."""
    shelf = deal.turn("shelf", (1, 2))
    place = deal.wheel("place", 3)
    side = deal.turn("side", ("left", "right"))
    keys = deal.sample(SORT.side(deal.split), 3 + deal.turn("on the other", (2, 3)))
    pieces = SORT.pieces(keys, [deal.instance() for _ in keys])
    shelves = [pieces[:3], pieces[3:]] if shelf == 1 else [pieces[3:], pieces[:3]]
    scene, fridge, names, board = on_shelves(deal, "fridge", shelves, board="board")
    number = place + 1 if side == "left" else 3 - place
    question = Question(
        "nth_place", {"category": "ingredient", "n": number, "side": side, "inside": f"{fridge}/shelf{shelf}"}
    )
    which = "lower" if shelf == 1 else "upper"
    return one_of(
        scene,
        names,
        said(deal, "P18", question, scene.items(names), layer=which),
        lambda t: {"$t": t, "board": board, "fridge": fridge},
        lambda t: inside(board, others(names, t)),
        shelf=which,
    )
