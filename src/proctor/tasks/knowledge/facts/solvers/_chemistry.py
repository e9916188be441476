"""What two solutions do when they meet, from an ion table; and whether an equation balances, from a formula parser.

Ions: a solution has one cation and one anion. Events: a clear precipitate of the table, water from H+ and OH-, carbon
dioxide from H+ and a carbonate. A pair of ions whose outcome depends on concentration, or that forms mixed products,
is one to avoid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .._tables import table

_ATOM = re.compile(r"([A-Z][a-z]?)(\d*)|\(|\)(\d*)")


@dataclass(frozen=True, slots=True)
class Event:
    """What is seen: precipitate, neutralisation or gas; what forms, and in which colour ("": none)."""

    event: str
    product: str
    colour: str = ""


def ions(solution: str) -> tuple[str, str] | None:
    """Return (cation, anion); None for a solution that serves colour questions only."""
    entry: Mapping[str, Any] = table("chemistry")["solutions"][solution]
    return (entry["cation"], entry["anion"]) if "cation" in entry else None


def events(first: str, second: str) -> frozenset[Event]:
    """Return everything that two solutions give when they are mixed."""
    one, two = ions(first), ions(second)
    if one is None or two is None:
        return frozenset()
    crossed = ((one[0], two[1]), (two[0], one[1]))
    found = {_precipitates()[pair] for pair in crossed if pair in _precipitates()}
    if ("H+", "OH-") in crossed:
        found.add(Event("neutralisation", "H2O"))
    if {("H+", "CO3 2-"), ("H+", "HCO3-")} & set(crossed):
        found.add(Event("gas", "CO2"))
    return frozenset(found)


def to_avoid(first: str, second: str) -> bool:
    """Return whether the outcome of mixing two solutions is not clear cut (or one of them is for colours only)."""
    one, two = ions(first), ions(second)
    if one is None or two is None:
        return True
    avoided = {frozenset(pair) for pair in table("chemistry")["avoid_pairs_ions"]}
    return any(frozenset((a, b)) in avoided for a in one for b in two)


@cache
def _precipitates() -> dict[tuple[str, str], Event]:
    rows = table("chemistry")["clear_precipitates"]
    return {tuple(row["ions"]): Event("precipitate", row["product"], row["colour"]) for row in rows}


def atoms(formula: str) -> Counter[str]:
    """Return how many atoms of each element a formula has: ``Pb(NO3)2`` is Pb 1, N 2, O 6."""
    stack: list[Counter[str]] = [Counter()]
    for match in _ATOM.finditer(formula):
        if match[0] == "(":
            stack.append(Counter())
        elif match[0].startswith(")"):
            group = stack.pop()
            for element, count in group.items():
                stack[-1][element] += count * int(match[3] or 1)
        else:
            stack[-1][match[1]] += int(match[2] or 1)
    return stack[0]


def balances(equation: str) -> bool:
    """Return whether both sides of ``2 HCl + Na2CO3 -> ...`` have the same atoms."""
    left, right = (_side(text) for text in equation.split("->"))
    return bool(left) and left == right


def _side(text: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for term in text.split(" + "):
        factor, _, formula = term.strip().rpartition(" ")
        for element, count in atoms(formula).items():
            total[element] += count * int(factor or 1)
    return total
