"""An episode in parts, made of the proof of its question: the answer binds the task's variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ._candidates import AskedQuestion
from ._errors import RejectedError
from ._scene import SceneText
from ._tasks import KnowledgeSubgoal
from ._template import Bindings
from .facts import NotUniqueError, Proof, Question, prove


@dataclass(slots=True)
class EpisodeParts:
    """An episode in parts. Goal, sub-goals and intention targets are the task's own unless given.

    ``target`` is what the question asks for, in the words that balance is counted by. ``also`` are the proofs of what
    else the instruction points at (the box, the vase, the pocket).
    """

    scene: SceneText
    instruction: str
    bindings: Bindings
    proof: Proof
    target: str
    faults: Sequence[str] = ()
    goal: str = ""
    subgoals: Sequence[KnowledgeSubgoal] = ()
    intent: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    also: Sequence[Proof] = ()


def prove_in(scene: SceneText, question: Question, names: Sequence[str]) -> Proof:
    """Return the proof that ``question`` has one answer among the things called ``names``, where they stand."""
    try:
        return prove(question, scene.items(names))
    except NotUniqueError as error:
        raise RejectedError(str(error)) from None


def one_of(
    scene: SceneText,
    names: Sequence[str],
    asked: AskedQuestion,
    bind: Callable[[str], Bindings],
    faults: Callable[[str], Sequence[str]] = lambda _: (),
    **facts: Any,
) -> EpisodeParts:
    """Return the parts of an episode whose answer is one thing; ``bind`` and ``faults`` get that thing's name."""
    proof = prove_in(scene, asked.question, names)
    (answer,) = proof.names
    slot = list(names).index(answer)
    return EpisodeParts(
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
    return [name for name in names if name not in but]


def also(
    parts: EpisodeParts,
    variable: str,
    question: Question,
    names: Sequence[str],
    faults: Callable[[str], Sequence[str]] = lambda _: (),
) -> EpisodeParts:
    """Return the parts with ``variable`` bound to the one of ``names`` that a second question means."""
    proof = prove_in(parts.scene, question, names)
    (answer,) = proof.names
    bindings = {**parts.bindings, variable: answer}
    return replace(parts, bindings=bindings, faults=(*parts.faults, *faults(answer)), also=(*parts.also, proof))


def chain(
    moves: Sequence[tuple[str, str]],
    *,
    put: str = "place",
    done: str = "(Placed {} {})",
    strict: bool = False,
    after: Sequence[str] = (),
) -> list[KnowledgeSubgoal]:
    """Return a hold and a put for every (thing, place); ``done`` is formatted with both.

    ``after`` come before every hold; ``strict``: each hold also waits for the put before it.
    """
    nodes: list[KnowledgeSubgoal] = []
    for number, (thing, place) in enumerate(moves, start=1):
        before = (*after, *([f"p{number - 1}"] if strict and number > 1 else []))
        nodes.append(KnowledgeSubgoal(f"h{number}", f"(Held {thing})", before, (f"(pick {thing})",), 1.0))
        predicate = done.format(thing, place)
        nodes.append(KnowledgeSubgoal(f"p{number}", predicate, (f"h{number}",), (f"({put} {place})",), 1.0))
    return nodes
