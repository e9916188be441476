"""Ingredients in an open fridge, one of them for the board."""

from __future__ import annotations

from .._candidates import AskedQuestion, ObjectSet, any_candidates, by_bank, on_track, said
from .._draw import recipe
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from ..facts import Question
from ..scenes import on_shelves

OBJECTS = ObjectSet.of("recipes", "ingredient", "kind")
QUESTIONS = {
    "select_ingredient": by_bank("P05", board="@"),
    "select_ingredient_common_sense": by_bank("P30"),
    "select_ingredient_semantic": by_bank("P43"),
}


@recipe(*QUESTIONS)
def ingredient(sampler: Sampler) -> EpisodeParts:
    """P05, P30, P43: three or four ingredients on two shelves; a board or, in the plain task, a plate."""
    candidates, asked = on_track(sampler, QUESTIONS, any_candidates(OBJECTS, 3, 4), OBJECTS.partner)
    plain = sampler.task.slug == "select_ingredient"
    surface = sampler.turn("surface", ("board", "serving_plate")) if plain else "board"
    pieces = candidates.pieces
    low = len(pieces) // 2 if len(pieces) == 4 else sampler.turn("below", (1, 2))
    scene, fridge, names, board = on_shelves(sampler, "fridge", [pieces[:low], pieces[low:]], board=surface)
    word = "plate" if surface == "serving_plate" else "board"
    return one_of(
        scene,
        names,
        AskedQuestion(asked.text.replace("@", word), asked.question),
        lambda t: {"$t": t, "$board": board, "board": board, "fridge": fridge},
        lambda t: inside(board, others(names, t)),
        surface=word,
    )


@recipe("select_ingredient_spatial")
def ingredient_by_place(sampler: Sampler) -> EpisodeParts:
    """P18: three ingredients on one shelf, two or three on the other; asked by their order on a shelf."""
    shelf = sampler.turn("shelf", (1, 2))
    place = sampler.cycle("place", 3)
    side = sampler.turn("side", ("left", "right"))
    keys = sampler.sample(OBJECTS.side(sampler.split), 3 + sampler.turn("on the other", (2, 3)))
    pieces = OBJECTS.pieces(keys, [sampler.instance() for _ in keys])
    shelves = [pieces[:3], pieces[3:]] if shelf == 1 else [pieces[3:], pieces[:3]]
    scene, fridge, names, board = on_shelves(sampler, "fridge", shelves, board="board")
    number = place + 1 if side == "left" else 3 - place
    question = Question(
        "nth_place", {"category": "ingredient", "n": number, "side": side, "inside": f"{fridge}/shelf{shelf}"}
    )
    which = "lower" if shelf == 1 else "upper"
    return one_of(
        scene,
        names,
        said(sampler, "P18", question, scene.items(names), layer=which),
        lambda t: {"$t": t, "board": board, "fridge": fridge},
        lambda t: inside(board, others(names, t)),
        shelf=which,
    )
