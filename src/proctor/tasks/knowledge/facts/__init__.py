"""Tables of facts, rules that answer questions from them, and proofs that an answer is the only one.

``prove(question, items)`` is the whole promise: it returns a `Proof` or raises. ``ask`` and ``say`` find words for a
question, ``choose`` draws a scene for one. No label is stored: each is computed.
"""

from ._ask import possible
from ._bank import Bank, FactEntry, ProvedInstruction, ask, bank, options, say
from ._choose import KINDS, Chosen, choose, winning_hand
from ._model import Answer, Found, Item, NotUniqueError, Proof, Question
from ._prove import holds, prove
from ._tables import ATTRIBUTE_TABLES, TABLES, Attribute, AttributeTable, Split, attribute_table, side, table
from ._words import ORDINALS, rank_name, tile_name, words
from .rules import book, known_kinds

__all__ = [
    "ATTRIBUTE_TABLES",
    "KINDS",
    "ORDINALS",
    "TABLES",
    "Answer",
    "Attribute",
    "AttributeTable",
    "Bank",
    "Chosen",
    "FactEntry",
    "Found",
    "Item",
    "NotUniqueError",
    "Proof",
    "ProvedInstruction",
    "Question",
    "Split",
    "ask",
    "attribute_table",
    "bank",
    "book",
    "choose",
    "holds",
    "known_kinds",
    "options",
    "possible",
    "prove",
    "rank_name",
    "say",
    "side",
    "table",
    "tile_name",
    "winning_hand",
    "words",
]
