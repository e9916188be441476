"""Test tubes in a stand: by tag, by colour, by role, by cell; reactions; order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._candidates import Candidates, ObjectSet, QuestionFunction, askable, by_bank, on_track, said, sample_candidates
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, one_of, prove_in, target_of
from .._sampler import Sampler
from .._template import Bindings
from ..facts import Question, choose, table
from ..scenes import tube_stand

OBJECTS = ObjectSet.of("solutions", "tube", "solution", named=False)
CELLS = 8


def _coloured(side: tuple[str, ...]) -> tuple[str, ...]:
    solutions = table("chemistry")["solutions"]
    return tuple(key for key in side if solutions[key]["colour"] != "colourless")


QUESTIONS = {
    "select_chemistry_tube": by_bank("P09"),
    "select_chemistry_tube_common_sense": by_bank("P35"),
    "select_chemistry_tube_semantic": by_bank("P47"),
}


@recipe(*QUESTIONS)
def tube(sampler: Sampler) -> EpisodeParts:
    """P09, P35, P47: three tubes in the near row; on a track only coloured solutions are asked for (T3 has no tags)."""
    by_colour = sampler.request.track is not None or sampler.task.slug == "select_chemistry_tube_common_sense"

    def make(d: Sampler, asks: Sequence[QuestionFunction]) -> Candidates:
        told = askable(OBJECTS, d.split, tuple(asks))
        return sample_candidates(d, OBJECTS, (3, 3), _coloured(told) if by_colour else told)

    candidates, asked = on_track(sampler, QUESTIONS, make, _partner)
    tagged = sampler.task.slug != "select_chemistry_tube_common_sense"
    cells = sorted(sampler.of("cells").sample(range(4), 3))
    tubes = dict(zip(cells, candidates.pieces, strict=True))
    labels = {cell: str(piece.looks["solution"]) for cell, piece in tubes.items()} if tagged else {}
    scene, stand, names, _ = tube_stand(sampler, tubes, labels)
    return one_of(scene, names, asked, lambda t: {"$t": t, "stand": stand})


def _partner(candidates: Candidates) -> Candidates:
    """Return unseen partners: a coloured solution for a coloured one, so that track 2 asks about colours too."""
    seen, unseen = OBJECTS.seen, OBJECTS.unseen
    bright, dull = _coloured(unseen), [key for key in unseen if key not in _coloured(unseen)]
    keys = []
    for piece in candidates.pieces:
        key = piece.looks["solution"]
        pool = bright if key in _coloured(seen) else dull
        own = [k for k in seen if (k in _coloured(seen)) == (key in _coloured(seen))]
        keys.append(pool[own.index(key) % len(pool)])
    if len(set(keys)) < len(keys):
        raise RejectedError("two things have the same partner")
    return Candidates(OBJECTS.pieces(keys, [piece.seed ^ 1 for piece in candidates.pieces]), candidates.target)


@recipe("select_chemistry_tube_spatial")
def tube_by_cell(sampler: Sampler) -> EpisodeParts:
    """P22: four or five tubes without tags in a stand of two rows of four."""
    cell = sampler.cycle("cell", CELLS)
    count = sampler.turn("count", (4, 5))
    cells = [cell, *sampler.sample([c for c in range(CELLS) if c != cell], count - 1)]
    keys = sampler.sample(OBJECTS.side(sampler.split), count)
    pieces = dict(zip(sorted(cells), OBJECTS.pieces(keys, [sampler.instance() for _ in keys]), strict=True))
    scene, stand, names, _ = tube_stand(sampler, pieces, {})
    row, column = divmod(cell, 4)
    question = Question("cell", {"category": "tube", "cell": f"{stand}/slot{cell + 1}"})
    asked = said(sampler, "P22", question, scene.items(names), row=str(row + 1), column=str(column + 1))
    parts = one_of(scene, names, asked, lambda t: {"$t": t, "stand": stand})
    return replace(parts, target=f"row {row + 1} column {column + 1}")


@recipe("take_chemistry_experiment")
def experiment(sampler: Sampler) -> EpisodeParts:
    """C01: four tagged tubes and a flask; exactly one pair does what is asked."""
    reactions = table("chemistry")["reactions"]
    kept = [r for i, r in enumerate(reactions) if sampler.split == "all" or (i % 3 == 2) == (sampler.split == "unseen")]
    reaction = sampler.turn("reaction", kept)
    params = {"event": reaction["event"]}
    if reaction["event"] == "precipitate":
        params["product"] = reaction["product"]
    try:
        chosen = choose(sampler.rng, "reaction", 4, **params)
    except Exception as error:
        raise RejectedError(str(error)) from None
    pieces = [
        replace(piece, seed=sampler.instance())
        for piece in OBJECTS.pieces([item.look("solution") for item in chosen.items], [0] * 4)
    ]
    if {piece.looks["solution"] for piece in pieces} < set(reaction["solutions"]):
        raise RejectedError("another reaction")
    tubes = dict(enumerate(pieces))
    labels = {cell: str(piece.looks["solution"]) for cell, piece in tubes.items()}
    scene, stand, names, flask = tube_stand(sampler, tubes, labels, flask=True)
    proof = prove_in(scene, Question("reaction", params), names)
    first, second = proof.names
    if {target_of(scene, first), target_of(scene, second)} != set(reaction["solutions"]):
        raise RejectedError("another pair gives the same")
    text = said(sampler, "C01", proof.question, scene.items(names)).text
    bindings = {"$a": first, "$b": second, "stand": stand, "flask": flask}
    wrong = [f"(Poured {name} {flask} 0.1)" for name in names if name not in proof.names]
    return EpisodeParts(scene, text, bindings, proof, " + ".join(reaction["solutions"]), wrong)


@recipe("rearrange_tube")
def rearrange(sampler: Sampler) -> EpisodeParts:
    """C21: two tubes stand in the near row; the far row has a named place for each."""
    solutions = _coloured(OBJECTS.side(sampler.split))
    first = sampler.turn("target", solutions)
    keys = [first, sampler.choice([key for key in solutions if key != first])]
    for a, b in table("chemistry")["confusable_colours"]:
        if {a, b} <= set(keys):
            raise RejectedError("two colours are too close")
    pieces = OBJECTS.pieces(keys, [sampler.instance() for _ in keys])
    starts, ends = sampler.sample(range(4), 2), sampler.sample(range(4, 8), 2)
    labels = dict(zip(ends, keys, strict=True))
    tubes = dict(zip(starts, pieces, strict=True))
    scene, stand, names, _ = tube_stand(sampler, tubes, labels)
    homes = {piece.name: f"{stand}/slot{end + 1}" for piece, end in zip(pieces, ends, strict=True)}
    proof = prove_in(scene, Question("solution_colour", {"solution": first}), names)
    bindings: Bindings = {"$a": pieces[0].name, "$b": pieces[1].name, "slot_of": homes, "stand": stand}
    text = said(sampler, "C21", proof.question, scene.items(names)).text
    parts = EpisodeParts(scene, text, bindings, proof, " + ".join(keys))
    second = prove_in(scene, Question("solution_colour", {"solution": keys[1]}), names)
    return replace(parts, also=(second,))
