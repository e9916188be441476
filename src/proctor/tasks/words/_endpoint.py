"""Paraphrases from a language model, in LIBERO-Para's four stages (appendix A.3), checked by our rules as well.

1. for each task and each single type, the generator writes candidates;
2. each candidate must pass our rules and the verifier;
3. for each compositional cell, verified object and action candidates are merged by the generator;
4. the merged text must pass both again.

Every answer is appended to a journal at once. The same call again reads the journal and asks only what is missing, so a
broken connection costs one answer. Our rules may refuse what the verifier accepts, never the other way round; what they
cannot decide (a name that the lexicon does not have) is left to the verifier.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from proctor.core import KeyedLines
from proctor.core.chat import Chat, ChatError

from ._errors import LanguageError
from ._generate import Paraphrase, SourceTask
from ._taxonomy import ACTION_TYPES, EXAMPLE_ORIGINAL, OBJECT_TYPES, Cell, ParaphraseType
from ._verify import Verifier
from ._wording import key

WRITER = (
    "You rewrite commands for a kitchen robot. You keep the meaning exactly: the same things, the same act, the same "
    "places. You answer with a JSON array of strings and nothing else."
)
JUDGE = (
    "You check rewritten commands for a kitchen robot. Answer with a JSON object "
    '{"valid": true or false, "reason": "..."} and nothing else. Valid means: fluent English, the same things, act and '
    "places as the original, and the kind of change that was asked for."
)
_TYPES = {("object", t.name): t for t in OBJECT_TYPES} | {("action", t.name): t for t in ACTION_TYPES}


class Answers:
    """Answers on disk, found again by what was asked."""

    def __init__(self, path: Path) -> None:
        self._lines = KeyedLines(path, fields=["answer"], skip_damaged=False)

    def answer(self, identity: Sequence[str], ask: Callable[[], Any]) -> Any:
        name = hashlib.sha256("\x1f".join(identity).encode()).hexdigest()[:24]
        if name not in self._lines.values:
            self._lines.keep({"id": name, "for": list(identity)[:4], "answer": ask()})
        return self._lines.values[name]["answer"]


def generate_with_endpoint(
    tasks: Sequence[SourceTask],
    cells: Sequence[Cell],
    writer: Chat,
    judge: Chat,
    journal: Path,
    *,
    per_task: int = 10,
    note: Callable[[str], None] = lambda text: None,
) -> list[Paraphrase]:
    """Return verified paraphrases of each task in each cell; see the module for the stages."""
    if any(cell.compound for cell in cells):
        raise LanguageError("--endpoint writes the 43 cells of the grid; compound cells come from the grammar only")
    stages = _Stages(writer, judge, Answers(journal), per_task)
    used = {key(task.instruction) for task in tasks}
    kept: list[Paraphrase] = []
    for task in tasks:
        verifiers = [Verifier(task.instruction, scene) for scene in (task.scene, *task.also)]
        for cell in cells:
            texts = stages.single(task, cell, verifiers) if None in (cell.object, cell.action) else []
            texts = texts or (stages.merged(task, cell, verifiers) if cell.object and cell.action else [])
            fresh = [text for text in dict.fromkeys(texts) if key(text) not in used][:per_task]
            used |= {key(text) for text in fresh}
            source = f"{writer.model} via endpoint"
            kept += [Paraphrase(task.task, cell, task.instruction, text, {}, source) for text in fresh]
            note(f"{task.task} {cell}: {len(fresh)} of {per_task}")
    return kept


class _Stages:
    def __init__(self, writer: Chat, judge: Chat, answers: Answers, per_task: int) -> None:
        self._writer, self._judge, self._answers, self._wanted = writer, judge, answers, per_task

    def single(self, task: SourceTask, cell: Cell, verifiers: Sequence[Verifier]) -> list[str]:
        """Stages 1 and 2 of one type."""
        kind = _TYPES[("object", cell.object)] if cell.object else _TYPES[("action", str(cell.action))]
        prompt = (
            f"Command: {task.instruction}\nKind of change ({kind.axis}, {kind.name}): {kind.definition}\n"
            f"Example: {EXAMPLE_ORIGINAL!r} becomes {kind.example!r}.\n"
            f"Change only the {kind.axis} wording. Write {2 * self._wanted} different versions."
        )
        candidates = self._write(["write", task.task, str(cell)], prompt)
        return [text for text in candidates if self._passes(text, task, [kind], verifiers)]

    def merged(self, task: SourceTask, cell: Cell, verifiers: Sequence[Verifier]) -> list[str]:
        """Stages 3 and 4 of a compositional cell."""
        objects = self.single(task, Cell(cell.object, None), verifiers)
        actions = self.single(task, Cell(None, cell.action), verifiers)
        kinds = [_TYPES[("object", str(cell.object))], _TYPES[("action", str(cell.action))]]
        found: list[str] = []
        for one, other in list(product(objects, actions))[: 2 * self._wanted]:
            if len(found) >= self._wanted:
                break
            prompt = (
                f"Command: {task.instruction}\nVersion with other names: {one}\nVersion with other action: {other}\n"
                "Write one version that has the names of the first and the action wording of the second."
            )
            for text in self._write(["merge", task.task, str(cell), one, other], prompt)[:1]:
                if self._passes(text, task, kinds, verifiers):
                    found.append(text)
        return found

    def _write(self, identity: list[str], prompt: str) -> list[str]:
        asked = [*identity, self._writer.url, self._writer.model, prompt]
        answer = self._answers.answer(asked, lambda: _ask(self._writer, WRITER, prompt))
        return read_list(str(answer))

    def _passes(
        self, text: str, task: SourceTask, kinds: Sequence[ParaphraseType], verifiers: Sequence[Verifier]
    ) -> bool:
        if any(verifier.check(text).reasons for verifier in verifiers):
            return False
        asked = "; ".join(f"{kind.axis} {kind.name}: {kind.definition}" for kind in kinds)
        prompt = f"Original: {task.instruction}\nKind of change: {asked}\nRewritten: {text}"
        identity = ["judge", task.task, text, asked, self._judge.url, self._judge.model]
        return read_judgement(str(self._answers.answer(identity, lambda: _ask(self._judge, JUDGE, prompt))))


def _ask(chat: Chat, system: str, prompt: str) -> str:
    return chat.ask([{"role": "system", "content": system}, {"role": "user", "content": prompt}]).text


def read_list(answer: str) -> list[str]:
    """Return the strings of a JSON array, also of one inside a code fence or after a preamble."""
    match = re.search(r"\[.*\]", answer, re.DOTALL)
    try:
        values = json.loads(match[0]) if match else None
    except ValueError:
        values = None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ChatError(f"the generator answered without a JSON array of strings: {answer[:60]!r}")
    return [" ".join(value.split()) for value in values if value.strip()]


def read_judgement(answer: str) -> bool:
    """Return whether the verifier said ``{"valid": true}``."""
    match = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        value = json.loads(match[0])["valid"] if match else None
    except (ValueError, KeyError, TypeError):
        value = None
    if not isinstance(value, bool):
        raise ChatError(f'the verifier answered without {{"valid": true or false}}: {answer[:60]!r}')
    return value
