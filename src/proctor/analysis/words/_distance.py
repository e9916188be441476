"""How far a paraphrase is from its original: S_K, S_T and the paraphrase distance PD (LIBERO-Para, section 4).

    S_K = mean over the original's content words of the largest cosine to a content word of the paraphrase   (eq. 1)
    S_T = 1 - TED / (|T_O| + |T_P|), TED the edit distance of the dependency trees                           (eq. 2)
    PD  = 1 - (alpha S_K + (1 - alpha) S_T)                                                                  (eq. 3)

``mode="paper"`` is the published program, number for number: only the first sentence of a text has a tree, and words
are compared from the original to the paraphrase only. ``mode="corrected"`` puts the trees of all sentences side by
side (edit distance of forests), reads runs of white space as one blank and holds S_K to at most 1. In both modes what
the paraphrase adds is reported apart and does not enter PD: ``s_k_reverse`` is eq. 1 with the sides exchanged, and
``added`` are the paraphrase's content words that no word of the original chose as its nearest.

The text is lower-cased first. Content words are the lemmas of nouns, proper nouns, verbs, adjectives and adverbs; stop
words are kept ("put" decides a task). A tree's node is (dependency, part of speech) of a token, punctuation included;
children are sorted by that label, so the order of siblings does not count.

Scores are kept in one SQLite file in ``$PROCTOR_CACHE`` or ``~/.cache/proctor``, so that a second look costs nothing. A
key is a hash over the versions and file hashes of the pinned packages, our own version of the rule, the mode and both
texts: what would change a score changes its key. A cache that cannot be read or written is left aside.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from proctor.tasks.words import LanguageError

from ._pride_checks import notes_on, require_text
from ._setup import PARSER, SPACY, fingerprint, parser_folder, require, require_intact
from ._trees import Tree, edit_distance, forest_distance

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """A parsed text. ``trees`` has one tree for each sentence; ``words`` are lemmas, repeated ones kept."""

    words: tuple[str, ...]
    trees: tuple[Tree, ...]


@functools.cache
def _pipeline() -> Any:
    require(SPACY, PARSER)
    require_intact(PARSER)
    import spacy

    return spacy.load(parser_folder(), exclude=["ner", "senter"])


def analyse(texts: Sequence[str]) -> list[Analysis]:
    """Parse ``texts``, each exactly as given but for its case."""
    return [_analysis(document) for document in _pipeline().pipe(text.lower() for text in texts)]


def _analysis(document: Any) -> Analysis:
    words = tuple(token.lemma_ for token in document if token.pos_ in CONTENT)
    return Analysis(words, tuple(_tree(token) for token in document if token.dep_ == "ROOT"))


def _tree(token: Any) -> Tree:
    label = (token.dep_, token.pos_)
    children = sorted(token.children, key=lambda child: (child.dep_, child.pos_))
    return Tree.node(label, (_tree(child) for child in children))


RULE = 1
"""Raised whenever a change of our code changes a score."""

_AT_ONCE = 500


def cache_file() -> Path:
    """Return where the scores are kept."""
    base = os.environ.get("PROCTOR_CACHE")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "proctor"
    return root / "language" / "pride.sqlite"


def key_of(mode: str, original: str, paraphrase: str) -> str:
    """Return the key of a pair of texts under ``mode``."""
    parts = [RULE, fingerprint(), mode, original, paraphrase]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    path = cache_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=10)
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
        )
        yield connection
        connection.commit()
    finally:
        connection.close()


def recall(keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    wanted = list(keys)
    found: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(OSError, sqlite3.Error, ValueError), _opened() as connection:
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            for key, value in connection.execute(f"SELECT key, value FROM scores WHERE key IN ({marks})", part):
                found[key] = json.loads(value)
    return found


def remember(scores: Mapping[str, Mapping[str, Any]]) -> None:
    rows = [(key, json.dumps(value)) for key, value in scores.items()]
    with contextlib.suppress(OSError, sqlite3.Error), _opened() as connection:
        connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)


Mode = Literal["corrected", "paper"]
MODES: tuple[str, ...] = get_args(Mode)
ALPHA = 0.5
Vectors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Similarities of one pair of texts. ``notes`` are keys of `NOTES` that apply to the paraphrase."""

    s_k: float
    s_t: float
    s_k_reverse: float
    added: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def pd(self, alpha: float = ALPHA) -> float:
        """Return the paraphrase distance for the weight ``alpha`` of S_K."""
        return 1.0 - (alpha * self.s_k + (1.0 - alpha) * self.s_t)


