"""What a simple instruction asks for: one thing to be put onto another."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.core import ProctorError
from proctor.tasks.words import Mention, placement

KINDS = ("block", "bread", "bowl", "plate", "coaster", "box")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something named by colour and kind; the colour may be missing."""

    colour: str
    kind: str


@dataclass(frozen=True, slots=True)
class Wish:
    """Put ``what`` onto ``where``."""

    what: Thing
    where: Thing


def understand(instruction: str) -> Wish:
    """Return what an instruction such as "Stack red block on blue block" asks for."""
    found = placement(instruction, {kind: (kind,) for kind in KINDS})
    if found is None:
        raise ProctorError(f"the scripted policy does not understand {instruction!r}: say 'put the red block on ...'")
    return Wish(*map(_thing, found))


def _thing(mention: Mention) -> Thing:
    return Thing(" ".join(word for word in mention.modifiers if not word.isdigit()), mention.entities[0])
