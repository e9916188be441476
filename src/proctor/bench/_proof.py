"""Why an instruction has exactly one answer in its scene, as a record that travels with the episode."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Proof:
    """The rule, what it was applied to, and what came out.

    ``candidates`` is every thing that the question could mean, by entity name, with what the rule saw of it;
    ``answer`` are the entities that satisfy it (several where the question asks for a set). ``asked`` is the question
    in the terms of the rule, as in ``citrus`` or ``third from the left``. ``margin`` says by how much the best wrong
    candidate misses, where the rule measures something.
    """

    rule: str
    asked: str
    candidates: tuple[tuple[str, str], ...]
    answer: tuple[str, ...]
    margin: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        values = asdict(self)
        values["candidates"] = dict(self.candidates)
        return values
