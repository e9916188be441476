"""A run folder: what was asked, and every answer as it came.

``run.json`` says what the run is; ``answers.jsonl`` has one line per answer, appended and synced as soon as it came: a
process killed at any instant leaves at most one torn line, which is skipped. The same command
again asks only what has no answer yet. Nothing is ever rewritten: where a question was asked again after an error, the
later line counts.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proctor.core import ProctorError

from .._judge import ANSWERED

RUN, ANSWERS, EXECUTIONS = "run.json", "answers.jsonl", "executions.jsonl"


class LedgerError(ProctorError):
    """A run folder that cannot be used."""


class Journal:
    """A file of JSON lines with an ``id`` each; the last line of an id counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.lines: dict[str, dict[str, Any]] = {line["id"]: line for line in _read(path)}

    def keep(self, line: Mapping[str, Any]) -> None:
        """Append a line; it is on disk when this returns. Threads may call it at once."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        raw = text.encode("utf-8", "backslashreplace")
        with self._lock:
            try:
                file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
                try:
                    size = os.fstat(file).st_size
                    if size and os.pread(file, 1, size - 1) != b"\n":
                        # End the line that a killed process tore.
                        raw = b"\n" + raw
                    written = 0
                    while written < len(raw):
                        written += os.write(file, raw[written:])
                    os.fsync(file)
                finally:
                    os.close(file)
            except OSError as error:
                raise LedgerError(
                    f"{self._path}: cannot be written: {error.strerror or error}; what is there is kept: make room and "
                    "run the same command again"
                ) from None
            self.lines[str(line["id"])] = dict(line)


class Ledger:
    """The folder of one run; ``settings`` are what decides its questions and answers."""

    def __init__(self, folder: Path, settings: Mapping[str, Any], facts: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._agree(folder / RUN, settings, facts or {})
            self.answers = Journal(folder / ANSWERS)
            self.executions = Journal(folder / EXECUTIONS)
        except OSError as error:
            raise LedgerError(f"--out {folder}: cannot be used: {error.strerror or error}") from None

    @staticmethod
    def _agree(path: Path, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        plain = json.loads(json.dumps(settings))
        if path.exists():
            try:
                known = json.loads(path.read_text(encoding="utf-8"))["settings"]
            except (ValueError, KeyError, TypeError):
                raise LedgerError(f"{path}: not a run of 'proctor plan-eval'; choose another --out") from None
            different = sorted(key for key in {*known, *plain} if known.get(key) != plain.get(key))
            if not different:
                return
            if next(_read(path.with_name(ANSWERS)), None) is not None:
                was = ", ".join(f"{key} {known.get(key)!r}" for key in different[:3])
                raise LedgerError(f"{path.parent} holds another run ({was}); choose another --out")
            # A command that ended before it asked anything, by a mistake in it, is in nobody's way.
        elif any(path.parent.iterdir()):
            raise LedgerError(f"{path.parent} holds other files; choose another --out")
        write_whole(path, json.dumps({"settings": plain} | dict(facts), indent=1, ensure_ascii=False).encode())

    def answered(self, identity: str) -> bool:
        """Whether the model has answered; an error is no answer."""
        line = self.answers.lines.get(identity)
        return line is not None and line["outcome"] in ANSWERED


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.write_bytes(content)
    os.replace(partial, path)


def read_run(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return a run's own file, its answers in the order in which they were first given, and executions by id."""
    try:
        run: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise LedgerError(f"{folder}: no run of 'proctor plan-eval' in this folder") from None
    return run, list(Journal(folder / ANSWERS).lines.values()), Journal(folder / EXECUTIONS).lines


def _read(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        return
    with path.open("rb") as file:
        for raw in file:
            try:
                line = json.loads(raw)
            except ValueError:
                continue
            if isinstance(line, dict) and isinstance(line.get("id"), str):
                yield line
