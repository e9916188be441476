"""A run folder: what was asked, and every answer as it came.

``run.json`` says what the run is; ``answers.jsonl`` has one line per answer (see `proctor.core.KeyedLines`). The same
command again asks only what has no answer yet. Nothing is ever rewritten: where a question was asked again after an
error, the later line counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.core import KeyedLines, ProctorError, write_whole

from .._judge import ANSWERED

RUN, ANSWERS, EXECUTIONS = "run.json", "answers.jsonl", "executions.jsonl"


class LedgerError(ProctorError):
    """A run folder that cannot be used."""


class Ledger:
    """The folder of one run; ``settings`` are what decides its questions and answers."""

    def __init__(self, folder: Path, settings: Mapping[str, Any], facts: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._agree(folder / RUN, settings, facts or {})
            self.answers = KeyedLines(folder / ANSWERS)
            self.executions = KeyedLines(folder / EXECUTIONS)
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
            if KeyedLines(path.with_name(ANSWERS)).values:
                was = ", ".join(f"{key} {known.get(key)!r}" for key in different[:3])
                raise LedgerError(f"{path.parent} holds another run ({was}); choose another --out")
            # A command that ended before it asked anything, by a mistake in it, is in nobody's way.
        elif any(path.parent.iterdir()):
            raise LedgerError(f"{path.parent} holds other files; choose another --out")
        write_whole(path, json.dumps({"settings": plain} | dict(facts), indent=1, ensure_ascii=False).encode())

    def answered(self, identity: str) -> bool:
        """Whether the model has answered; an error is no answer."""
        line = self.answers.values.get(identity)
        return line is not None and line["outcome"] in ANSWERED


def read_run(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return a run's own file, its answers in the order in which they were first given, and executions by id."""
    try:
        run: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise LedgerError(f"{folder}: no run of 'proctor plan-eval' in this folder") from None
    return run, list(KeyedLines(folder / ANSWERS).values.values()), KeyedLines(folder / EXECUTIONS).values
