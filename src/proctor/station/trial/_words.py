"""What a simple instruction asks for: one thing to be put onto another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proctor.core import ProctorError

_NOUNS = {"block": "block", "bread": "bread", "bowl": "bowl", "plate": "plate", "coaster": "coaster", "box": "box"}
_THING = rf"(?:(?:the|a)\s+)?(?:(?P<{{0}}_colour>[a-z]+)\s+)?(?P<{{0}}_noun>{'|'.join(_NOUNS)})s?"
_PATTERN = re.compile(
    rf"(?:put|stack|place|collect\s+\d+)\s+{_THING.format('what')}\s+(?:on|onto|into|in)\s+{_THING.format('where')}",
    re.IGNORECASE,
)


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
    found = _PATTERN.search(instruction)
    if found is None:
        raise ProctorError(f"the scripted policy does not understand {instruction!r}: say 'put the red block on ...'")

    def thing(name: str) -> Thing:
        return Thing((found[f"{name}_colour"] or "").lower(), _NOUNS[found[f"{name}_noun"].lower()])

    return Wish(thing("what"), thing("where"))
