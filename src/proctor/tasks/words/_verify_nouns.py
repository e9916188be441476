"""Which things of the scene a text mentions: noun phrases, their modifiers, and the preposition before them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ._grammar import PREPOSITIONS, Command
from ._grammar_choices import Scene
from ._lexicon import Lexicon, tokens

_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those", "its", "your", "my", "our"})
# Nouns of our own sentence patterns and of ordinary talk, which name no thing of the scene.
_GENERIC = frozenset(
    [
        "thing",
        "chance",
        "time",
        "place",
        "task",
        "hand",
        "handle",
        "knob",
        "front",
        "top",
        "side",
        "back",
        "left",
        "right",
        "rest",
        "way",
        "moment",
        "favor",
        "favour",
        "job",
        "step",
        "end",
        "help",
        "minute",
        "second",
        "opportunity",
        "following",
        "next",
        "first",
        "last",
        "one",
        "two",
    ]
)
_STOPS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "not",
        "to",
        "on",
        "in",
        "into",
        "onto",
        "inside",
        "upon",
        "atop",
        "at",
        "of",
        "from",
        "by",
        "with",
        "and",
        "or",
        "then",
        "so",
        "that",
        "which",
        "who",
        "when",
        "while",
        "until",
        "before",
        "after",
        "if",
        "as",
        "for",
        "you",
        "i",
        "we",
        "it",
        "them",
        "should",
        "would",
        "could",
        "can",
        "may",
        "might",
        "must",
        "still",
        "yet",
        "already",
        "now",
        "please",
        "needs",
        "need",
        "belongs",
        "goes",
        "put",
        "place",
        "set",
        "lay",
        "rest",
        "open",
        "close",
        "turn",
        "push",
        "pull",
    ]
)
# Relation as written: the class in which it must stay.
RELATIONS = {
    "on": "on",
    "onto": "on",
    "upon": "on",
    "atop": "on",
    "on top of": "on",
    "on the top of": "on",
    "at the top of": "on",
    "onto the top of": "on",
    "to the top of": "on",
    "in": "in",
    "into": "in",
    "inside": "in",
    "within": "in",
    "to the front of": "front",
    "at the front of": "front",
    "in front of": "front",
    "over to the front of": "front",
    "to": "to",
    "over to": "to",
    "out of": "out",
    "from": "out",
    "off": "off",
    "under": "under",
    "underneath": "under",
    "below": "under",
    "beneath": "under",
    "behind": "behind",
    "beside": "beside",
    "next to": "beside",
    "near": "beside",
    "away from": "away",
    "to the back of": "behind",
    "at the back of": "behind",
    "to the left of": "left",
    "to the right of": "right",
}
# The longest first, so that "to the front of" is not read as "of".
_PREPOSITIONS = tuple(sorted({*PREPOSITIONS, *RELATIONS}, key=lambda text: (-len(text.split()), text)))


# Nouns for parts of space, which are in every scene that the instruction speaks of.
PLACES = frozenset({"region", "center"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase. ``words`` are the nouns of the lexicon that it may mean, ``true`` what is known of the thing."""

    text: str
    words: frozenset[str]
    entities: frozenset[str]
    modifiers: tuple[str, ...]
    preposition: str
    true: frozenset[str] = frozenset()
    generic: bool = False


@dataclass(frozen=True, slots=True)
class Things:
    """A scene as the verifier reads it: what each entity is called, and by which nouns of the lexicon."""

    scene: Scene
    nouns: Mapping[str, frozenset[str]]
    names: frozenset[str]


def things_of(scene: Scene | None, command: Command, book: Lexicon) -> Things:
    """Return the scene, or the things that the command itself names where none is given."""
    if scene is None:
        read: dict[str, tuple[str, ...]] = {
            noun: (noun,) for noun in (_singular(phrase.noun, book) for phrase in command.phrases())
        }
        if {"drawer", "cabinet"} <= set(read):
            del read["drawer"]
            read["cabinet"] = ("cabinet", "drawer")
    else:
        read = {name: tuple(phrase.lower() for phrase in phrases) for name, phrases in scene.items()}
        places = (_singular(phrase.noun, book) for phrase in command.phrases())
        read |= {place: (place,) for place in places if place in PLACES and place not in read}
    nouns = {name: frozenset().union(*(_nouns(phrase, book) for phrase in phrases)) for name, phrases in read.items()}
    return Things(read, nouns, frozenset(phrase for phrases in read.values() for phrase in phrases))


