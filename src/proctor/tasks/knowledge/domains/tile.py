"""Mahjong tiles: by face, by place, the odd one out, what completes a run, the winning tile."""

from __future__ import annotations

from dataclasses import replace

from .._candidates import AskedQuestion, Candidates, ObjectSet, by_bank, on_track, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from ..facts import ORDINALS, NotUniqueError, Question, choose, prove, table
from ..scenes import tile_row

KINDS = tuple(table("mahjong")["tile_kinds"])
OBJECTS = ObjectSet("mahjong", "kind", KINDS[1::2], KINDS[0::2], named=False)

COPIES = 2


def _group(kind: str) -> str:
    return kind[1] if len(kind) == 2 else "honour"


def _candidates(sampler: Sampler) -> Candidates:
    """Draw six or seven tiles of which one is alone in its group; the tile asked for by name is drawn by turn.

    A side has too few kinds of one suit for a row, so other tiles than that one may come twice.
    """
    keys = OBJECTS.side(sampler.split)
    count = sampler.turn("count", (6, 7))
    target = sampler.turn("target", keys)
    place = sampler.cycle(f"slot of {count}", count, every=2)
    odd_is_target = bool(sampler.rng.integers(2))
    groups = sorted({_group(key) for key in keys})
    if odd_is_target:
        main = sampler.choice([group for group in groups if group != _group(target)])
        rest = sampler.sample(COPIES * [key for key in keys if _group(key) == main], count - 1)
    else:
        odd = sampler.choice([key for key in keys if _group(key) != _group(target)])
        same = [key for key in keys if _group(key) == _group(target) and key != target]
        rest = [odd, *sampler.sample(COPIES * same, count - 2)]
    rest = sampler.shuffled(rest)
    chosen_keys = [*rest[:place], target, *rest[place:]]
    return Candidates(OBJECTS.pieces(chosen_keys, [sampler.instance()] * count), place)


def _odd(sampler: Sampler, candidates: Candidates) -> AskedQuestion:
    question = Question("odd_tile")
    try:
        prove(question, candidates.items)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    return said(sampler, "P37", question, candidates.items)


QUESTIONS = {
    "select_mahjong": by_bank("P11"),
    "select_unique_type_mahjong": _odd,
    "select_mahjong_semantic": by_bank("P49", any_answer=True),
}


@recipe(*QUESTIONS)
def tile(sampler: Sampler) -> EpisodeParts:
    """P11, P37, P49: six or seven standing tiles, a mat."""
    candidates, asked = on_track(sampler, QUESTIONS, lambda d, _: _candidates(d), OBJECTS.partner)
    scene, mat, names, _ = tile_row(sampler, candidates.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t, "mat": mat}, lambda t: inside(mat, others(names, t)))


@recipe("select_mahjong_spatial")
def tile_by_place(sampler: Sampler) -> EpisodeParts:
    """P24: six or seven tiles, asked by their order."""
    count = sampler.turn("count", (6, 7))
    keys = sampler.sample(OBJECTS.side(sampler.split), count)
    place = sampler.cycle(f"slot of {count}", count, every=2)
    side = sampler.turn("side", ("left", "right"))
    scene, mat, names, _ = tile_row(sampler, OBJECTS.pieces(keys, [sampler.instance()] * count))
    number = place + 1 if side == "left" else count - place
    question = Question("nth_place", {"category": "mahjong", "n": number, "side": side})
    asked = said(sampler, "P24", question, scene.items(names))
    parts = one_of(scene, names, asked, lambda t: {"$t": t, "mat": mat}, lambda t: inside(mat, others(names, t)))
    return replace(parts, target=f"{ORDINALS[number - 1]} from the {side}")


@recipe("play_mahjong", "flip_and_play_mahjong")
def winning_tile(sampler: Sampler) -> EpisodeParts:
    """C24, C25: a hand of thirteen and three spare tiles, of which one wins; in C25 they face away."""
    hand = tuple(f"mahjong_{i + 1}" for i in range(13))
    chosen = choose(sampler.rng, "wait", 3, hand=hand)
    pieces = OBJECTS.pieces([item.look("kind") for item in chosen.items], [sampler.instance()] * 16)
    spare = list(pieces[13:])
    place = sampler.cycle("slot of 3", 3)
    winner = next(piece for piece in spare if piece.name == chosen.proof.names[0])
    spare.remove(winner)
    spare.insert(place, winner)
    flipped = sampler.task.slug.startswith("flip")
    scene, mat, names, candidates = tile_row(sampler, pieces[:13], spare=spare, away=flipped)
    asked = said(sampler, sampler.task.id, Question("wait", {"hand": names}), scene.items(names))
    wrong = [*names, *candidates]
    parts = one_of(
        scene,
        wrong,
        asked,
        lambda t: {"$t": t, "mat": mat, **_spares(candidates)},
        lambda t: inside(mat, others(wrong, t)),
    )
    parts = replace(parts, facts={"slot": place, "slots": 3})
    if not flipped:
        return parts
    nodes = [replace(node, weight=0.5) if node.id.startswith("f") else node for node in sampler.task.subgoals]
    return replace(parts, subgoals=nodes)


def _spares(candidates: tuple[str, ...]) -> dict[str, str | tuple[str, ...]]:
    return {**{f"$k{i + 1}": name for i, name in enumerate(candidates)}, "candidates": candidates}
