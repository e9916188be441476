"""What two solutions do when they meet, from an ion table.

Ions: a solution has one cation and one anion. Events: a clear precipitate of the table, water from H+ and OH-, carbon
dioxide from H+ and a carbonate. A pair of ions whose outcome depends on concentration, or that forms mixed products,
is one to avoid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .._tables import table


@dataclass(frozen=True, slots=True)
class ReactionEvent:
    """What is seen: precipitate, neutralisation or gas; what forms, and in which colour ("": none)."""

    event: str
    product: str
    colour: str = ""


def ions(solution: str) -> tuple[str, str] | None:
    """Return (cation, anion); None for a solution that serves colour questions only."""
    entry: Mapping[str, Any] = table("chemistry")["solutions"][solution]
    return (entry["cation"], entry["anion"]) if "cation" in entry else None


def events(first: str, second: str) -> frozenset[ReactionEvent]:
    """Return everything that two solutions give when they are mixed."""
    one, two = ions(first), ions(second)
    if one is None or two is None:
        return frozenset()
    crossed = ((one[0], two[1]), (two[0], one[1]))
    found = {_precipitates()[pair] for pair in crossed if pair in _precipitates()}
    if ("H+", "OH-") in crossed:
        found.add(ReactionEvent("neutralisation", "H2O"))
    if {("H+", "CO3 2-"), ("H+", "HCO3-")} & set(crossed):
        found.add(ReactionEvent("gas", "CO2"))
    return frozenset(found)


def to_avoid(first: str, second: str) -> bool:
    """Return whether the outcome of mixing two solutions is not clear cut (or one of them is for colours only)."""
    one, two = ions(first), ions(second)
    if one is None or two is None:
        return True
    avoided = {frozenset(pair) for pair in table("chemistry")["avoid_pairs_ions"]}
    return any(frozenset((a, b)) in avoided for a in one for b in two)


@cache
def _precipitates() -> dict[tuple[str, str], ReactionEvent]:
    rows = table("chemistry")["clear_precipitates"]
    return {tuple(row["ions"]): ReactionEvent("precipitate", row["product"], row["colour"]) for row in rows}
