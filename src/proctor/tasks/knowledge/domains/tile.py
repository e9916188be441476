"""Mahjong tiles: by face, by place, the odd one out, what completes a run, the winning tile."""

from __future__ import annotations

from dataclasses import replace

from .._answer import inside, one_of, others
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._errors import RejectedError
from .._file import BenchFile
from .._lineup import Asked, Lineup, Sort, on_track
from .._tasks import BenchTask
from .._words import ordinal
from ..facts import NotUniqueError, Question, choose, prove, table
from ..scenes import tile_row

KINDS = tuple(table("mahjong")["tile_kinds"])
SORT = Sort("mahjong", "kind", KINDS[1::2], KINDS[0::2], named=False)

COPIES = 2


def _group(kind: str) -> str:
    return kind[1] if len(kind) == 2 else "honour"


def _lineup(deal: Deal) -> Lineup:
    """Deal six or seven tiles of which one is alone in its group; the tile asked for by name is drawn by turn.

    A side has too few kinds of one suit for a row, so other tiles than that one may come twice.
    """
    keys = SORT.side(deal.split)
    count = deal.turn("count", (6, 7))
    target = deal.turn("target", keys)
    place = deal.wheel(f"slot of {count}", count, every=2)
    odd_is_target = bool(deal.rng.integers(2))
    groups = sorted({_group(key) for key in keys})
    if odd_is_target:
        main = deal.choice([group for group in groups if group != _group(target)])
        rest = deal.sample(COPIES * [key for key in keys if _group(key) == main], count - 1)
    else:
        odd = deal.choice([key for key in keys if _group(key) != _group(target)])
        same = [key for key in keys if _group(key) == _group(target) and key != target]
        rest = [odd, *deal.sample(COPIES * same, count - 2)]
    rest = deal.shuffled(rest)
    dealt = [*rest[:place], target, *rest[place:]]
    return Lineup(SORT.pieces(dealt, [deal.instance()] * count), place)


def _odd(deal: Deal, lineup: Lineup) -> Asked:
    question = Question("odd_tile")
    try:
        prove(question, lineup.items)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    return said(deal, "P37", question, lineup.items)


ASKERS = {
    "select_mahjong": by_bank("P11"),
    "select_unique_type_mahjong": _odd,
    "select_mahjong_semantic": by_bank("P49", any_answer=True),
}


@recipe(*ASKERS)
def tile(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P11, P37, P49: six or seven standing tiles, a mat."""
    lineup, asked = on_track(deal, request, ASKERS, lambda d, _: _lineup(d), SORT.partner)
    scene, mat, names, _ = tile_row(deal, lineup.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t, "mat": mat}, lambda t: inside(mat, others(names, t)))


@recipe("select_mahjong_spatial")
def tile_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P24: six or seven tiles, asked by their order."""
    count = deal.turn("count", (6, 7))
    keys = deal.sample(SORT.side(deal.split), count)
    place = deal.wheel(f"slot of {count}", count, every=2)
    side = deal.turn("side", ("left", "right"))
    scene, mat, names, _ = tile_row(deal, SORT.pieces(keys, [deal.instance()] * count))
    number = place + 1 if side == "left" else count - place
    question = Question("nth_place", {"category": "mahjong", "n": number, "side": side})
    asked = said(deal, "P24", question, scene.items(names))
    draft = one_of(scene, names, asked, lambda t: {"$t": t, "mat": mat}, lambda t: inside(mat, others(names, t)))
    return replace(draft, target=f"{ordinal(number)} from the {side}")


@recipe("play_mahjong", "flip_and_play_mahjong")
def winning_tile(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C24, C25: a hand of thirteen and three spare tiles, of which one wins; in C25 they face away."""
    hand = tuple(f"mahjong_{i + 1}" for i in range(13))
    chosen = choose(deal.rng, "wait", 3, hand=hand)
    pieces = SORT.pieces([item.look("kind") for item in chosen.items], [deal.instance()] * 16)
    spare = list(pieces[13:])
    place = deal.wheel("slot of 3", 3)
    winner = next(piece for piece in spare if piece.name == chosen.proof.names[0])
    spare.remove(winner)
    spare.insert(place, winner)
    flipped = task.slug.startswith("flip")
    scene, mat, names, candidates = tile_row(deal, pieces[:13], spare=spare, away=flipped)
    asked = said(deal, task.id, Question("wait", {"hand": names}), scene.items(names))
    wrong = [*names, *candidates]
    draft = one_of(
        scene,
        wrong,
        asked,
        lambda t: {"$t": t, "mat": mat, **_spares(candidates)},
        lambda t: inside(mat, others(wrong, t)),
    )
    draft = replace(draft, facts={"slot": place, "slots": 3})
    if not flipped:
        return draft
    nodes = [replace(node, weight=0.5) if node.id.startswith("f") else node for node in task.subgoals]
    return replace(draft, subgoals=nodes)


def _spares(candidates: tuple[str, ...]) -> dict[str, str | tuple[str, ...]]:
    return {**{f"$k{i + 1}": name for i, name in enumerate(candidates)}, "candidates": candidates}
