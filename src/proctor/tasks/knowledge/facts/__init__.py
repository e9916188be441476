"""What the bench knows: tables of facts, rules that answer questions from them, proofs that an answer is the only one.

``prove(question, items)`` is the whole promise: it returns a `Proof` or raises. ``questions`` lists what can be asked
so that one given thing is the answer; ``choose`` draws a scene for a question. No label is stored: each is computed.
"""

from ._ask import named
from ._bank import Asked, Bank, Entry, ask, bank, options, say
from ._choose import Chosen, choose, questions
from ._model import Answer, Found, Item, NotUniqueError, Proof, Question
from ._prove import answers, holds, prove
from ._tables import ATTRIBUTE_TABLES, TABLES, Attribute, AttributeTable, Split, attribute_table, side, table
from ._words import rank_name, tile_name, words
from .rules import book, known_kinds

__all__ = [
    "ATTRIBUTE_TABLES",
    "TABLES",
    "Answer",
    "Asked",
    "Attribute",
    "AttributeTable",
    "Bank",
    "Chosen",
    "Entry",
    "Found",
    "Item",
    "NotUniqueError",
    "Proof",
    "Question",
    "Split",
    "answers",
    "ask",
    "attribute_table",
    "bank",
    "book",
    "choose",
    "holds",
    "known_kinds",
    "named",
    "options",
    "prove",
    "questions",
    "rank_name",
    "say",
    "side",
    "table",
    "tile_name",
    "words",
]
