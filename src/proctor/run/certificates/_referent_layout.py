"""Whether, in one layout, each noun phrase of an instruction means one thing, and the goal is about these."""

from __future__ import annotations

from proctor.sim import Scene
from proctor.tasks.cbddl import atoms_of

from ._referent import Mention
from ._referent_space import possible
from ._referent_words import IT, NounPhrase

_PLACED = ("On", "In", "Stack")


def meanings(scene: Scene, phrases: list[NounPhrase]) -> dict[str, tuple[str, ...]] | str:
    """Return what each phrase means in the scene as it is now, or why one of them does not mean exactly one thing.

    A plural means all that fit.
    """
    found: dict[str, tuple[str, ...]] = {}
    it: tuple[str, ...] = ()
    for phrase in phrases:
        left = phrase.head.entities
        if phrase.relation is not None:
            anchors = [anchor.entities if isinstance(anchor, Mention) else it for anchor in phrase.relation.anchors]
            for anchor, named in zip(phrase.relation.anchors, anchors, strict=True):
                if len(named) != 1:
                    return f"{anchor.noun if isinstance(anchor, Mention) else IT!r} may be {_either(named)}"
            left = possible(scene, phrase.relation.kind, left, [one for (one,) in anchors], phrase.relation.layer)
        if len(left) != 1 and not (left and phrase.head.many):
            return f"{phrase.text!r} may be {_either(left)}"
        found[phrase.text] = left
        it = left if phrase.picked else it
    return found


def in_words(found: dict[str, tuple[str, ...]]) -> str:
    """Return what each phrase means, as one line."""
    return ", ".join(f"{phrase}={'+'.join(names)}" for phrase, names in found.items())


def goal_trouble(scene: Scene, found: dict[str, tuple[str, ...]]) -> str:
    """Return what the goal moves, or where to, although no phrase means it; empty if there is none."""
    meant = {name for names in found.values() for name in names}
    for atom in atoms_of(scene.task.goal):
        if atom.predicate not in _PLACED:
            continue
        name, place = str(atom.args[0]), scene.place(str(atom.args[1])).entity
        if name not in meant:
            return f"the goal moves {name}, which the instruction does not name"
        if place not in meant | {scene.workspace}:
            return f"the goal takes {name} to {place}, which the instruction does not name"
    return ""


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(names) or "nothing"
