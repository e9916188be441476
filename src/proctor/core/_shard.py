"""One part of a piece of work that several machines share without talking to each other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ._errors import ProctorError


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``part`` of ``parts``, counted from 1: item ``part`` of a list and every ``parts``-th one after it.

    So parts differ in length by at most one, and each has some of everything where a list goes round its kinds.
    """

    part: int = 1
    parts: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``I/N``."""
        match = re.fullmatch(r"(\d+)/(\d+)", text, re.ASCII)
        part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= part <= parts:
            raise ProctorError(f"--shard is {text!r}: it must be I/N with I from 1 to N, as in 2/8")
        return cls(part, parts)

    def of(self, length: int) -> range:
        """Return the indices that are in this part of a list of ``length`` items."""
        return range(self.part - 1, length, self.parts)

    @property
    def folder(self) -> str:
        """The part as a name that sorts well and is one word in every shell, as in ``02-of-10``."""
        return f"{self.part:0{len(str(self.parts))}d}-of-{self.parts}"
