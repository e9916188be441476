"""Two classes of two things each, one class per tray or layer."""

from __future__ import annotations

from .._candidates import ObjectSet, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, prove_in
from .._sampler import Sampler
from .._scene import SceneText
from ..facts import NotUniqueError, Proof, Question, choose
from ..scenes import books_before, receptacle, row

TRAYS = {
    "cluster_toy": ("toys", "toy", "kind"),
    "cluster_dessert": ("bakery", "bakery", "kind"),
    "cluster_drink": ("drinks", "drink", "kind"),
}


def _four(sampler: Sampler, name: str, sort: ObjectSet) -> tuple[list[str], Question]:
    try:
        chosen = choose(sampler.rng, "group", 4, sampler.split, table=name)
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
def on_trays(sampler: Sampler) -> EpisodeParts:
    """C34, C35, C40."""
    name, category, look = TRAYS[sampler.task.slug]
    sort = ObjectSet(category, look, (), ())
    keys, question = _four(sampler, name, sort)
    geometry = sampler.of("scene")
    scene = SceneText()
    trays = tuple(receptacle(scene, geometry, "tray", -0.02, y) for y in (0.19, -0.19))
    names = row(scene, geometry, sort.pieces(keys, [sampler.instance() for _ in keys]), x=-0.27, turn=0.1, depth=0.01)
    proof = prove_in(scene, question, names)
    text = said(sampler, sampler.task.id, question, scene.items(names)).text
    target = " + ".join(sorted(keys))
    return EpisodeParts(scene, text, _bindings(scene, proof, (trays[0], trays[1]), ("tray1", "tray2")), proof, target)  # type: ignore[arg-type]


@recipe("cluster_book")
def on_layers(sampler: Sampler) -> EpisodeParts:
    """C12: four books of two subjects before a shelf of two layers."""
    sort = ObjectSet("book", "title", (), (), named=False)
    titles, question = _four(sampler, "books", sort)
    geometry = sampler.of("scene")
    scene, shelf, names = books_before(geometry, sort.pieces(titles, [sampler.instance() for _ in titles]), 2, 4)
    proof = prove_in(scene, question, names)
    layers = (f"{shelf}/layer1", f"{shelf}/layer2")
    text = said(sampler, "C12", question, scene.items(names)).text
    target = " + ".join(sorted(titles))
    return EpisodeParts(scene, text, _bindings(scene, proof, layers, ("layer1", "layer2")), proof, target)  # type: ignore[arg-type]
