"""The noun phrases of an instruction and the relations between them: which things does it name, and where are they?

Every reader of ours goes through here: the verifier of paraphrases, the controls and word levels, the certificate that
each phrase means one thing, the linter of instructions, and the scripted policy of the station.

A noun phrase is read from its determiner, or from a verb of picking or putting, up to the longest name at its place: a
phrase that a thing of the scene is called by, or its plural. With a lexicon, other names of these things are read too,
only phrases with a determiner count, and those that name nothing are kept, so that they can be objected to.

A relation (``next to``, ``between``, ``on``, ``in``, ``left of``, ...) is read after the noun that is picked up (``pick
up the tomato on the board``) and after the noun that says where it goes (``place it on the bowl beside it``). After
``put the apple`` none is read: there ``on the plate`` says where it goes. ``it`` is the thing last picked up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from ._lexicon import Lexicon
from ._words import (
    AFTER_VERB,
    COLOURS,
    DETERMINERS,
    DRAWERS,
    GENERIC,
    NEGATIONS,
    ORDINALS,
    PICK_VERBS,
    PUT_VERBS,
    RELATIONS,
    STOPS,
    preposition_before,
    singulars,
    tokens,
)

# What each thing of a scene may be called.
Scene: TypeAlias = Mapping[str, tuple[str, ...]]
Kind: TypeAlias = Literal["next to", "between", "on", "in", "left of", "right of", "behind", "in front of"]
IT = "it"
_LONGEST_NAME = 5
_DIRECTIONS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("next to", ("beside",)),
    ("next to", ("next", "to")),
    ("left of", ("left", "of")),
    ("left of", ("to", "the", "left", "of")),
    ("right of", ("right", "of")),
    ("right of", ("to", "the", "right", "of")),
    ("behind", ("behind",)),
    ("in front of", ("in", "front", "of")),
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase without its relation.

    ``text`` is as written, ``name`` the noun in it, at ``start`` to ``end`` (exclusive) among the words. ``entities``
    are the things of the scene that it may mean: one of them, or all where it is a plural (``many``). With a lexicon,
    ``words`` are the nouns that the name may stand for, ``true`` the words known to hold of the things, and ``generic``
    marks words of ordinary talk ("the next step").
    """

    text: str
    name: str
    start: int
    end: int
    entities: tuple[str, ...] = ()
    many: bool = False
    modifiers: tuple[str, ...] = ()
    preposition: str = ""
    negated: bool = False
    words: frozenset[str] = frozenset()
    true: frozenset[str] = frozenset()
    generic: bool = False

    @property
    def ordinal(self) -> str:
        """The ordinal among the modifiers; empty if there is none."""
        return next((word for word in self.modifiers if word in ORDINALS), "")


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a thing is: ``kind`` and its anchors; an anchor is what may be meant by a noun, or `IT`.

    ``layer`` names the drawer of a cabinet; ``on`` a layer may mean in that drawer or on the cabinet.
    """

    kind: Kind
    anchors: tuple[Mention | str, ...]
    layer: str = ""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun with its relation, if any; ``text`` from the noun on; ``picked`` up or not."""

    text: str
    head: Mention
    relation: Relation | None
    picked: bool


