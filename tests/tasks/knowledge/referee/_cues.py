"""Cues: what turns of phrase point at."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ._scene import Thing


@cache
def cues() -> dict[str, dict[str, list[str]]]:
    """Return, per category, patterns and every kind each could mean."""
    data = json.loads(Path(__file__).with_name("cues.json").read_text(encoding="utf-8"))
    return {category: found for category, found in data.items() if category != "note"}


def meant(text: str, category: str) -> set[str] | None:
    """Return the kinds of a category that all matching cues allow, or None where no cue matches."""
    sets = [set(kinds) for pattern, kinds in cues()[category].items() if re.search(pattern, text)]
    return set.intersection(*sets) if sets else None


def cued(text: str, things: Sequence[Thing], look: str = "kind") -> list[Thing] | None:
    """Return the things that the cues of their categories allow, or None where no cue of any category matches."""
    found: list[Thing] = []
    matched = False
    for category in dict.fromkeys(thing.category for thing in things):
        kinds = meant(text, category) if category in cues() else None
        matched = matched or kinds is not None
        found += [thing for thing in things if thing.category == category and thing.look(look) in (kinds or ())]
    return found if matched else None


@cache
def table(name: str) -> dict[str, Any]:
    """Return a table of the shared data."""
    text = files("proctor.tasks.knowledge.facts").joinpath(f"{name}.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
