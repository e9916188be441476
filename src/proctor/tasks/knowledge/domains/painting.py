"""Paintings: a cube on the right one, the button before the right one, names on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._answer import one_of, prove_in
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._file import BenchFile
from .._lineup import Asked, Asker, Lineup, Sort, deal_lineup, on_track, proved
from .._scene import Piece, SceneText, Spot
from .._steps import chain
from .._tasks import BenchTask
from ..facts import Question, table
from ..scenes import easels

SORT = Sort.of("paintings", "painting", "style", named=False)
TITLES = (
    "Quiet Harbour", "Late Summer", "The Long Road", "Morning Window", "Two Chairs", "After the Rain", "Old Orchard",
    "Blue Hour", "The Letter", "Winter Garden", "Low Tide", "Market Day", "Northern Light", "The Visitor",
)  # fmt: skip


# A sort whose pieces have a title even where only one is looked at.
TITLED = replace(SORT, more=lambda _: {"title": TITLES[0], "subject": "sea"})


def _titled(deal: Deal, lineup: Lineup) -> Lineup:
    """Return the paintings with subjects and titles that all differ."""
    deal = deal.of("titles")
    subjects = deal.sample(list(table("paintings")["subjects"]), len(lineup.pieces))
    titles = deal.sample(TITLES, len(lineup.pieces))
    pieces = [
        replace(piece, looks={**piece.looks, "subject": subject, "title": title})
        for piece, subject, title in zip(lineup.pieces, subjects, titles, strict=True)
    ]
    return Lineup(tuple(pieces), lineup.target)


def _spoken(style: str) -> str:
    word: str = table("paintings")["spoken"][style]
    return word


def _by_title(deal: Deal, lineup: Lineup) -> Asked:
    title = lineup.asked.looks["title"]
    question = Question("look", {"category": "painting", "title": title})
    return said(deal, "P34", question, lineup.items)


def _by_style(deal: Deal, lineup: Lineup) -> Asked:
    question = Question("style", {"style": lineup.asked.looks["style"]})
    return proved(lineup, said(deal, "P34", question, lineup.items).text, question)


SEMANTIC = by_bank("P46")


@recipe("select_painting", "select_painting_semantic")
def painting(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P34, P46: three paintings, a button before each. Track 1 asks by the printed title, track 3 by style."""
    askers = {"select_painting": _by_style, "select_painting_semantic": SEMANTIC}
    if request.track in (1, 2, 7):
        askers["select_painting"] = _by_title

    def make(d: Deal, asks: Sequence[Asker]) -> Lineup:
        lineup = _titled(d, deal_lineup(d, TITLED, (3, 3), asks=asks))
        _by_style(d.of("by style"), lineup)
        return lineup

    lineup, asked = on_track(deal, request, askers, make, lambda known: _titled(deal, SORT.partner(known)))
    scene, names, buttons = easels(deal, lineup.pieces)
    draft = one_of(scene, names, asked, lambda t: {"$t": t, "$b": f"{buttons[names.index(t)]}/button"})
    return replace(draft, target=lineup.asked.looks["style"])


def _flat(deal: Deal, pieces: tuple[Piece, ...]) -> tuple[SceneText, tuple[str, ...]]:
    """Return a scene with paintings that lie on the table side by side."""
    scene = SceneText()
    ys = (0.235, 0.0, -0.235)
    spots = [Spot(-0.02 + deal.uniform(-0.01, 0.01), y, 0.006, 0.006, (-0.04, 0.04)) for y in ys]
    flat = [replace(piece, looks={**piece.looks, "stand": "flat"}) for piece in pieces]
    return scene, tuple(scene.put(p, spot, fixture=True) for p, spot in zip(flat, spots, strict=True))


@recipe("put_box_on_painting")
def cube_on_painting(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P08: a cube for the painting of a title or a style."""
    lineup = _titled(deal, deal_lineup(deal, SORT, (3, 3)))
    style, title = lineup.asked.looks["style"], lineup.asked.looks["title"]
    by_style = Question("style", {"style": style})
    by_title = Question("look", {"category": "painting", "title": title})
    question = deal.turn("wording", (by_title, by_style))
    asked = proved(lineup, said(deal, "P08", question, lineup.items).text, question)
    geometry = deal.of("scene")
    scene, names = _flat(geometry, lineup.pieces)
    cube = scene.put(Piece("cube_1", "cube", geometry.instance()), Spot(-0.25, geometry.uniform(-0.2, 0.2)))
    draft = one_of(scene, names, asked, lambda t: {"$t": f"{t}/top", "cube": cube})
    return replace(draft, target=style)


@recipe("art_game")
def art_game(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C39: three paintings and three cubes with the names of their styles."""
    lineup = _titled(deal, deal_lineup(deal, SORT, (3, 3)))
    for piece in lineup.pieces:
        style = str(piece.looks["style"])
        proved(Lineup(lineup.pieces, lineup.pieces.index(piece)), "", Question("style", {"style": style}))
    geometry = deal.of("scene")
    scene, names = _flat(geometry, lineup.pieces)
    words = geometry.shuffled([_spoken(str(piece.looks["style"])) for piece in lineup.pieces])
    cubes = [
        scene.put(
            Piece(f"cube_{i + 1}", "number_cube", geometry.instance(), {"text": word}),
            Spot(-0.27, round(0.16 * (1 - i), 4), 0.01, 0.015, (-0.1, 0.1)),
        )
        for i, word in enumerate(words)
    ]
    question = Question("match_style")
    proof = prove_in(scene, question, [*names, *cubes])
    pairs = [(group[0], f"{group[1]}/top") for group in proof.winner]
    steps = chain(pairs, done="(On {} {})")
    goal = f"(And {' '.join(f'(On {cube} {board})' for cube, board in pairs)})"
    text = said(deal, "C39", question, scene.items()).text
    target = " ".join(str(piece.looks["style"]) for piece in lineup.pieces)
    return Draft(scene, text, {}, proof, target, (), goal, steps, tuple(cube for cube, _ in pairs))
