"""Writes paraphrases offline, cell by cell, from the grammar and the lexicon: same seed, same texts.

The four stages of LIBERO-Para (appendix A.3) with our own writer: each axis is written and verified alone, the two are
merged, and the merged text is verified again. Nothing that the verifier refuses is kept; no text is in two cells, none
equals an original (words compared, case and punctuation aside).
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ._errors import LanguageError
from ._grammar import parse_instruction
from ._lexicon import Lexicon, lexicon
from ._phrases import Scene
from ._taxonomy import Cell
from ._verify import Verifier
from ._wording import Wording, echoes, key, noun_choices, rename, say, styled, wordings

MAX_TRIED = 4000


@dataclass(frozen=True, slots=True)
class SourceTask:
    """A task to paraphrase. ``scene`` maps each of its entities to the phrases it may be called by.

    ``also`` holds the scenes of other tasks with the same instruction: a text must be right in all of them.
    """

    task: str
    instruction: str
    scene: Scene | None = None
    also: tuple[Scene, ...] = ()


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """One text of a cell. ``substitutions`` tell what was changed: words, verbs, the sentence pattern."""

    task: str
    cell: Cell
    original: str
    text: str
    substitutions: Mapping[str, str] = field(default_factory=dict)
    source: str = "grammar"


def generate(
    tasks: Sequence[SourceTask],
    cells: Sequence[Cell],
    *,
    per_task: int = 10,
    seed: int = 0,
    words: Lexicon | None = None,
) -> list[Paraphrase]:
    """Return up to ``per_task`` paraphrases of each task in each cell.

    Where a task has fewer, others of the cell make up for it as far as they can, up to twice their share.
    """
    if per_task < 1:
        raise LanguageError(f"--per-task is {per_task}: it must be at least 1")
    if not tasks:
        raise LanguageError("there is no task to paraphrase")
    book = words or lexicon()
    writers = [_Writer(task, seed, book) for task in tasks]
    used = {key(task.instruction) for task in tasks}
    kept: list[Paraphrase] = []
    for cell in cells:
        streams = [_Stream(writer, cell) for writer in writers]
        for limit in (per_task, 2 * per_task):
            for stream in streams:
                while stream.taken < limit and (limit == per_task or _taken(streams) < per_task * len(tasks)):
                    found = stream.take(used)
                    if found is None:
                        break
                    kept.append(found)
    return kept


def _taken(streams: Sequence[_Stream]) -> int:
    return sum(stream.taken for stream in streams)


class _Writer:
    """One task: its command, its verifier and the renamings that passed, which all cells share."""

    def __init__(self, task: SourceTask, seed: int, book: Lexicon) -> None:
        self.task, self.seed, self.book = task, seed, book
        self.command = parse_instruction(task.instruction, book)
        self._verifiers = [Verifier(task.instruction, scene, book) for scene in (task.scene, *task.also)]
        self._names: dict[str, list[dict[str, str]]] = {}
        fault = next((verifier.fault for verifier in self._verifiers if verifier.fault), "")
        if fault:
            raise LanguageError(f"{task.task}: {fault}, so nothing written for it could be verified; correct the task")

    def names(self, kind: str) -> list[dict[str, str]]:
        """Return the renamings of an object type that the verifier accepts on their own (stages 1 and 2)."""
        if kind not in self._names:
            choices = noun_choices(self.command, kind, self.book, self.task.scene)
            self._names[kind] = [names for names in choices if self._fits(names)]
        return self._names[kind]

    def _fits(self, names: Mapping[str, str]) -> bool:
        return self.accepts(str(rename(self.command, names, self.book)))

    def accepts(self, text: str) -> bool:
        """Return whether the verifier accepts a text in every scene of the task."""
        return all(verifier.check(text).accepted for verifier in self._verifiers)

    def write(self, names: Mapping[str, str], wording: Wording, actions: Sequence[str]) -> str:
        """Return the text of one choice on each axis."""
        renamed = rename(self.command, names, self.book)
        return styled(say(renamed, wording, self.book), self.task.instruction, actions)


class _Stream:
    """The candidates of one task in one cell, best spread first."""

    def __init__(self, writer: _Writer, cell: Cell) -> None:
        self._writer, self._cell = writer, cell
        self._candidates = self._spread()
        self.taken = 0

    def take(self, used: set[str]) -> Paraphrase | None:
        """Return the next verified text that is not in ``used``, and note it there (stages 3 and 4)."""
        writer = self._writer
        for names, wording in self._candidates:
            text = writer.write(names, wording, self._cell.actions)
            if key(text) in used or echoes(text, writer.task.instruction) or not writer.accepts(text):
                continue
            used.add(key(text))
            self.taken += 1
            task = writer.task
            return Paraphrase(task.task, self._cell, task.instruction, text, {**names, **wording.said})
        return None

    def _spread(self) -> Iterator[tuple[dict[str, str], Wording]]:
        """Walk through names × wordings so that both change at every step."""
        writer, rng = self._writer, _rng(self._writer.seed, self._writer.task.task, self._cell)
        names = [{}] if self._cell.object is None else list(writer.names(self._cell.object))
        said = wordings(writer.command, self._cell.actions, writer.book)
        if not names or not said:
            return
        rng.shuffle(names)
        rng.shuffle(said)
        period = math.lcm(len(names), len(said))
        for step in range(min(len(names) * len(said), MAX_TRIED)):
            yield names[step % len(names)], said[(step + step // period) % len(said)]


def _rng(seed: int, task: str, cell: Cell) -> random.Random:
    digest = hashlib.sha256(f"{seed}\x1f{task}\x1f{cell}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))
