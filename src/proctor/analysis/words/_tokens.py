"""WordPiece tokens of BERT's uncased vocabulary.

A text is cleaned (control characters dropped, white space made plain), accents and case are dropped, punctuation and
Chinese characters stand alone, and each word is cut greedily into the longest pieces of the vocabulary; continuing
pieces start with ``##``. A word that cannot be cut, or of more than 100 characters, is ``[UNK]`` (Devlin et al. 2019;
the constants are those of the published tokenizer).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

MAX_WORD = 100
MAX_TOKENS = 256
"""all-MiniLM-L6-v2 reads at most so many tokens, the two around the text included."""

_DROPPED = frozenset({"Cc", "Cf", "Co", "Cs"})
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def read_vocabulary(path: Path) -> dict[str, int]:
    """Return token: number of a ``vocab.txt`` with one token a line."""
    return {token: number for number, token in enumerate(path.read_text(encoding="utf-8").split("\n")) if token}


def words_of(text: str) -> list[str]:
    """Return the words of ``text`` as the tokenizer sees them, before they are cut into pieces."""
    cleaned = "".join(_clean(text))
    bare = "".join(c for c in unicodedata.normalize("NFD", cleaned) if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if _is_punctuation(c) else c for c in bare.lower()).split()


def _clean(text: str) -> Iterator[str]:
    for character in text:
        if character in "\t\n\r":
            yield " "
        elif character in "\0\ufffd" or unicodedata.category(character) in _DROPPED:
            continue
        elif character.isspace():
            yield " "
        elif any(low <= ord(character) <= high for low, high in _CHINESE):
            yield f" {character} "
        else:
            yield character


def _is_punctuation(character: str) -> bool:
    ascii_sign = character.isascii() and not character.isalnum() and not character.isspace()
    return ascii_sign or unicodedata.category(character)[0] == "P"


def pieces_of(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Cut ``word`` into the longest known pieces, from the left."""
    pieces: list[str] = []
    start = 0
    while start < len(word) <= MAX_WORD:
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else f"##{word[start:end]}"
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces or ["[UNK]"]


def encode(text: str, vocabulary: Mapping[str, int]) -> list[int]:
    """Return the numbers of ``[CLS]``, the pieces of ``text`` and ``[SEP]``, at most `MAX_TOKENS`."""
    pieces = [piece for word in words_of(text) for piece in pieces_of(word, vocabulary)]
    return [vocabulary[token] for token in ("[CLS]", *pieces[: MAX_TOKENS - 2], "[SEP]")]