class SceneNames:
    """What a text may name: the things of a scene, and with a lexicon ``book`` all other names of these."""

    def __init__(self, scene: Scene, book: Lexicon | None = None) -> None:
        self.scene = {entity: tuple(name.lower() for name in names) for entity, names in scene.items()}
        self.book = book
        self._owners: dict[str, set[str]] = {}
        # The names that were looked up: a verifier asks for the same ones again and again.
        self._known: dict[str, frozenset[str]] = {}
        for entity, names in self.scene.items():
            for name in names:
                self._owners.setdefault(" ".join(tokens(name)), set()).add(entity)
        self.nouns = {
            entity: frozenset[str]().union(*(self.nouns_of(name) for name in names))
            for entity, names in self.scene.items()
        }

    def nouns_of(self, name: str) -> frozenset[str]:
        """Return the nouns of the lexicon that a name stands for: itself, what it is a name of, else its head."""
        if self.book is None or self.book.singular(name) is not None:
            return frozenset({name})
        return self.book.named_by(name) or frozenset({name.split()[-1]})

    def exact(self, name: str) -> bool:
        """Whether something is called just so, not only in the singular."""
        return name in self._owners

    def plural(self, name: str) -> bool:
        """Whether ``name`` is the plural of what something is called."""
        if self.exact(name):
            return False
        return bool(self.owners(name)) or (self.book is not None and self.book.singular(name) not in (name, None))

    def owners(self, name: str) -> frozenset[str]:
        """Return the things that are called ``name``, or the singular of it."""
        found = self._known.get(name)
        if found is None:
            front, _, last = name.rpartition(" ")
            forms = (f"{front} {form}".strip() for form in singulars(last))
            found = frozenset[str]().union(*(self._owners.get(form, ()) for form in forms))
            self._known[name] = found
        return found

    def at(self, words: Sequence[str], at: int) -> str:
        """Return the longest name that stands at a place among ``words``; empty if none does."""
        for size in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
            text = " ".join(words[at : at + size])
            if self.owners(text) or (self.book is not None and self.book.named_by(text)):
                return text
        return ""

    def meant(self, name: str, modifiers: Sequence[str]) -> tuple[frozenset[str], Collection[str]]:
        """Return the nouns of the lexicon that a name may stand for, and the things that it may mean."""
        own: Collection[str] = self.owners(name)
        if self.book is None:
            return frozenset(), own
        # The scene's own longer name decides first ("white bowl" among bowls), tried with each trailing modifier.
        longer = (self._owners.get(" ".join([*modifiers[cut:], name])) for cut in range(len(modifiers)))
        own = next((owners for owners in longer if owners), own)
        nouns = self.book.named_by(name) | {word for word in (self.book.singular(name),) if word}
        broad = {entity for entity, called in self.nouns.items() if called & nouns}
        # A name that the scene itself uses means just what it says there; any other means all that it could.
        return nouns or self.nouns_of(name), own or broad


def mentions(text: str | Sequence[str], names: SceneNames) -> list[Mention]:
    """Return the noun phrases of a text, or of its words, in order."""
    words = tokens(text) if isinstance(text, str) else list(text)
    found = []
    at = 0
    while at < len(words):
        end = at + 1
        if _begins(words, at, names):
            mention, end = _mention(words, at, names)
            found += [mention] if mention is not None else []
        at = max(end, at + 1)
    return found


def _begins(words: Sequence[str], at: int, names: SceneNames) -> bool:
    if words[at] in DETERMINERS and at + 1 < len(words):
        return True
    if names.book is not None:
        return False
    after_verb = at > 0 and words[at - 1] in PICK_VERBS | PUT_VERBS and words[at] not in AFTER_VERB
    return after_verb or words[at] in COLOURS or bool(names.at(words, at))


def _mention(words: list[str], start: int, names: SceneNames) -> tuple[Mention | None, int]:
    """Read one noun phrase: modifiers, then the longest name, with a lexicon also a name after that."""
    at = start + (words[start] in DETERMINERS)
    first, modifiers, name = at, list[str](), ""
    while at < len(words) and not (name and names.book is None):
        candidate = names.at(words, at)
        if candidate:
            modifiers += name.split()
            name, at = candidate, at + len(candidate.split())
        elif name or words[at] in STOPS or words[at] in DETERMINERS:
            break
        else:
            modifiers.append(words[at])
            at += 1
    text = " ".join(words[start:at])
    before = preposition_before(words, start)
    negated = bool(NEGATIONS & set(words[max(0, start - 1) : first]))
    if name:
        nouns, entities = names.meant(name, modifiers)
        true = frozenset(word for e in entities for phrase in names.scene[e] for word in phrase.split()[:-1])
        if names.book is not None and names.book.singular(name) is None:
            modifiers += name.split()[:-1]
        span = (at - len(name.split()), at, tuple(sorted(entities)), names.plural(name))
        return Mention(text, name, *span, tuple(modifiers), before, negated, nouns, true), at
    if names.book is None or not modifiers:
        return None, (at if names.book is not None else start + 1)
    if GENERIC & set(modifiers):
        return Mention(" ".join(modifiers), "", at, at, generic=True), at
    return Mention(text, "", at, at, (), False, tuple(modifiers), before, negated), at


def referents(instruction: str, scene: Scene) -> dict[str, tuple[str, ...]]:
    """Return, for each name in the instruction, the things that it may mean."""
    return {mention.name: mention.entities for mention in mentions(instruction, SceneNames(scene))}


