"""The paraphrase taxonomy of LIBERO-Para (section 3, appendix A): 3 object types × 10 action types, 43 cells.

Lexical and structural types come from the Extended Paraphrase Typology (Kovatchev et al. 2018), pragmatic ones from
Ervin-Tripp's directives (1976). A cell is (object type or none, action type or none), never both none: 3 + 10 + 30.
SceneNames are those of the published data; of ``addition_deletion`` only additions are used, there as here.
The published data has ctx and hab overlap (89 object texts in both). Here they are told apart by a rule that can be
checked: habitual = what a dictionary calls the same sort of thing; contextual = what only this scene makes right.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from ._errors import LanguageError

Axis = Literal["object", "action"]
Level = Literal["lexical", "structural", "pragmatic"]


@dataclass(frozen=True, slots=True)
class ParaphraseType:
    """One way to say it differently. ``example`` paraphrases `EXAMPLE_ORIGINAL`."""

    axis: Axis
    level: Level
    name: str
    short: str
    definition: str
    example: str


_TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("taxonomy.toml").read_text(encoding="utf-8"))
EXAMPLE_ORIGINAL: str = _TABLE["original"]
OBJECT_TYPES = tuple(ParaphraseType("object", *row) for row in _TABLE["object"])
ACTION_TYPES = tuple(ParaphraseType("action", *row) for row in _TABLE["action"])
_OBJECT = {t.name: t for t in OBJECT_TYPES}
_ACTION = {t.name: t for t in ACTION_TYPES}


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell of the grid, written ``object/action`` with ``none`` for an axis that is left alone.

    A compound cell, outside the 43, has two action types at once, a lexical and another, joined by ``+``.
    """

    object: str | None
    action: str | None

    def __str__(self) -> str:
        return f"{self.object or 'none'}/{self.action or 'none'}"

    @property
    def actions(self) -> tuple[str, ...]:
        """The action types, none, one or (compound) two."""
        return tuple(self.action.split("+")) if self.action else ()

    @property
    def compound(self) -> bool:
        """Whether it is outside the paper's grid."""
        return len(self.actions) > 1


CELLS: tuple[Cell, ...] = tuple(
    Cell(obj, act) for obj, act in product((None, *_OBJECT), (None, *_ACTION)) if obj is not None or act is not None
)
COMPOUND_CELLS: tuple[Cell, ...] = tuple(
    Cell(obj, f"{first.name}+{second.name}")
    for obj in (None, *_OBJECT)
    for first in ACTION_TYPES
    if first.level == "lexical"
    for second in ACTION_TYPES
    if second.level != "lexical"
)


def parse_cells(text: str) -> tuple[Cell, ...]:
    """Read ``all``, ``compound`` or a comma-separated list such as ``add/none,none/hint`` or ``hab/need``.

    Each side takes a full name, a short one, ``none`` or ``*`` for every type of that axis.
    """
    chosen: dict[Cell, None] = {}
    for part in (piece.strip() for piece in text.split(",")):
        if part == "all":
            chosen.update(dict.fromkeys(CELLS))
        elif part == "compound":
            chosen.update(dict.fromkeys(COMPOUND_CELLS))
        else:
            chosen.update(dict.fromkeys(_matching(part)))
    return tuple(chosen)


def _matching(part: str) -> list[Cell]:
    obj, slash, act = part.partition("/")
    if not slash:
        raise LanguageError(f"--cells {part!r}: write object/action, as in add/none or hab/need, or all or compound")
    objects = _names(obj, OBJECT_TYPES, part)
    if "+" in act:
        first, _, second = act.partition("+")
        pairs = product(_names(first, ACTION_TYPES, part), _names(second, ACTION_TYPES, part))
        actions: list[str | None] = [f"{one}+{two}" for one, two in pairs]
    else:
        actions = _names(act, ACTION_TYPES, part)
    known = {*CELLS, *COMPOUND_CELLS}
    cells = [cell for cell in (Cell(o, a) for o, a in product(objects, actions)) if cell in known]
    if not cells:
        raise LanguageError(
            f"--cells {part!r}: there is no such cell; a compound has a lexical and another action type"
        )
    return cells


def _names(text: str, types: tuple[ParaphraseType, ...], part: str) -> list[str | None]:
    if text == "*":
        return [None, *(t.name for t in types)]
    if text in ("none", ""):
        return [None]
    for kind in types:
        if text in (kind.name, kind.short):
            return [kind.name]
    known = [name for kind in types for name in (kind.name, kind.short)]
    close = difflib.get_close_matches(text, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise LanguageError(
        f"--cells {part!r}: unknown {types[0].axis} type {text!r} ({', '.join(dict.fromkeys(known))}){hint}"
    )
