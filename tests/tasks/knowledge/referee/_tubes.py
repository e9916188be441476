"""Tubes: named, asked for by what is in them, by their cell, by what happens when two are poured together.

Reactions follow school rules of solubility, written here anew: which ions each solution brings, which pairs fall out
and in which colour, which give carbon dioxide, which neutralise each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from ._answer import Answer, answer, wish
from ._cues import cued, table
from ._scene import Scene, Thing
from ._text import mentioned, said
from ._where import ranked

_ANIONS = (
    ("HCO3", "hydrogen carbonate"),
    ("CO3", "carbonate"),
    ("Cr2O7", "dichromate"),
    ("CrO4", "chromate"),
    ("MnO4", "permanganate"),
    ("SO4", "sulfate"),
    ("NO3", "nitrate"),
    ("OH", "hydroxide"),
    ("Cl", "chloride"),
    ("I", "iodide"),
)
_CATIONS = {
    "Ag": "silver",
    "Ba": "barium",
    "Ca": "calcium",
    "Co": "cobalt",
    "Cu": "copper",
    "Fe": "iron",
    "H": "hydrogen",
    "K": "potassium",
    "Mg": "magnesium",
    "Na": "sodium",
    "Ni": "nickel",
    "Pb": "lead",
}
# What falls out, with its colour.
_SOLIDS = {
    ("silver", "chloride"): "white",
    ("silver", "iodide"): "yellow",
    ("silver", "chromate"): "red-brown",
    ("lead", "iodide"): "yellow",
    ("lead", "sulfate"): "white",
    ("lead", "chromate"): "yellow",
    ("lead", "carbonate"): "white",
    ("lead", "chloride"): "white",
    ("lead", "hydroxide"): "white",
    ("barium", "sulfate"): "white",
    ("barium", "chromate"): "yellow",
    ("barium", "carbonate"): "white",
    ("calcium", "carbonate"): "white",
    ("magnesium", "hydroxide"): "white",
    ("copper", "hydroxide"): "blue",
    ("iron", "hydroxide"): "red-brown",
    ("nickel", "hydroxide"): "green",
    ("cobalt", "hydroxide"): "blue",
}


def read_tubes(text: str, scene: Scene) -> list[Answer]:
    """Return what is asked for about tubes."""
    tubes, (stand,) = scene.of("tube"), scene.of("tubestand")
    if scene.has("flask"):
        flask = scene.one("flask")
        return [answer(wish(a.name, flask), wish(b.name, flask)) for a, b in _pairs(text, tubes)]
    if said(text, r"\b(its|that|each|every)\b.*\bname\b"):
        return _tagged(tubes, stand)
    return [answer(wish(tube.name)) for tube in _one(text, tubes, stand)]


def _one(text: str, tubes: Sequence[Thing], stand: Thing) -> list[Thing]:
    # How rows and columns are counted is explained in words of the same kind; take these out first.
    asked = re.search(r"row (\d), column (\d)", re.sub(r"\b(row|column) 1 (is )?(near|on)", "", text))
    if asked:
        hole = _cell(stand, int(asked[1]), int(asked[2]))
        return [tube for tube in tubes if tube.inside == hole]
    spoken: dict[str, str] = table("solutions")["spoken"]
    names = mentioned(text, [spoken[tube.look("solution")] for tube in tubes])
    by_name = [tube for tube in tubes if spoken[tube.look("solution")] in names]
    return by_name or cued(text, tubes, "solution") or []


def _cell(stand: Thing, row: int, column: int) -> str:
    """Return the hole in a row counted from the near side and a column counted from the left."""
    holes = stand.sites
    rows = sorted({round(at[0], 3) for at in holes.values()})
    columns = sorted({round(at[1], 3) for at in holes.values()}, reverse=True)
    asked = (rows[row - 1], columns[column - 1])
    return next(f"{stand.name}/{name}" for name, at in holes.items() if (round(at[0], 3), round(at[1], 3)) == asked)


def _tagged(tubes: Sequence[Thing], stand: Thing) -> list[Answer]:
    """Return the one way to bring each tube to the hole with its tag; a tag that occurs twice leaves several."""
    tags = stand.look("labels").split("|")
    holes = {tube.name: [n + 1 for n, tag in enumerate(tags) if tag == tube.look("solution")] for tube in tubes}
    if any(len(found) != 1 for found in holes.values()):
        return []
    return [answer(*(wish(name, f"{stand.name}/slot{found[0]}") for name, found in holes.items()))]


def _pairs(text: str, tubes: Sequence[Thing]) -> list[tuple[Thing, Thing]]:
    ordered = ranked(tubes, "left")
    return [(a, b) for a, b in combinations(ordered, 2) if _does(text, a.look("solution"), b.look("solution"))]


def _does(text: str, a: str, b: str) -> bool:
    if said(text, r"neutralis"):
        acids, bases = {"HCl", "H2SO4"}, {"NaOH", "KOH", "Na2CO3", "NaHCO3"}
        return (a in acids and b in bases) or (b in acids and a in bases)
    if said(text, r"\bgas\b", "bubbles", "carbon dioxide"):
        sour = {"HCl", "H2SO4"}
        return any(x in sour and _ions(y)[1] in ("carbonate", "hydrogen carbonate") for x, y in ((a, b), (b, a)))
    solids = _solids(a, b)
    named = re.search(r"precipitate of (\w+) ([a-z]+)", text)
    if named:
        return (named[1], named[2]) in solids
    colour = re.search(r"\b(white|yellow|red-brown|blue|green)\b precipitate", text)
    return any(colour is None or _SOLIDS[solid] == colour[1] for solid in solids)


def _solids(a: str, b: str) -> list[tuple[str, str]]:
    (cation_a, anion_a), (cation_b, anion_b) = _ions(a), _ions(b)
    return [pair for pair in ((cation_a, anion_b), (cation_b, anion_a)) if pair in _SOLIDS]


def _ions(formula: str) -> tuple[str, str]:
    anion = next((name for sign, name in _ANIONS if re.search(rf"{sign}\)?\d?$", formula)), "")
    cation = next((name for sign, name in sorted(_CATIONS.items(), reverse=True) if formula.startswith(sign)), "")
    return ("", "iodide") if formula == "I2 in KI" else (cation, anion)
