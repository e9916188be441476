"""From a question about a scene to a draft: the proof names the answer, the answer binds the task's variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ._draft import Draft
from ._errors import RejectedError
from ._lineup import Asked
from ._scene import SceneText
from ._template import Bindings
from .facts import NotUniqueError, Proof, Question, prove


def prove_in(scene: SceneText, question: Question, names: Sequence[str]) -> Proof:
    """Return the proof that ``question`` has one answer among the things called ``names``, where they stand."""
    try:
        return prove(question, scene.items(names))
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None


def one_of(
    scene: SceneText,
    names: Sequence[str],
    asked: Asked,
    bind: Callable[[str], Bindings],
    faults: Callable[[str], Sequence[str]] = lambda _: (),
    **facts: Any,
) -> Draft:
    """Return the draft of a question with one thing as its answer; ``bind`` and ``faults`` get that thing's name."""
    proof = prove_in(scene, asked.question, names)
    (answer,) = proof.names
    slot = list(names).index(answer)
    return Draft(
        scene,
        asked.text,
        bind(answer),
        proof,
        target_of(scene, answer),
        faults(answer),
        facts={"slot": slot, "slots": len(names), **facts},
    )


def target_of(scene: SceneText, name: str) -> str:
    """Return what a thing is, in the words of its looks: ``mango``, ``A hearts``; its name where it has none."""
    looks = next(thing.piece.looks for thing in scene.things if thing.piece.name == name)
    return " ".join(looks.values()) or name


def inside(container: str, things: Sequence[str]) -> list[str]:
    """Return the faults of putting any of ``things`` into ``container``."""
    return [f"(In {name} {container})" for name in things]


def others(names: Sequence[str], *but: str) -> list[str]:
    """Return ``names`` without ``but``."""
    return [name for name in names if name not in but]


def also(
    draft: Draft,
    variable: str,
    question: Question,
    names: Sequence[str],
    faults: Callable[[str], Sequence[str]] = lambda _: (),
) -> Draft:
    """Return the draft with ``variable`` bound to the one of ``names`` that a second question means."""
    proof = prove_in(draft.scene, question, names)
    (answer,) = proof.names
    bindings = {**draft.bindings, variable: answer}
    return replace(draft, bindings=bindings, faults=(*draft.faults, *faults(answer)), also=(*draft.also, proof))
