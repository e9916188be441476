"""The knowledge tables, read once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ._deal import Split


@cache
def table(name: str) -> dict[str, Any]:
    """Return the table called ``name``."""
    text = files(__package__).joinpath("knowledge", f"{name}.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)
    return values


def side(split: Mapping[str, Sequence[str]], which: Split) -> tuple[str, ...]:
    """Return the items of one side of a table's split, or of both, seen first."""
    if which == "all":
        return (*split["seen"], *split["unseen"])
    return tuple(split[which])


def partner(split: Mapping[str, Sequence[str]], item: str) -> str:
    """Return the unseen item that takes the place of a seen one on track 2: the one at its place in the list."""
    return split["unseen"][list(split["seen"]).index(item)]
