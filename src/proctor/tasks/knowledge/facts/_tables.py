"""The knowledge tables: JSON beside this file, read once, never changed.

Every table has ``source``, ``unit`` and ``rule`` (when a question about it has exactly one answer). Tables with
``attributes`` give true, false or unknown facts of their items: an item listed neither under ``true`` nor under
``unknown`` is false. docs/reference/tables/knowledge_facts.md says where each comes from and what was left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from proctor.core import ProctorError, did_you_mean

Split: TypeAlias = Literal["all", "seen", "unseen"]
TABLES = (
    "bakery",
    "billiards",
    "books",
    "cards",
    "chemistry",
    "condiments",
    "dining",
    "drinks",
    "flowers",
    "fruits",
    "mahjong",
    "materials",
    "math_problems",
    "objects",
    "paintings",
    "recipes",
    "snacks",
    "solutions",
    "spatial",
    "storage",
    "study",
    "toys",
    "tracks",
)


@cache
def table(name: str) -> Mapping[str, Any]:
    """Return the table called ``name``: mappings are read-only, lists are tuples."""
    if name not in TABLES:
        raise ProctorError(f"no knowledge table is called {name!r}{did_you_mean(name, TABLES)}")
    text = files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    frozen: Mapping[str, Any] = _frozen(json.loads(text))
    return frozen


def side(name: str, split: Split, *, key: str = "split") -> tuple[str, ...]:
    """Return the items of one side of a table's split, or of both, seen first."""
    sides = table(name)[key]
    return (*sides["seen"], *sides["unseen"]) if split == "all" else tuple(sides[split])


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact about the items of a table; ``phrase`` follows the word that ("the fruit that ...")."""

    name: str
    phrase: str
    true: frozenset[str]
    unknown: frozenset[str]

    def of(self, item: str) -> bool | None:
        """Return whether ``item`` has the attribute; None is unknown or disputed."""
        return None if item in self.unknown else item in self.true


@dataclass(frozen=True, slots=True)
class AttributeTable:
    """Items of one category that differ in one look, with what is true of them."""

    name: str
    category: str
    look: str
    items: tuple[str, ...]
    attributes: Mapping[str, Attribute]

    def value(self, item: str, attribute: str) -> bool | None:
        """Return a fact; ``!attribute`` is its opposite, unknown stays unknown."""
        if attribute.startswith("!"):
            value = self.value(item, attribute[1:])
            return None if value is None else not value
        if item not in self.items or attribute not in self.attributes:
            raise ProctorError(f"table {self.name} says nothing of {attribute!r} for {item!r}")
        return self.attributes[attribute].of(item)

    def values(self, item: str, attributes: Sequence[str]) -> bool | None:
        """Return the conjunction: false as soon as one is false, else unknown as soon as one is unknown."""
        found = [self.value(item, attribute) for attribute in attributes]
        return False if False in found else None if None in found else True


ATTRIBUTE_TABLES = ("condiments", "drinks", "flowers", "fruits", "paintings", "recipes", "snacks", "solutions", "toys")


@cache
def attribute_table(name: str) -> AttributeTable:
    if name not in ATTRIBUTE_TABLES:
        raise ProctorError(f"table {name!r} has no attributes; those that have: {', '.join(ATTRIBUTE_TABLES)}")
    data = table(name)
    attributes = {
        key: Attribute(key, value["phrase"], frozenset(value["true"]), frozenset(value["unknown"]))
        for key, value in data["attributes"].items()
    }
    return AttributeTable(name, data["category"], data["look"], data["items"], MappingProxyType(attributes))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(inner) for inner in value)
    return value
