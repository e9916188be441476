"""From an instruction to one of the tasks that a policy was trained on, in ways that are known to be weak."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.words import minilm
from proctor.core import ProctorError
from proctor.tasks.cbddl import Expr
from proctor.tasks.words import LanguageError, content_words

Vectors = Callable[[Sequence[str]], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ReferentCandidate:
    """A task of the suite: what it is told by, and what it wants."""

    task: str
    instruction: str
    goal: Expr


class Grounding(Protocol):
    """Chooses a task for an instruction."""

    def choose(self, instruction: str, candidates: Sequence[ReferentCandidate]) -> ReferentCandidate | None:
        """Return the task that the instruction means, or None if it means nothing to the policy."""
        ...


class KeywordGrounding:
    """Knows a task by its keywords: all words of its instruction but articles and the like, each in exactly that form.

    Of the tasks whose keywords all occur, the one with most of them; none if there is no such task.
    """

    def choose(self, instruction: str, candidates: Sequence[ReferentCandidate]) -> ReferentCandidate | None:
        said = keywords(instruction)
        fitting = [c for c in candidates if keywords(c.instruction) <= said and keywords(c.instruction)]
        return max(fitting, key=lambda c: len(keywords(c.instruction)), default=None)


class NearestGrounding:
    """Takes the task whose instruction is nearest by cosine of ``vectors``; it finds one unless the text is empty."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._known: dict[tuple[str, ...], NDArray[Any]] = {}

    def choose(self, instruction: str, candidates: Sequence[ReferentCandidate]) -> ReferentCandidate | None:
        return self.choose_all([instruction], candidates)[0]

    def choose_all(
        self, instructions: Sequence[str], candidates: Sequence[ReferentCandidate]
    ) -> list[ReferentCandidate | None]:
        """Return the choice for each instruction; the vectors are made together, which is faster."""
        if not candidates:
            return [None] * len(instructions)
        texts = tuple(candidate.instruction.lower() for candidate in candidates)
        if texts not in self._known:
            self._known[texts] = _unit(self._vectors(texts))
        nearness = _unit(self._vectors([text.lower() for text in instructions])) @ self._known[texts].T
        nearest = np.argmax(nearness, axis=1)
        return [candidates[int(n)] if text.strip() else None for text, n in zip(instructions, nearest, strict=True)]


def keywords(instruction: str) -> frozenset[str]:
    """Return the words that `KeywordGrounding` needs to hear."""
    return frozenset(content_words(instruction))


def _unit(vectors: NDArray[Any]) -> NDArray[Any]:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[Any] = vectors / np.where(length > 0, length, 1.0)
    return unit


def trigram_vectors(texts: Sequence[str]) -> NDArray[Any]:
    """Return counts of letter triples, hashed to 512 places: an embedding of spelling that needs no weights."""
    result = np.zeros((len(texts), 512))
    for row, text in enumerate(texts):
        padded = f"  {text.lower()}  "
        for at in range(len(padded) - 2):
            result[row, zlib.crc32(padded[at : at + 3].encode()) % 512] += 1
    return result


def vectors_named(name: str) -> Vectors:
    """Return an embedding by name: ``minilm`` (sentence vectors of all-MiniLM-L6-v2) or ``trigrams``."""
    if name == "trigrams":
        return trigram_vectors
    if name == "minilm":
        try:
            model = minilm()
        except LanguageError as error:
            raise ProctorError(f"embedding 'minilm': {error}") from None
        return model.vectors
    raise ProctorError(f"unknown embedding {name!r}: there are minilm and trigrams")
