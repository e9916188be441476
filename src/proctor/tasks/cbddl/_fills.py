""":fill: which vessels hold water at the start, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import Fill
from proctor.tasks.cbddl._numbers import parse_number
from proctor.tasks.cbddl._sexp import Form, Word
from proctor.tasks.cbddl._shape import arguments, describe, forms

MAX_PARTICLES = 200
USAGE = "write (NAME half), (NAME full) or (NAME 12)"


def read_fills(block: Form, problems: Problems) -> Iterator[Fill]:
    """Yield the fills of ``(vessel half) (vessel full) (vessel 12)``."""
    for form in forms(arguments(block), "a vessel such as (mug_1 half)", problems):
        name = form.items[0]
        assert isinstance(name, Word)
        if len(form.items) != 2 or not isinstance(form.items[1], Word):
            problems.add("syntax-shape", form.span, f"a vessel takes one amount; {USAGE}")
            continue
        amount = _amount(form.items[1], problems)
        if amount is not None:
            yield Fill(name.folded, amount, name.span)


def _amount(word: Word, problems: Problems) -> Literal["half", "full"] | int | None:
    if word.folded == "half":
        return "half"
    if word.folded == "full":
        return "full"
    value = parse_number(word.text)
    if value is None:
        hint = problems.suggest(word.folded, ("half", "full"), USAGE)
        problems.add("unknown-value", word.span, f"unknown amount {describe(word)}; {hint}")
        return None
    if value != int(value) or not 1 <= value <= MAX_PARTICLES:
        problems.add("value-range", word.span, f"{value:g} particles; write a whole number from 1 to {MAX_PARTICLES}")
        return None
    return int(value)