def require_alpha(alpha: float) -> None:
    """Raise unless ``alpha`` is a weight."""
    if not 0.0 <= alpha <= 1.0:
        raise LanguageError(f"alpha is {alpha:g}: it must be from 0 (structure only) to 1 (keywords only)")


def score_pairs(
    pairs: Sequence[tuple[str, str]], *, mode: Mode = "corrected", cache: bool = True, where: Sequence[str] = ()
) -> list[PairScore]:
    """Score (original, paraphrase) pairs, in their order. ``where`` names each pair in errors, e.g. ``file:line``.

    With ``cache`` the scores are looked up and kept on disk (see ``_pride_cache``).
    """
    if mode not in MODES:
        raise LanguageError(f"unknown mode {mode!r}: know {', '.join(MODES)}")
    require()
    for number, (original, paraphrase) in enumerate(pairs):
        place = where[number] if where else f"pair {number + 1}"
        require_text(original, f"{place}: the original")
        require_text(paraphrase, f"{place}: the paraphrase")
    distinct = list(dict.fromkeys(pairs))
    keys = {pair: key_of(mode, *pair) for pair in distinct} if cache else {}
    known = recall(keys.values()) if cache else {}
    scores = {pair: _from_cache(known[key]) for pair, key in keys.items() if key in known}
    fresh = _score([pair for pair in distinct if pair not in scores], mode)
    if cache and fresh:
        remember({keys[pair]: asdict(score) for pair, score in fresh.items()})
    scores |= fresh
    return [scores[pair] for pair in pairs]


def _from_cache(values: Mapping[str, object]) -> PairScore:
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return PairScore(**{**values, **lists})  # type: ignore[arg-type]


def _score(pairs: Sequence[tuple[str, str]], mode: Mode) -> dict[tuple[str, str], PairScore]:
    if not pairs:
        return {}
    from ._minilm import minilm

    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    read = analyse(texts if mode == "paper" else [" ".join(text.split()) for text in texts])
    parsed = dict(zip(texts, read, strict=True))
    words = sorted({word for analysis in read for word in analysis.words})
    vectors = dict(zip(words, minilm().vectors(words), strict=True))
    return {(a, b): _pair(parsed[a], parsed[b], vectors, mode, notes_on(b)) for a, b in pairs}


def _pair(original: Analysis, paraphrase: Analysis, vectors: Vectors, mode: Mode, notes: tuple[str, ...]) -> PairScore:
    s_k, reverse, added = _keywords(original.words, paraphrase.words, vectors)
    if mode == "corrected":
        s_k, reverse = min(s_k, 1.0), min(reverse, 1.0)
    return PairScore(s_k, _structure(original, paraphrase, mode), reverse, added, notes)


def _keywords(
    original: Sequence[str], paraphrase: Sequence[str], vectors: Vectors
) -> tuple[float, float, tuple[str, ...]]:
    """Return S_K, S_K with the sides exchanged, and the words that were added. A side without content words gives 0."""
    if not original or not paraphrase:
        return 0.0, 0.0, tuple(paraphrase)
    cosines = np.stack([vectors[word] for word in original]) @ np.stack([vectors[word] for word in paraphrase]).T
    chosen = {paraphrase[place] for place in cosines.argmax(axis=1)}
    added = tuple(dict.fromkeys(word for word in paraphrase if word not in chosen and word not in original))
    return float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean()), added


def _structure(original: Analysis, paraphrase: Analysis, mode: Mode) -> float:
    a, b = original.trees, paraphrase.trees
    if mode == "paper":
        a, b = a[:1], b[:1]
    distance = edit_distance(a[0], b[0]) if len(a) == len(b) == 1 else forest_distance(a, b)
    return 1.0 - distance / (sum(map(len, a)) + sum(map(len, b)))
