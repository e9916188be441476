"""The W axis of VLA-Arena (section 2.2, appendix 8.1): W0 to W4, so many words replaced by a neighbour in WordNet.

A word may be replaced by one at path length at most 1: a synonym, a direct hypernym or a direct hyponym. Verbs come
from the hand-screened lexicon only, as in the paper; nouns from the WordNet of this machine where it has one, else from
the lexicon. What the paper leaves open is decided so: the sense of a noun is the lexicon's (``plate.n.04``, a dish, not
a base of baseball); a name that would fit two things of the scene is not used; an instruction with fewer than k words
to replace has all of them replaced, and its row says which.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ._errors import LanguageError
from ._grammar import parse_instruction
from ._lexicon import Lexicon, LexiconEntry, lexicon
from ._phrases import Scene, SceneNames
from ._verify import names_in
from ._wording import LEXICON_VERBS, RequestedAct, key, rename, surface, verb_choices, write
from ._wordnet import WordNet, installed_wordnet

LEVELS = ("W0", "W1", "W2", "W3", "W4")
Source = Literal["auto", "lexicon"]
TRIES_PER_VARIANT = 30


@dataclass(frozen=True, slots=True)
class Substitution:
    """One replaced word: by what, how the two are related, in which sense, and who says so."""

    word: str
    text: str
    relation: str
    sense: str
    source: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """An instruction with words replaced."""

    text: str
    substitutions: tuple[Substitution, ...]

    def described(self) -> dict[str, dict[str, str]]:
        """Return the substitutions as JSON values, by replaced word."""
        return {
            s.word: {"text": s.text, "relation": s.relation, "sense": s.sense, "source": s.source}
            for s in self.substitutions
        }


def substitute(
    instruction: str,
    level: str,
    *,
    scene: Scene | None = None,
    seed: int = 0,
    count: int = 32,
    source: Source = "auto",
    words: Lexicon | None = None,
) -> list[Substituted]:
    """Return up to ``count`` distinct variants of an instruction at ``level``, the same for the same seed."""
    if level not in LEVELS:
        raise LanguageError(f"unknown language level {level!r} (there are {', '.join(LEVELS)})")
    wanted = LEVELS.index(level)
    if wanted == 0:
        return [Substituted(instruction, ())]
    book = words or lexicon()
    slots = _slots(instruction, book, scene, installed_wordnet() if source == "auto" else None)
    if not slots:
        raise LanguageError(f"no word of {instruction!r} can be replaced: none is in the lexicon with another name")
    rng = random.Random(f"{seed}\x1f{level}\x1f{instruction}")
    found: dict[str, Substituted] = {}
    for _ in range(count * TRIES_PER_VARIANT):
        if len(found) >= count:
            break
        picked = rng.sample(sorted(slots), min(wanted, len(slots)))
        chosen = tuple(rng.choice(slots[word]) for word in sorted(picked))
        text = _written(instruction, chosen, book)
        found.setdefault(key(text), Substituted(text, chosen))
    return list(found.values())


def replaceable(instruction: str, *, scene: Scene | None = None, source: Source = "auto") -> int:
    """Return how many words of an instruction can be replaced."""
    return len(_slots(instruction, lexicon(), scene, installed_wordnet() if source == "auto" else None))


def _slots(
    instruction: str, book: Lexicon, scene: Scene | None, wordnet: WordNet | None
) -> dict[str, list[Substitution]]:
    """Return the words that can be replaced and by what."""
    command = parse_instruction(instruction, book)
    things = names_in(scene, command, book)
    slots: dict[str, list[Substitution]] = {}
    for act in surface(command, book):
        verb = f"{act.verb} {act.particle}".strip()
        slots.setdefault(verb, _verbs(act, book))
    for phrase in command.phrases():
        noun = phrase.noun.lower()
        if book.singular(noun) == noun:
            slots.setdefault(noun, _nouns(noun, book, things, wordnet))
    return {word: options for word, options in slots.items() if options}


def _verbs(act: RequestedAct, book: Lexicon) -> list[Substitution]:
    rows = {entry.text: entry for entry in book.of(LEXICON_VERBS[act.kind], "v", "synonym")}
    usable = [
        a for a in verb_choices(act, "same_polarity_habitual", book) if a.relation == act.relation and not a.after
    ]
    spelled = dict.fromkeys(f"{a.verb} {a.particle}".strip() for a in usable)
    word = f"{act.verb} {act.particle}".strip()
    return [_of_entry(word, rows[text]) for text in spelled]


def _of_entry(word: str, entry: LexiconEntry) -> Substitution:
    return Substitution(word, entry.text, entry.relation, entry.sense, entry.source)


def _nouns(noun: str, book: Lexicon, things: SceneNames, wordnet: WordNet | None) -> list[Substitution]:
    rows = book.of(noun, "n", "synonym", "hypernym", "hyponym")
    options = [_of_entry(noun, entry) for entry in rows]
    senses = [entry.sense for entry in book.of(noun, "n")]
    if wordnet is not None and senses and ".n." in senses[0] and not senses[0].startswith("own"):
        lemma, _, number = senses[0].rpartition(".n.")
        neighbours = wordnet.neighbours(lemma.replace("_", " "), int(number))
        listed = {option.text.lower() for option in options}
        options += [
            Substitution(noun, n.text, n.relation, n.sense, "WordNet")
            for n in neighbours
            if n.text.lower() not in listed
        ]
    return [option for option in options if _points(option, noun, book, things)]


def _points(option: Substitution, noun: str, book: Lexicon, things: SceneNames) -> bool:
    """Return whether the new name could mean only the thing that the noun means."""
    text = option.text.lower()
    own = {entity for entity, nouns in things.nouns.items() if noun in nouns}
    nouns = book.named_by(text) | ({text} if things.exact(text) else frozenset())
    meant = {entity for entity, called in things.nouns.items() if called & nouns}
    return meant <= own and text != noun


def _written(instruction: str, chosen: Sequence[Substitution], book: Lexicon) -> str:
    names = {s.word: s.text for s in chosen}
    command = rename(parse_instruction(instruction, book), names, book)
    acts = [_with_verb(act, names, book) for act in surface(command, book)]
    text = write(acts)
    return text[:1].upper() + text[1:] if instruction[:1].isupper() else text


def _with_verb(act: RequestedAct, names: Mapping[str, str], book: Lexicon) -> RequestedAct:
    other = names.get(f"{act.verb} {act.particle}".strip())
    if other is None:
        return act
    choices = verb_choices(act, "same_polarity_habitual", book)
    chosen = next(a for a in choices if f"{a.verb} {a.particle}".strip() == other and not a.after)
    return replace(act, verb=chosen.verb, particle=chosen.particle)
