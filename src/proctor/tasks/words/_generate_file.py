"""Paraphrases on disk: CSV (for tables and ``proctor pride``) or JSON lines, by the file's ending."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._errors import LanguageError
from ._generate import Paraphrase
from ._taxonomy import Cell

COLUMNS = (
    "task",
    "object_type",
    "action_type",
    "original_instruction",
    "new_instruction",
    "substitutions",
    "source",
)
_NEEDED = ("original_instruction", "new_instruction")


def write_paraphrases(paraphrases: Iterable[Paraphrase], path: Path) -> None:
    """Write a paraphrase file; the folder is made if it is missing."""
    rows = [_row(paraphrase) for paraphrase in paraphrases]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="", encoding="utf-8") as file:
            if path.suffix == ".jsonl":
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            else:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    except OSError as error:
        raise LanguageError(f"cannot write {path}: {error.strerror or error}") from None


def _row(paraphrase: Paraphrase) -> dict[str, str]:
    return {
        "task": paraphrase.task,
        "object_type": paraphrase.cell.object or "",
        "action_type": paraphrase.cell.action or "",
        "original_instruction": paraphrase.original,
        "new_instruction": paraphrase.text,
        "substitutions": json.dumps(dict(paraphrase.substitutions), ensure_ascii=False, sort_keys=True),
        "source": paraphrase.source,
    }


def read_paraphrases(path: Path) -> list[Paraphrase]:
    """Read a paraphrase file. Only the two texts are needed; LIBERO-Para's ``high`` and ``low`` are read too."""
    found = []
    for number, row in _rows(path):
        where = f"{path}:{number}"
        missing = [name for name in _NEEDED if not str(row.get(name) or "").strip()]
        if missing:
            raise LanguageError(f"{where}: the column {missing[0]!r} is missing or empty")
        substitutions = _json(str(row.get("substitutions") or "{}"), where)
        cell = _cell(row, where)
        texts = (str(row["original_instruction"]), str(row["new_instruction"]))
        source = str(row.get("source") or "file")
        found.append(Paraphrase(str(row.get("task") or ""), cell, *texts, substitutions, source))
    if not found:
        raise LanguageError(f"{path}: there is no paraphrase in this file")
    return found


def _rows(path: Path) -> Sequence[tuple[int, Mapping[str, Any]]]:
    try:
        if path.suffix == ".jsonl":
            lines = path.read_text(encoding="utf-8").splitlines()
            values = [(number, json.loads(line)) for number, line in enumerate(lines, start=1) if line.strip()]
            wrong = next((number for number, value in values if not isinstance(value, dict)), None)
            if wrong is not None:
                raise LanguageError(f"{path}:{wrong}: a line must be a JSON object")
            return values
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            return [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error, json.JSONDecodeError) as error:
        raise LanguageError(f"{path}: cannot be read as a paraphrase file: {error}") from None


def _json(text: str, where: str) -> dict[str, str]:
    try:
        values = json.loads(text)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise LanguageError(f"{where}: substitutions must be a JSON object, not {text[:40]!r}")
    return values


def _cell(row: Mapping[str, Any], where: str) -> Cell:
    high, low = str(row.get("high") or ""), str(row.get("low") or "")
    if high and low:
        first, _, second = low.partition("+")
        cells = {"act": Cell(None, low), "obj": Cell(low, None), "comp": Cell(first, second)}
        if high not in cells:
            raise LanguageError(f"{where}: high is {high!r}, not act, obj or comp")
        return cells[high]
    return Cell(str(row.get("object_type") or "") or None, str(row.get("action_type") or "") or None)