def _singular(noun: str, book: Lexicon) -> str:
    return book.singular(noun.lower()) or noun.lower()


def _nouns(phrase: str, book: Lexicon) -> frozenset[str]:
    """Return the nouns that a scene's phrase stands for: itself, what it is a name of ("hot plate"), else its head."""
    if book.singular(phrase) is not None:
        return frozenset({phrase})
    return book.named_by(phrase) or frozenset({phrase.split()[-1]})


def mentions(text: str, things: Things, book: Lexicon) -> list[Mention]:
    """Return the noun phrases that have a determiner, in order; a phrase inside another comes after it."""
    words = tokens(text)
    found = []
    at = 0
    while at < len(words):
        if words[at] in _DETERMINERS and at + 1 < len(words):
            mention, end = _chunk(words, at, things, book)
            if mention is not None:
                found.append(mention)
                at = max(end, at + 1)
                continue
        at += 1
    return found


def _chunk(words: list[str], start: int, things: Things, book: Lexicon) -> tuple[Mention | None, int]:
    """Read one noun phrase from its determiner on: modifiers, then the longest name, and a name after that."""
    at = start + 1
    modifiers: list[str] = []
    name = ""
    while at < len(words):
        candidate = _name_at(words, at, things, book)
        if candidate:
            if name:
                modifiers += name.split()
            name, at = candidate, at + len(candidate.split())
        elif name or words[at] in _STOPS or words[at] in _DETERMINERS:
            break
        else:
            modifiers.append(words[at])
            at += 1
    if not name:
        if not modifiers:
            return None, at
        if set(modifiers) & _GENERIC or modifiers[-1] in _GENERIC:
            return Mention(" ".join(modifiers), frozenset(), frozenset(), (), "", generic=True), at
        text = " ".join(words[start : start + 1 + len(modifiers)])
        return Mention(text, frozenset(), frozenset(), tuple(modifiers), _before(words, start)), at
    nouns, entities = _meant(name, modifiers, things, book)
    true = frozenset(word for e in entities for phrase in things.scene[e] for word in phrase.split()[:-1])
    text = " ".join(words[start:at])
    extra = [word for word in name.split()[:-1] if " " in name and book.singular(name) is None]
    return Mention(text, nouns, entities, (*modifiers, *extra), _before(words, start), true), at


def _name_at(words: list[str], at: int, things: Things, book: Lexicon) -> str:
    for size in range(min(5, len(words) - at), 0, -1):
        text = " ".join(words[at : at + size])
        if text in things.names or book.named_by(text):
            return text
    return ""


def _meant(name: str, modifiers: list[str], things: Things, book: Lexicon) -> tuple[frozenset[str], frozenset[str]]:
    """Return the nouns that a name may stand for, and the things of the scene that are called so."""
    exact = {entity for entity, phrases in things.scene.items() if name in phrases}
    # The scene's own longer name decides first ("white bowl" among bowls), tried with each trailing modifier.
    for cut in range(len(modifiers)):
        longer = " ".join([*modifiers[cut:], name])
        owners = {entity for entity, phrases in things.scene.items() if longer in phrases}
        if owners:
            exact = owners
            break
    nouns = book.named_by(name) | {word for word in (book.singular(name),) if word}
    broad = {entity for entity, own in things.nouns.items() if own & nouns}
    # A name that the scene itself uses means just what it says there; any other means all that it could.
    return nouns or _nouns(name, book), frozenset(exact or broad)


def _before(words: list[str], start: int) -> str:
    for preposition in _PREPOSITIONS:
        parts = preposition.split()
        if words[max(0, start - len(parts)) : start] == parts:
            return preposition
    return ""
