"""all-MiniLM-L6-v2 in NumPy: six BERT layers, the mean over tokens, unit length.

Sentence-BERT (Reimers and Gurevych 2019) as published: 32-bit weights, erf GELU, layer-norm epsilon 1e-12. Texts of one
length in tokens are encoded together, so no padding or mask is needed and a text's vector does not depend on the
others' lengths.
"""

from __future__ import annotations

import functools
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ._setup import MINILM, folder_of, require, require_intact
from ._tokens import encode, read_vocabulary

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
        """Return one unit vector [384] for each text."""
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
