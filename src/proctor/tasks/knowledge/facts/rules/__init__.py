"""One rule per kind of question: what fits it in a scene."""

from . import _balls, _books, _cards, _facts, _matter, _sets, _space, _tiles
from ._books import book
from ._registry import Rule, check_of, known_kinds, rule_of
from ._sets import class_of
from ._tiles import completion, tile_group

__all__ = ["Rule", "book", "check_of", "class_of", "completion", "known_kinds", "rule_of", "tile_group"]

# Importing a family registers its rules.
FAMILIES = (_balls, _books, _cards, _facts, _matter, _sets, _space, _tiles)
