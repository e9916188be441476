"""What was said in an episode, beside what came of it: the row that paraphrase statistics need."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from proctor.core import did_you_mean

from .._episode import Episode
from .._store import RUN_FILE, read_episodes
from ._csv import FALSE, TRUE
from ._libero_para import cell_of, is_para_log, read_para_log
from ._trial import ImportFileError

ORIGINAL, PARAPHRASE = "original_instruction", "new_instruction"
CONTROLS = frozenset({"none", "wrong", "shuffled", "wrong_object", "antonym", "punctuation"})
"""Language variants whose text is no paraphrase of the task's own instruction."""


@dataclass(frozen=True, slots=True)
class InstructionRow:
    """One pair of texts. ``success`` is None where the file does not say, or the episode ended in an error.

    ``where`` names file and line for messages. ``object_type`` and ``action_type`` are the axes of the taxonomy, empty
    where a text varies nothing on that axis or the file does not say.
    """

    original: str
    paraphrase: str
    where: str
    success: bool | None = None
    task: str = ""
    object_type: str = ""
    action_type: str = ""
    policy: str = ""


def read_instructions(path: str | Path) -> list[InstructionRow]:
    """Read pairs of texts from a CSV file, a run folder, or LIBERO-Para's logs (a folder or one ``eval*.json``)."""
    source = Path(path)
    if not source.exists():
        raise ImportFileError(f"{source}: no such file or folder")
    if source.is_dir() and (source / RUN_FILE).exists():
        return [_of_episode(row, source) for row in read_episodes(source) if is_paraphrase(row)]
    if is_para_log(source):
        return [
            InstructionRow(e.original, e.paraphrase, e.where, e.success, e.task, e.object_type, e.action_type, e.policy)
            for e in read_para_log(source)
        ]
    if source.is_dir():
        raise ImportFileError(f"{source}: holds no run.json and no eval*.json of LIBERO-Para")
    return _read_csv(source)


def is_paraphrase(row: Episode) -> bool:
    """Say whether the episode's policy was told the task in other words (not: nothing, or another task)."""
    said = row.language
    return said.sent != said.instruction and said.variant not in CONTROLS and bool(said.sent)


def _of_episode(row: Episode, source: Path) -> InstructionRow:
    success = row.outcome.success if row.status == "completed" else None
    where = f"{source}: episode {row.episode_id}"
    return InstructionRow(
        row.language.instruction,
        row.language.sent,
        where,
        success,
        row.spec.task,
        row.language.object_type,
        row.language.action_type,
        row.policy.name,
    )


def _read_csv(file: Path) -> list[InstructionRow]:
    try:
        with file.open(newline="", encoding="utf-8-sig") as handle:
            reader = csv.DictReader(handle)
            header = list(reader.fieldnames or ())
            for column in (ORIGINAL, PARAPHRASE):
                if column not in header:
                    has = ", ".join(header) or "none"
                    raise ImportFileError(f"{file}: has no column {column!r}{did_you_mean(column, header)} (has {has})")
            rows = [_of_line(file, reader.line_num, line) for line in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ImportFileError(f"{file}: cannot be read as CSV: {error}") from None
    if not rows:
        raise ImportFileError(f"{file}: has no rows")
    return rows


def _of_line(file: Path, number: int, line: Mapping[str, str | None]) -> InstructionRow:
    def text(*names: str) -> str:
        return next((line[name] or "" for name in names if line.get(name)), "").strip()

    where = f"{file}:{number}"
    flag = text("success").casefold()
    if flag and flag not in TRUE | FALSE:
        raise ImportFileError(f"{where}: success is {flag!r}, not 0 or 1")
    if text("status") not in ("", "completed"):
        flag = ""
    object_type, action_type = text("object_type"), text("action_type")
    if text("high") and text("low"):
        object_type, action_type = cell_of(text("high"), text("low"), where)
    # The texts are taken as they are: white space inside a prompt was part of it.
    return InstructionRow(
        line[ORIGINAL] or "",
        line[PARAPHRASE] or "",
        where,
        flag in TRUE if flag else None,
        text("task", "eval") or text(ORIGINAL),
        object_type,
        action_type,
        text("policy"),
    )
