"""Balls on a table with six pockets."""

from __future__ import annotations

from collections.abc import Sequence

from .._candidates import Candidates, ObjectSet, by_bank, said, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, chain, one_of, prove_in, target_of
from .._sampler import Sampler
from .._scene import SceneText
from ..facts import Question, table
from ..scenes import POCKETS, billiards, pockets

NUMBERS = tuple(table("billiards")["pool_numbers"])
COLOURS = tuple(table("billiards")["snooker_values"])
POOL = ObjectSet("billiard_ball", "ball", NUMBERS, NUMBERS, named=False)
SNOOKER = ObjectSet("billiard_ball", "ball", COLOURS, COLOURS, named=False)
QUESTIONS = {
    "select_billiards": by_bank("P12"),
    "select_billiards_common_sense": by_bank("P38"),
    "select_billiards_semantic": by_bank("P50", any_answer=True),
}


def _potted(balls: Sequence[str], bed: str) -> list[str]:
    """Return the faults of potting any of ``balls``."""
    return [f"(Or {' '.join(f'(In {ball} {pocket})' for pocket in pockets(bed))})" for ball in balls]


@recipe(*QUESTIONS)
def ball(sampler: Sampler) -> EpisodeParts:
    """P12, P38, P50: four or five balls, any pocket counts."""
    sort = POOL if sampler.task.slug == "select_billiards" else SNOOKER
    keys = sort.seen[1:] if sampler.task.slug == "select_billiards_semantic" else sort.seen
    candidates = _balls(sampler, sort, keys)
    asked = QUESTIONS[sampler.task.slug](sampler, candidates)
    scene, bed, names = billiards(sampler, candidates.pieces)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "pockets": pockets(bed), "any_pocket": near_pockets(scene, bed, t)[0]},
        lambda t: _potted([name for name in names if name != t], bed),
    )


def _balls(sampler: Sampler, sort: ObjectSet, keys: Sequence[str]) -> Candidates:
    kept = ObjectSet(sort.category, sort.look, tuple(keys), tuple(keys), sort.named)
    return sample_candidates(sampler.of(sampler.stream, "seen"), kept, (4, 5))


def near_pockets(scene: SceneText, bed: str, ball_name: str) -> tuple[str, ...]:
    """Return the three pockets on the ball's side of the table: its corner, the other corner, the middle."""
    (item,) = scene.items([ball_name])
    assert item.at is not None
    side = "left" if item.at[1] >= 0 else "right"
    rows = ("top", "bottom") if item.at[0] >= -0.12 else ("bottom", "top")
    return tuple(f"{bed}/{side}_{row}" for row in (*rows, "middle"))


@recipe("select_billiards_spatial")
def ball_into_pocket(sampler: Sampler) -> EpisodeParts:
    """P25: a pool ball into one of the six pockets."""
    candidates = _balls(sampler, POOL, POOL.seen)
    pocket = sampler.turn("pocket", POCKETS)
    scene, bed, names = billiards(sampler, candidates.pieces)
    asked = by_bank("P25", pocket=pocket.replace("_", " "))(sampler, candidates)
    wrong = [place for place in POCKETS if place != pocket]

    def faults(target: str) -> list[str]:
        astray = f"(Or {' '.join(f'(In {target} {bed}/{place})' for place in wrong)})"
        return [*_potted([name for name in names if name != target], bed), astray]

    return one_of(scene, names, asked, lambda t: {"$t": t, "$pocket": f"{bed}/{pocket}"}, faults, pocket=pocket)


@recipe("play_snooker")
def snooker(sampler: Sampler) -> EpisodeParts:
    """C33: the colours in rising value, or the last red and then the most valuable colour.

    A well has room for one ball, and the instruction says so: a second one would lie on the first.
    """
    how = sampler.turn("game", ("clear_table", "red_then_best"))
    colours = [key for key in COLOURS if key != "red"]
    count = sampler.turn("count", (2, 3))
    keys = sampler.sample(colours, count)
    if how == "red_then_best":
        keys = ["red", *sampler.sample(colours, 2)]
    keys = sampler.shuffled(keys)
    scene, bed, names = billiards(sampler, SNOOKER.pieces(keys, [sampler.instance() for _ in keys]))
    proof = prove_in(scene, Question(how), names)
    order = proof.names
    moves: dict[str, str] = {}
    for name in order:
        moves[name] = next(place for place in near_pockets(scene, bed, name) if place not in moves.values())
    steps = chain(list(moves.items()), done="(In {} pockets)", strict=True)
    text = said(sampler, "C33", Question(how), scene.items(names)).text
    goal = f"(Seq {' '.join(f'(In {name} pockets)' for name in order)})"
    bindings = {"pockets": pockets(bed)}
    target = " then ".join(target_of(scene, name) for name in order)
    faults = _potted([name for name in names if name not in order], bed)
    return EpisodeParts(scene, text, bindings, proof, target, faults, goal, steps, order)
