"""The paraphrase taxonomy of LIBERO-Para (section 3, appendix A): 3 object types × 10 action types, 43 cells.

Lexical and structural types come from the Extended Paraphrase Typology (Kovatchev et al. 2018), pragmatic ones from
Ervin-Tripp's directives (1976). A cell is (object type or none, action type or none), never both none: 3 + 10 + 30.
Names are those of the published data; of ``addition_deletion`` only additions are used, there as here.
The published data has ctx and hab overlap (89 object texts in both). Here they are told apart by a rule that can be
checked: habitual = what a dictionary calls the same sort of thing; contextual = what only this scene makes right.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import product
from typing import Literal

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


EXAMPLE_ORIGINAL = "put the bowl on the plate"

OBJECT_TYPES: tuple[ParaphraseType, ...] = (
    ParaphraseType(
        "object",
        "lexical",
        "addition_deletion",
        "add",
        "A true word is added to the name of a thing; the name stays.",
        "put the soup bowl on the round plate",
    ),
    ParaphraseType(
        "object",
        "lexical",
        "same_polarity_contextual",
        "ctx",
        "A thing is called by a broader or functional name that picks it out in this scene only.",
        "put the open container on the tray",
    ),
    ParaphraseType(
        "object",
        "lexical",
        "same_polarity_habitual",
        "hab",
        "A thing is called by another dictionary name of the same sort of thing.",
        "put the basin on the platter",
    ),
)
ACTION_TYPES: tuple[ParaphraseType, ...] = (
    ParaphraseType(
        "action",
        "lexical",
        "addition_deletion",
        "add",
        "A word or phrase says how or when; the verb stays.",
        "carefully put the bowl on the plate",
    ),
    ParaphraseType(
        "action",
        "lexical",
        "same_polarity_contextual",
        "ctx",
        "The verb is replaced by one that means the same only for these things.",
        "transfer the bowl onto the plate",
    ),
    ParaphraseType(
        "action",
        "lexical",
        "same_polarity_habitual",
        "hab",
        "The verb is replaced by a dictionary synonym.",
        "place the bowl on the plate",
    ),
    ParaphraseType(
        "action",
        "structural",
        "coordination",
        "coord",
        "The act is told as several steps side by side.",
        "pick up the bowl, then put it on the plate",
    ),
    ParaphraseType(
        "action",
        "structural",
        "subordination",
        "subord",
        "The act, or a step of it, is told in a subordinate clause.",
        "make sure that the bowl is on the plate",
    ),
    ParaphraseType(
        "action",
        "pragmatic",
        "need_statement",
        "need",
        "The speaker says what they need or want.",
        "I need the bowl on the plate",
    ),
    ParaphraseType(
        "action",
        "pragmatic",
        "embedded_imperative",
        "embed",
        "The command is inside a question about will or ability.",
        "Could you put the bowl on the plate?",
    ),
    ParaphraseType(
        "action",
        "pragmatic",
        "permission_directive",
        "perm",
        "The speaker asks to be given the result.",
        "May I have the bowl put on the plate?",
    ),
    ParaphraseType(
        "action",
        "pragmatic",
        "question_directive",
        "quest",
        "A question about the state or the doing of it.",
        "Is the bowl on the plate yet?",
    ),
    ParaphraseType(
        "action",
        "pragmatic",
        "hint",
        "hint",
        "A statement from which the listener infers what to do.",
        "The bowl belongs on the plate",
    ),
)
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