def noun_phrases(instruction: str, scene: Scene) -> list[NounPhrase]:
    """Return the noun phrases of an instruction in order; nouns that serve as anchors are inside their phrase."""
    words = tokens(instruction)
    at = {mention.start: mention for mention in mentions(words, SceneNames(scene))}
    found: list[NounPhrase] = []
    end = 0
    for start, head in at.items():
        if start < end:
            continue
        picked = _is_picked(words, start)
        relation, end = None, head.end
        if picked or _is_destination(words, start):
            relation, end = _RelationReader(words, at).read(head.end)
        found.append(NounPhrase(" ".join(words[start:end]), head, relation, picked))
    return found


def placement(instruction: str, scene: Scene) -> tuple[Mention, Mention] | None:
    """Return what an instruction wants put, and what onto or into; None where it says no such thing."""
    words = tokens(instruction)
    found = mentions(words, SceneNames(scene))
    for what, where in pairwise(found):
        verb = what.start - len(what.text.split()) + len(what.name.split()) - 1
        between = words[what.end : where.end - len(where.text.split())]
        if verb >= 0 and words[verb] in PUT_VERBS and RELATIONS.get(" ".join(between)) in ("on", "in"):
            return what, where
    return None


def _is_picked(words: list[str], start: int) -> bool:
    before = start - 1
    while before >= 0 and words[before] in AFTER_VERB:
        before -= 1
    return before >= 0 and words[before] in PICK_VERBS


def _is_destination(words: list[str], start: int) -> bool:
    """Whether ``it on the`` stands before the noun."""
    before = [word for word in words[max(0, start - 3) : start] if word not in AFTER_VERB]
    return len(before) >= 2 and before[-2] in (IT, "them") and before[-1] in ("on", "in", "into", "onto", "to")


class _RelationReader:
    """Reads a relation from a place among the words on."""

    def __init__(self, words: list[str], at: Mapping[int, Mention]) -> None:
        self._words = words
        # An anchor is found at its noun and at the first of its modifiers.
        self._at = {mention.start - len(mention.modifiers): mention for mention in at.values()} | dict(at)

    def read(self, start: int) -> tuple[Relation | None, int]:
        """Return the relation that begins at ``start`` and the place behind it, or None and ``start``."""
        for read in (self._direction, self._between, self._on_top, self._drawer, self._plain):
            relation, end = read(start)
            if relation is not None:
                return relation, end
        return None, start

    def _says(self, start: int, *words: str) -> bool:
        return self._words[start : start + len(words)] == list(words)

    def _anchor(self, start: int) -> tuple[Mention | str | None, int]:
        start += self._says(start, "the")
        if self._says(start, IT):
            return IT, start + 1
        mention = self._at.get(start)
        return (mention, mention.end) if mention is not None else (None, start)

    def _one(self, kind: Kind, start: int, layer: str = "") -> tuple[Relation | None, int]:
        anchor, end = self._anchor(start)
        return (None, start) if anchor is None else (Relation(kind, (anchor,), layer), end)

    def _direction(self, start: int) -> tuple[Relation | None, int]:
        said = ((kind, len(words)) for kind, words in _DIRECTIONS if self._says(start, *words))
        kind, size = next(said, (None, 0))
        return (None, start) if kind is None else self._one(kind, start + size)

    def _between(self, start: int) -> tuple[Relation | None, int]:
        if not self._says(start, "between"):
            return None, start
        first, end = self._anchor(start + 1)
        if first is None or not self._says(end, "and"):
            return None, start
        second, end = self._anchor(end + 1)
        return (None, start) if second is None else (Relation("between", (first, second)), end)

    def _on_top(self, start: int) -> tuple[Relation | None, int]:
        if self._words[start : start + 1] not in (["on"], ["at"]):
            return None, start
        top = start + 1 + self._says(start + 1, "the")
        return self._one("on", top + 2) if self._says(top, "top", "of") else (None, start)

    def _drawer(self, start: int) -> tuple[Relation | None, int]:
        """``in the top layer of the cabinet``, ``in the top drawer``."""
        if self._words[start : start + 1] not in (["on"], ["in"]):
            return None, start
        kind: Kind = "on" if self._says(start, "on") else "in"
        at = start + 1 + self._says(start + 1, "the")
        layer = DRAWERS.get(self._words[at]) if at + 1 < len(self._words) else None
        if layer is None or self._words[at + 1] not in ("layer", "drawer"):
            return None, start
        return self._one(kind, at + 3 if self._says(at + 2, "of") else at + 1, layer)

    def _plain(self, start: int) -> tuple[Relation | None, int]:
        if self._says(start, "on"):
            return self._one("on", start + 1)
        return self._one("in", start + 1) if self._says(start, "in") else (None, start)
