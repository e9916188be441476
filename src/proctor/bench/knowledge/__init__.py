"""What the bench knows: tables of facts, rules that answer questions from them, proofs that an answer is the only one.

``prove(question, items)`` is the whole promise: it returns a `Proof` or raises. ``questions`` lists what can be asked
so that one given thing is the answer; ``choose`` draws a scene for a question. No label is stored: each is computed.
"""

from ._choose import Chosen, choose, questions
from ._model import Answer, Found, Item, NotUniqueError, Proof, Question
from ._prove import answers, holds, prove
from ._tables import (
    ATTRIBUTE_TABLES,
    TABLES,
    Attribute,
    AttributeTable,
    Split,
    attribute_table,
    side,
    table,
)
from .rules import book, known_kinds

__all__ = [
    "ATTRIBUTE_TABLES",
    "TABLES",
    "Answer",
    "Attribute",
    "AttributeTable",
    "Chosen",
    "Found",
    "Item",
    "NotUniqueError",
    "Proof",
    "Question",
    "Split",
    "answers",
    "attribute_table",
    "book",
    "choose",
    "holds",
    "known_kinds",
    "prove",
    "questions",
    "side",
    "table",
]
