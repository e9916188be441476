"""all-MiniLM-L6-v2 in NumPy: six BERT layers, the mean over tokens, unit length.

Sentence-BERT (Reimers and Gurevych 2019) as published: 32-bit weights, erf GELU, layer-norm epsilon 1e-12. Texts of one
length in tokens are encoded together, so no padding or mask is needed and a text's vector does not depend on the
others' lengths.

Tokens are WordPiece's, of BERT's uncased vocabulary: a text is cleaned (control characters dropped, white space made
plain), accents and case are dropped, punctuation and Chinese characters stand alone, and each word is cut greedily into
the longest pieces of the vocabulary; continuing pieces start with ``##``. A word that cannot be cut, or of more than
100 characters, is ``[UNK]`` (Devlin et al. 2019; the constants are those of the published tokenizer).
"""

from __future__ import annotations

import functools
import json
import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ._setup import MINILM, folder_of, require, require_intact

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


Floats = NDArray[np.float32]
LAYERS, HEADS, WIDTH = 6, 12, 384
_EPSILON = 1e-12
_BATCH = 128


def read_safetensors(path: Path) -> dict[str, Floats]:
    """Return the 32-bit arrays of a ``.safetensors`` file: 8 bytes of header length, a JSON header, raw values."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    arrays: dict[str, Floats] = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = (start + offset for offset in entry["data_offsets"])
            arrays[name] = np.frombuffer(raw, np.float32, (end - begin) // 4, begin).reshape(entry["shape"])
    return arrays


class MiniLM:
    """The encoder. Use `minilm` for the one that belongs to the installed weights."""

    def __init__(self, weights: Mapping[str, Floats], vocabulary: Mapping[str, int]) -> None:
        self._weights = weights
        self._vocabulary = vocabulary

    def vectors(self, texts: Sequence[str]) -> Floats:
        result = np.zeros((len(texts), WIDTH), np.float32)
        groups: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
        for place, text in enumerate(texts):
            tokens = encode(text, self._vocabulary)
            groups[len(tokens)].append((place, tokens))
        for group in groups.values():
            for start in range(0, len(group), _BATCH):
                part = group[start : start + _BATCH]
                result[[place for place, _ in part]] = self._forward(np.array([tokens for _, tokens in part]))
        return result

    def _forward(self, tokens: NDArray[np.int64]) -> Floats:
        weights = self._weights
        x = weights["embeddings.word_embeddings.weight"][tokens]
        x = x + weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        x = x + weights["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            x = self._layer(x, f"encoder.layer.{layer}.")
        mean = x.mean(axis=1)
        unit: Floats = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    def _layer(self, x: Floats, name: str) -> Floats:
        from scipy.special import erf

        batch, length, _ = x.shape
        size = WIDTH // HEADS

        def heads(part: str) -> Floats:
            projected = self._linear(x, f"{name}attention.self.{part}").reshape(batch, length, HEADS, size)
            return projected.transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(size)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        context = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
        x = self._norm(x + self._linear(context, f"{name}attention.output.dense"), f"{name}attention.output.LayerNorm")
        inner = self._linear(x, f"{name}intermediate.dense")
        inner = (inner * 0.5 * (1 + erf(inner / math.sqrt(2)))).astype(np.float32)
        return self._norm(x + self._linear(inner, f"{name}output.dense"), f"{name}output.LayerNorm")

    def _linear(self, x: Floats, name: str) -> Floats:
        # Two dimensions: NumPy multiplies a stack of matrices thirty times slower than one.
        flat = x.reshape(-1, x.shape[-1]) @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _norm(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
        result: Floats = centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


@functools.cache
def minilm() -> MiniLM:
    """Load the installed weights, after comparing them with their pinned hash."""
    require(MINILM)
    require_intact(MINILM)
    folder = folder_of(MINILM) / "model"
    return MiniLM(read_safetensors(folder / "model.safetensors"), read_vocabulary(folder / "vocab.txt"))
