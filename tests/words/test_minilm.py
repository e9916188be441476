"""The encoder and its tokens against published numbers and against what must not matter."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from proctor.analysis.words import (
    MAX_TOKENS,
    MINILM,
    encode,
    folder_of,
    minilm,
    pieces_of,
    read_safetensors,
    read_vocabulary,
    words_of,
)


@pytest.fixture(scope="module")
def vocabulary() -> dict[str, int]:
    return read_vocabulary(folder_of(MINILM) / "model" / "vocab.txt")


# Numbers of BERT's uncased vocabulary, as the published tokenizer gives them.
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [101, 102]),
        ("Open the drawer!", [101, 2330, 1996, 13065, 999, 102]),
        ("Ŷд", [101, 1061, 29742, 102]),
        ("Á°÷“", [101, 1037, 7737, 29669, 1523, 102]),
    ],
)
def test_tokens(text: str, numbers: list[int], vocabulary: dict[str, int]) -> None:
    assert encode(text, vocabulary) == numbers


def test_words_are_cleaned() -> None:
    assert words_of("Öffne\tdie\nSchublade") == ["offne", "die", "schublade"]
    assert words_of("a\u200bb\x00c\ufffd d") == ["abc", "d"]
    assert words_of("中文 x-y") == ["中", "文", "x", "-", "y"]


def test_pieces(vocabulary: dict[str, int]) -> None:
    assert pieces_of("embeddings", vocabulary) == ["em", "##bed", "##ding", "##s"]
    assert pieces_of("a" * 101, vocabulary) == ["[UNK]"]
    assert pieces_of("\U0001f3b8", vocabulary) == ["[UNK]"]
    assert len(pieces_of("a" * 100, vocabulary)) > 1
    assert len(encode("put " * 10_000, vocabulary)) == MAX_TOKENS


def test_words_of_the_paper_have_the_measured_cosines() -> None:
    pairs = {
        ("put", "place"): 0.391,
        ("stove", "cooktop"): 0.638,
        ("stove", "range"): 0.315,
        ("push", "pull"): 0.671,
        ("top", "bottom"): 0.691,
        ("open", "close"): 0.596,
        ("bowl", "vessel"): 0.235,
    }
    words = sorted({word for pair in pairs for word in pair})
    vectors = dict(zip(words, minilm().vectors(words), strict=True))
    for (a, b), cosine in pairs.items():
        assert float(vectors[a] @ vectors[b]) == pytest.approx(cosine, abs=6e-4), (a, b)


def test_vectors_have_length_one_and_do_not_depend_on_their_company() -> None:
    texts = ["bowl", "wine bottle", "put the cream cheese in the bowl", "bowl"]
    together = minilm().vectors(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.array_equal(together[0], together[3])
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(minilm().vectors([text])[0], vector, atol=2e-6)


def test_safetensors_are_read_back(tmp_path: Path) -> None:
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    header = {
        "__metadata__": {"format": "pt"},
        "ids": {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]},
        "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "x.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text + values.tobytes() + bytes(8))
    arrays = read_safetensors(path)
    assert list(arrays) == ["w"]
    assert np.array_equal(arrays["w"], values)
