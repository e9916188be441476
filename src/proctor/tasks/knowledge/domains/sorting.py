"""Two classes of two things each, one class per tray or layer."""

from __future__ import annotations

from .._answer import prove_in
from .._bank import said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._errors import RejectedError
from .._file import BenchFile
from .._lineup import Sort
from .._scene import SceneText
from .._tasks import BenchTask
from ..facts import NotUniqueError, Proof, Question, choose
from ..scenes import books_before, receptacle, row

TRAYS = {
    "cluster_toy": ("toys", "toy", "kind"),
    "cluster_dessert": ("bakery", "bakery", "kind"),
    "cluster_drink": ("drinks", "drink", "kind"),
}


def _four(deal: Deal, name: str, sort: Sort) -> tuple[list[str], Question]:
    try:
        chosen = choose(deal.rng, "group", 4, deal.split, table=name)
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None
    return [item.look(sort.look) for item in chosen.items], chosen.question


def _bindings(scene: SceneText, proof: Proof, places: tuple[str, str], words: tuple[str, str]) -> dict[str, object]:
    (a1, a2), (b1, b2) = (scene.longest_first(group) for group in proof.winner)
    rivals = {a1: (b1, b2), a2: (b1, b2), b1: (a1, a2), b2: (a1, a2)}
    return {
        "$a1": a1, "$a2": a2, "$b1": b1, "$b2": b2, words[0]: places[0], words[1]: places[1], "others_of": rivals,
    }  # fmt: skip


@recipe(*TRAYS)
def on_trays(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C34, C35, C40."""
    name, category, look = TRAYS[task.slug]
    sort = Sort(category, look, (), ())
    keys, question = _four(deal, name, sort)
    geometry = deal.of("scene")
    scene = SceneText()
    trays = tuple(receptacle(scene, geometry, "tray", -0.02, y) for y in (0.19, -0.19))
    names = row(scene, geometry, sort.pieces(keys, [deal.instance() for _ in keys]), x=-0.27, turn=0.1, depth=0.01)
    proof = prove_in(scene, question, names)
    text = said(deal, task.id, question, scene.items(names)).text
    target = " + ".join(sorted(keys))
    return Draft(scene, text, _bindings(scene, proof, (trays[0], trays[1]), ("tray1", "tray2")), proof, target)  # type: ignore[arg-type]


@recipe("cluster_book")
def on_layers(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C12: four books of two subjects before a shelf of two layers."""
    sort = Sort("book", "title", (), (), named=False)
    titles, question = _four(deal, "books", sort)
    geometry = deal.of("scene")
    scene, shelf, names = books_before(geometry, sort.pieces(titles, [deal.instance() for _ in titles]), 2, 4)
    proof = prove_in(scene, question, names)
    layers = (f"{shelf}/layer1", f"{shelf}/layer2")
    text = said(deal, "C12", question, scene.items(names)).text
    target = " + ".join(sorted(titles))
    return Draft(scene, text, _bindings(scene, proof, layers, ("layer1", "layer2")), proof, target)  # type: ignore[arg-type]
