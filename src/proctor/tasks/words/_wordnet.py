"""Reads WordNet's own database files (``index.noun``, ``data.noun``, ...), where they are installed.

The format is that of wndb(5WN): an index line gives a lemma's synsets by byte offset in order of frequency; a data line
gives a synset's words and pointers (``@`` hypernym, ``~`` hyponym). Looked for in ``$WNSEARCHDIR``, in Debian's
``/usr/share/wordnet`` and in NLTK's data folders. Nothing is downloaded.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

_LOG = logging.getLogger(__name__)

Relation = Literal["synonym", "hypernym", "hyponym"]
_PLACES = (
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/share/nltk_data/corpora/wordnet",
    "/usr/local/share/nltk_data/corpora/wordnet",
    "~/nltk_data/corpora/wordnet",
)
_POINTERS: dict[str, Relation] = {"@": "hypernym", "~": "hyponym"}
# Lexicographer files of things that lie on a table: artifact, food, object, plant, substance, shape.
TANGIBLE = frozenset({6, 13, 17, 20, 25, 27})


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A word at path length 0 (same synset) or 1 from a sense of another."""

    text: str
    relation: Relation
    sense: str


@dataclass(frozen=True, slots=True)
class _Synset:
    lexfile: int
    words: tuple[str, ...]
    pointers: tuple[tuple[Relation, int], ...]


class WordNet:
    """The nouns of one installed WordNet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._index = (folder / "index.noun").read_bytes()
        self._data = (folder / "data.noun").read_bytes()

    def senses(self, noun: str) -> tuple[int, ...]:
        """Return the byte offsets of a noun's synsets, most frequent first; none if WordNet does not know it."""
        at = self._index.find(b"\n" + noun.replace(" ", "_").lower().encode() + b" ")
        if at < 0:
            return ()
        fields = self._index[at + 1 : self._index.index(b"\n", at + 1)].split()
        return tuple(int(offset) for offset in fields[-int(fields[2]) :])

    def neighbours(self, noun: str, sense: int | None = None) -> list[Neighbour]:
        """Return the words one step from ``noun``: synonyms, direct hypernyms, direct hyponyms.

        ``sense`` counts from 1 as WordNet does; without it, the first sense that is a tangible thing is meant.
        """
        offsets = self.senses(noun)
        numbered = [(number, self._synset(offset)) for number, offset in enumerate(offsets, start=1)]
        if sense is None:
            chosen = next((pair for pair in numbered if pair[1].lexfile in TANGIBLE), None)
        else:
            chosen = next((pair for pair in numbered if pair[0] == sense), None)
        if chosen is None:
            return []
        number, synset = chosen
        name = f"{noun.replace(' ', '_')}.n.{number:02d}"
        found = [Neighbour(word, "synonym", name) for word in synset.words if word.lower() != noun.lower()]
        for relation, offset in synset.pointers:
            found += [Neighbour(word, relation, name) for word in self._synset(offset).words]
        return found

    def _synset(self, offset: int) -> _Synset:
        line = self._data[offset : self._data.index(b"\n", offset)].decode("latin-1")
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        words = tuple(fields[4 + 2 * i].replace("_", " ") for i in range(count))
        start = 5 + 2 * count
        pointers = []
        for i in range(int(fields[4 + 2 * count])):
            symbol, target, pos, _ = fields[start + 4 * i : start + 4 * i + 4]
            if symbol in _POINTERS and pos == "n":
                pointers.append((_POINTERS[symbol], int(target)))
        return _Synset(int(fields[1]), words, tuple(pointers))


@lru_cache(maxsize=1)
def installed_wordnet() -> WordNet | None:
    """Return the WordNet of this machine, None where there is none."""
    named = os.environ.get("WNSEARCHDIR")
    for place in ([named] if named else []) + list(_PLACES):
        folder = Path(place).expanduser()
        if (folder / "index.noun").is_file() and (folder / "data.noun").is_file():
            _LOG.info("WordNet of %s", folder)
            return WordNet(folder)
    _LOG.info("no WordNet on this machine: words come from the lexicon")
    return None
