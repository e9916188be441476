"""What a free instruction asks for: clauses with a verb, the thing it is about and where that goes; and where, in a
row, on a shelf or beside what, the words say that a thing stands.

Here nothing is known of the scene; what no rule fits is left out. Where the things are known, `noun_phrases` reads the
phrases that name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ._words import EXTREMES, ORDINALS, PRONOUNS

Verb = Literal["move", "pour", "insert", "take", "press", "open", "close", "flip", "hang", "pot", "wait", "find"]


@dataclass(frozen=True, slots=True)
class Intent:
    """What a clause wants: ``what`` and ``where`` are noun phrases, "" where there is none; ``seconds`` for waiting."""

    verb: Verb
    what: str = ""
    where: str = ""
    seconds: float = 0.0


_SPEAKER = re.compile(r"\b[ab]: ")
_POLITE = re.compile(r"\b(please|kindly|now|carefully|for (?:me|him|her|us)|can you|could you|i want you to)\b")
_VERBS = (
    "put|place|move|set|lay|drop|throw|bring|pack|add|pour|insert|stick|take|pull|get|grab|fetch|pick|lift|press|push|open|"
    "close|shut|turn|flip|hang|pot|wait|find"
)
_SPLIT = re.compile(
    rf"(?:[.;!?]\s+|[.;!?]$|,? and then |, then |,? and (?=(?:{_VERBS}|do not leave)\b)|, (?=(?:{_VERBS})\b))"
)
_INTO = r"(?:on top of|onto|into|inside|to|in|on|over)"
_TAKE = r"(?:take|pull|get|grab|fetch|lift|pick)"
_NO_SIDE = r"(?! the (?:left|right|near|far)\b)"
# "On the upper shelf, take the second drink from the left": what is said of the place goes to the thing.
_LAYER_FIRST = re.compile(r"^on the (\w+ (?:shelf|layer)), (.*?from the (?:left|right))")
_LAYER_LAST = re.compile(r"(from the (?:left|right)), (?:on the )?(\w+ (?:shelf|layer))")
_PATTERNS: tuple[tuple[Verb, str], ...] = (
    ("wait", r"^wait (?:for )?(?P<seconds>\d+(?:\.\d+)?) ?s(?:econds?)?$"),
    ("press", r"^(?:press|push) (?P<what>.+)$"),
    ("open", r"^open (?P<what>.+)$"),
    ("close", r"^(?:close|shut) (?P<what>.+)$"),
    ("close", r"^do not leave (?P<what>.+) open$"),
    ("flip", r"^(?:flip|turn) (?P<what>.+?)(?: over| round| around)?$"),
    ("find", r"^(?:find|look for|search for) (?P<what>.+)$"),
    ("hang", r"^hang (?P<what>.+?) on (?P<where>.+)$"),
    ("move", r"^pot (?P<what>.+?) in(?:to)? (?P<where>.+ pocket)\b.*$"),
    ("pot", r"^pot (?P<what>.+)$"),
    ("pour", r"^(?:add|pour) (?:to|into) (?P<where>the \w+) (?P<what>the .+)$"),
    ("move", rf"^{_INTO} (?P<where>.+) goes (?P<what>.+)$"),
    ("move", rf"^i (?:want|would like) (?P<what>.+) {_INTO} (?P<where>.+)$"),
    ("insert", rf"^insert (?P<what>.+?) {_INTO} (?P<where>.+)$"),
    ("pour", rf"^(?:add|pour) (?P<what>.+) {_INTO} (?P<where>.+)$"),
    ("take", rf"^{_TAKE} (?:out |up )?(?P<what>.+?) (?:out of|from{_NO_SIDE}|off|out) (?P<where>.+)$"),
    ("move", rf"^(?:put|place|move|set|lay|drop|throw|bring|pack|stick|get) (?P<what>.+) {_INTO} (?P<where>.+)$"),
    ("take", rf"^{_TAKE} (?:out |up )?(?P<what>.+?)(?: out| up)?$"),
    ("move", rf"^(?P<what>.+?) goes {_INTO} (?P<where>.+)$"),
)
_RULES = tuple((verb, re.compile(pattern)) for verb, pattern in _PATTERNS)


def intents(instruction: str) -> list[Intent]:
    """Return what an instruction asks for, clause by clause."""
    return list(_read(instruction))


def _read(instruction: str) -> Iterator[Intent]:
    text = _POLITE.sub(" ", _SPEAKER.sub("", instruction.lower().replace("’", "'")))
    text = _LAYER_LAST.sub(r"\1 on the \2", _LAYER_FIRST.sub(r"\2 on the \1", " ".join(text.split())))
    for raw in _SPLIT.split(text):
        clause = re.sub(r"\s+", " ", raw).strip(" ,.")
        for verb, rule in _RULES:
            if (found := rule.match(clause)) is not None:
                parts = found.groupdict()
                yield Intent(
                    verb, _phrase(parts.get("what")), _phrase(parts.get("where")), float(parts.get("seconds") or 0.0)
                )
                break


def _phrase(text: str | None) -> str:
    """Return a noun phrase without its article, and without what is said beside it."""
    return re.sub(r"^(?:me )?(?:the|a|an|some|your|my) ", "", (text or "").partition(", ")[0].strip(" ,."))


@dataclass(frozen=True, slots=True)
class Description:
    """A noun phrase and where it says that its thing stands. Every field but ``text`` may be empty.

    ``noun`` is the phrase without these words. ``place`` counts from ``side`` in a row, from 0 on; a ``side`` alone
    ("the left pear") tells things apart where there are several. ``layer`` is "upper" or "lower"; ``relation`` to
    another thing (``other``) is "left of", "right of" or "in".
    """

    text: str
    noun: str
    pronoun: bool = False
    place: int | None = None
    side: str = ""
    layer: str = ""
    relation: str = ""
    other: str = ""


_SIDES = "left|right|near|far"
_IN_A_ROW = re.compile(rf"\b(?P<place>{'|'.join(ORDINALS)})\b(?P<noun>.*?)\bfrom the (?P<side>{_SIDES})")
_EXTREME = re.compile(rf"\b({'|'.join(EXTREMES)})\b")
_SIDE_FIRST = re.compile(rf"^({_SIDES}|middle) (?P<noun>.+)$")
_SIDE_OF = re.compile(r"^(?P<noun>.+?) (?:to the )?(?P<side>left|right) of (?P<other>.+)$")
_INSIDE = re.compile(r"^(?P<noun>.+?) (?:that is |which is )?(?:in|on|from) (?:the )?(?P<other>.+)$")
_SHELF = re.compile(r"\b(upper|top|lower|bottom) (?:shelf|layer)\b")


def describe(phrase: str) -> Description:
    """Read a noun phrase such as "second pear from the left", "leftmost card" or "pear right of the orange"."""
    text = phrase.strip()
    if text in PRONOUNS:
        return Description(text, "", pronoun=True)
    found = _SHELF.search(text)
    layer = "" if found is None else "upper" if found[1] in ("upper", "top") else "lower"
    if (found := _IN_A_ROW.search(text)) is not None:
        place, side = ORDINALS[found["place"]], found["side"]
        return Description(text, found["noun"], place=place, side=side, layer=layer)
    if (found := _EXTREME.search(text)) is not None:
        noun = text.replace(found[1], " ")
        return Description(text, noun, place=0, side=EXTREMES[found[1]], layer=layer)
    side_first = _SIDE_FIRST.match(text)
    side = side_first[1] if side_first is not None else ""
    noun = side_first["noun"] if side_first is not None else text
    relation = other = ""
    if (found := _SIDE_OF.match(text)) is not None:
        noun, relation, other = found["noun"], f"{found['side']} of", found["other"]
    elif (found := _INSIDE.match(text)) is not None:
        noun, relation, other = found["noun"], "in", found["other"]
    return Description(text, noun, side=side, layer=layer, relation=relation, other=other)
