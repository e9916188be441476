"""What a simple instruction asks for: one thing to be put onto another."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.core import ProctorError
from proctor.tasks.words import Mention, placement

KINDS = ("block", "bread", "bowl", "plate", "coaster", "box")


@dataclass(frozen=True, slots=True)
class ColouredThing:
    """Something named by colour and kind; the colour may be missing."""

    colour: str
    kind: str


def understand(instruction: str) -> tuple[ColouredThing, ColouredThing]:
    """Return what is to be put, and where, as in "Stack red block on blue block"."""
    found = placement(instruction, {kind: (kind,) for kind in KINDS})
    if found is None:
        raise ProctorError(f"the scripted policy does not understand {instruction!r}: say 'put the red block on ...'")
    return _thing(found[0]), _thing(found[1])


def _thing(mention: Mention) -> ColouredThing:
    return ColouredThing(" ".join(word for word in mention.modifiers if not word.isdigit()), mention.entities[0])
