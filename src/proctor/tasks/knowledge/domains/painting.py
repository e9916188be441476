"""Paintings: a cube on the right one, the button before the right one, names on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._candidates import (
    AskedQuestion,
    Candidates,
    ObjectSet,
    QuestionFunction,
    by_bank,
    on_track,
    proved,
    said,
    sample_candidates,
)
from .._draw import recipe
from .._parts import EpisodeParts, chain, one_of, prove_in
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, Spot
from ..facts import Question, table
from ..scenes import easels

OBJECTS = ObjectSet.of("paintings", "painting", "style", named=False)
TITLES = (
    "Quiet Harbour", "Late Summer", "The Long Road", "Morning Window", "Two Chairs", "After the Rain", "Old Orchard",
    "Blue Hour", "The Letter", "Winter Garden", "Low Tide", "Market Day", "Northern Light", "The Visitor",
)  # fmt: skip


# A sort whose pieces have a title even where only one is looked at.
TITLED = replace(OBJECTS, more=lambda _: {"title": TITLES[0], "subject": "sea"})


def _titled(sampler: Sampler, candidates: Candidates) -> Candidates:
    """Return the paintings with subjects and titles that all differ."""
    sampler = sampler.of("titles")
    subjects = sampler.sample(list(table("paintings")["subjects"]), len(candidates.pieces))
    titles = sampler.sample(TITLES, len(candidates.pieces))
    pieces = [
        replace(piece, looks={**piece.looks, "subject": subject, "title": title})
        for piece, subject, title in zip(candidates.pieces, subjects, titles, strict=True)
    ]
    return Candidates(tuple(pieces), candidates.target)


def _spoken(style: str) -> str:
    word: str = table("paintings")["spoken"][style]
    return word


def _by_title(sampler: Sampler, candidates: Candidates) -> AskedQuestion:
    title = candidates.asked.looks["title"]
    question = Question("look", {"category": "painting", "title": title})
    return said(sampler, "P34", question, candidates.items)


def _by_style(sampler: Sampler, candidates: Candidates) -> AskedQuestion:
    question = Question("style", {"style": candidates.asked.looks["style"]})
    return proved(candidates, said(sampler, "P34", question, candidates.items).text, question)


SEMANTIC = by_bank("P46")


@recipe("select_painting", "select_painting_semantic")
def painting(sampler: Sampler) -> EpisodeParts:
    """P34, P46: three paintings, a button before each. Track 1 asks by the printed title, track 3 by style."""
    functions = {"select_painting": _by_style, "select_painting_semantic": SEMANTIC}
    if sampler.request.track in (1, 2, 7):
        functions["select_painting"] = _by_title

    def make(d: Sampler, asks: Sequence[QuestionFunction]) -> Candidates:
        candidates = _titled(d, sample_candidates(d, TITLED, (3, 3), asks=asks))
        _by_style(d.of("by style"), candidates)
        return candidates

    candidates, asked = on_track(sampler, functions, make, lambda known: _titled(sampler, OBJECTS.partner(known)))
    scene, names, buttons = easels(sampler, candidates.pieces)
    parts = one_of(scene, names, asked, lambda t: {"$t": t, "$b": f"{buttons[names.index(t)]}/button"})
    return replace(parts, target=candidates.asked.looks["style"])


def _flat(sampler: Sampler, pieces: tuple[ScenePiece, ...]) -> tuple[SceneText, tuple[str, ...]]:
    """Return a scene with paintings that lie on the table side by side."""
    scene = SceneText()
    ys = (0.235, 0.0, -0.235)
    spots = [Spot(-0.02 + sampler.uniform(-0.01, 0.01), y, 0.006, 0.006, (-0.04, 0.04)) for y in ys]
    flat = [replace(piece, looks={**piece.looks, "stand": "flat"}) for piece in pieces]
    return scene, tuple(scene.put(p, spot, fixture=True) for p, spot in zip(flat, spots, strict=True))


@recipe("put_box_on_painting")
def cube_on_painting(sampler: Sampler) -> EpisodeParts:
    """P08: a cube for the painting of a title or a style."""
    candidates = _titled(sampler, sample_candidates(sampler, OBJECTS, (3, 3)))
    style, title = candidates.asked.looks["style"], candidates.asked.looks["title"]
    by_style = Question("style", {"style": style})
    by_title = Question("look", {"category": "painting", "title": title})
    question = sampler.turn("wording", (by_title, by_style))
    asked = proved(candidates, said(sampler, "P08", question, candidates.items).text, question)
    geometry = sampler.of("scene")
    scene, names = _flat(geometry, candidates.pieces)
    cube = scene.put(ScenePiece("cube_1", "cube", geometry.instance()), Spot(-0.25, geometry.uniform(-0.2, 0.2)))
    parts = one_of(scene, names, asked, lambda t: {"$t": f"{t}/top", "cube": cube})
    return replace(parts, target=style)


@recipe("art_game")
def art_game(sampler: Sampler) -> EpisodeParts:
    """C39: three paintings and three cubes with the names of their styles."""
    candidates = _titled(sampler, sample_candidates(sampler, OBJECTS, (3, 3)))
    for piece in candidates.pieces:
        style = str(piece.looks["style"])
        proved(Candidates(candidates.pieces, candidates.pieces.index(piece)), "", Question("style", {"style": style}))
    geometry = sampler.of("scene")
    scene, names = _flat(geometry, candidates.pieces)
    words = geometry.shuffled([_spoken(str(piece.looks["style"])) for piece in candidates.pieces])
    cubes = [
        scene.put(
            ScenePiece(f"cube_{i + 1}", "number_cube", geometry.instance(), {"text": word}),
            Spot(-0.27, round(0.16 * (1 - i), 4), 0.01, 0.015, (-0.1, 0.1)),
        )
        for i, word in enumerate(words)
    ]
    question = Question("match_style")
    proof = prove_in(scene, question, [*names, *cubes])
    pairs = [(group[0], f"{group[1]}/top") for group in proof.winner]
    steps = chain(pairs, done="(On {} {})")
    goal = f"(And {' '.join(f'(On {cube} {board})' for cube, board in pairs)})"
    text = said(sampler, "C39", question, scene.items()).text
    target = " ".join(str(piece.looks["style"]) for piece in candidates.pieces)
    return EpisodeParts(scene, text, {}, proof, target, (), goal, steps, tuple(cube for cube, _ in pairs))
