"""The hand-screened lexicon: every noun and verb of our suites, and what else they may be called.

``lexicon.tsv`` has one row per word and alternative: word, part of speech (n, v, a), text, relation, sense, source. The
sense is WordNet's where WordNet has the word (``bowl.n.01``), else ``own.…``; the source says whether WordNet 3.0
itself has the row or a person added it. Relations:

- ``synonym``: a name that a dictionary gives for the same sort of thing or act,
- ``hypernym``, ``hyponym``: one step up or down in WordNet,
- ``context``: a name that fits because of the scene (use, shape, content),
- ``attribute``: the word with something true added,
- ``kind``: a broader name, only read so that an ambiguous one is noticed,
- ``antonym``: what must not be said instead (for verbs the opposite act, for adjectives the other values),
- ``plural``: the plural of the word.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ._errors import LanguageError
from ._words import DOUBLED, IRREGULAR

FILE = Path(__file__).with_name("lexicon.tsv")
RELATIONS = ("synonym", "hypernym", "hyponym", "context", "attribute", "kind", "antonym", "plural")
NAMING = frozenset({"synonym", "hypernym", "context", "attribute", "kind", "plural"})


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """One row: ``word`` in ``sense`` may be said as ``text``."""

    word: str
    pos: str
    text: str
    relation: str
    sense: str
    source: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The rows, and the look-ups that parsing, writing and checking need."""

    entries: tuple[LexiconEntry, ...]
    _named: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)
    _rows: dict[tuple[str, str], list[LexiconEntry]] = field(default_factory=dict, compare=False)
    _singular: dict[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        named: dict[str, set[str]] = {}
        for entry in self.entries:
            self._rows.setdefault((entry.word, entry.pos), []).append(entry)
            if entry.pos == "n":
                named.setdefault(entry.word, set()).add(entry.word)
                if entry.relation in NAMING:
                    named.setdefault(entry.text.lower(), set()).add(entry.word)
                if entry.relation == "plural":
                    self._singular.setdefault(entry.text, entry.word)
        self._named.update({text: frozenset(words) for text, words in named.items()})
        self._singular.update({word: word for word, pos in self._rows if pos == "n"})

    def of(self, word: str, pos: str, *relations: str) -> tuple[LexiconEntry, ...]:
        """Return the rows of a word, only those of ``relations`` if given."""
        found = self._rows.get((word, pos), [])
        return tuple(entry for entry in found if not relations or entry.relation in relations)

    def words(self, pos: str) -> tuple[str, ...]:
        """Return the words of a part of speech, in order."""
        return tuple(dict.fromkeys(entry.word for entry in self.entries if entry.pos == pos))

    def named_by(self, text: str) -> frozenset[str]:
        """Return the nouns that ``text`` may name: itself, what it is another name for, what it is a kind of."""
        return self._named.get(text.lower(), frozenset())

    def names(self) -> Iterable[str]:
        """Return every text that may name a noun, in lower case."""
        return self._named.keys()

    def singular(self, text: str) -> str | None:
        """Return the noun that ``text`` is, or is the plural of; None if it is neither."""
        return self._singular.get(text)


def read_lexicon(path: Path) -> Lexicon:
    """Read a lexicon file; a wrong row is reported with its line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LanguageError(f"{path}: the lexicon cannot be read: {error}") from None
    reader = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    header = next(reader, None)
    if header != ["word", "pos", "text", "relation", "sense", "source"]:
        raise LanguageError(f"{path}:1: the columns must be word, pos, text, relation, sense, source")
    entries = []
    for number, row in enumerate(reader, start=2):
        if len(row) != 6 or not all(cell.strip() for cell in row):
            raise LanguageError(f"{path}:{number}: a row needs 6 filled columns, separated by tabs")
        if row[1] not in ("n", "v", "a") or row[3] not in RELATIONS:
            raise LanguageError(f"{path}:{number}: unknown part of speech {row[1]!r} or relation {row[3]!r}")
        entries.append(LexiconEntry(*row))
    return Lexicon(tuple(entries))


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    return read_lexicon(FILE)


def inflect(verb: str) -> tuple[str, str]:
    """Return past participle and gerund of a verb; of a phrasal one (``pull open``) its first word is inflected."""
    head, _, rest = verb.partition(" ")
    if head in IRREGULAR:
        past, gerund = IRREGULAR[head].split()
    elif head in DOUBLED:
        past, gerund = f"{head}{head[-1]}ed", f"{head}{head[-1]}ing"
    elif head.endswith("e") and not head.endswith("ee"):
        past, gerund = f"{head}d", f"{head[:-1]}ing"
    else:
        past, gerund = f"{head}ed", f"{head}ing"
    tail = f" {rest}" if rest else ""
    return past + tail, gerund + tail
