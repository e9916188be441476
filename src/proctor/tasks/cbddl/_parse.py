"""Reading task files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from proctor.tasks.cbddl._build import Builder
from proctor.tasks.cbddl._diagnostics import CbddlError, Diagnostic, Problems
from proctor.tasks.cbddl._format import text_hash
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._lint import Rules, lint_task, task_files
from proctor.tasks.cbddl._model import Span, Task
from proctor.tasks.cbddl._resolve import resolve
from proctor.tasks.cbddl._sexp import MAX_BYTES, read_document


def check(
    text: str, file: str = "<text>", known: Known | None = None, rules: Rules | None = None
) -> tuple[Task | None, list[Diagnostic]]:
    """Return the task, or None where the file has no defined meaning, and every defect. Never raises.

    ``rules`` about the instruction are asked too: those of `proctor.tasks.words.instruction_defects`.
    """
    problems = Problems(file)
    task = _build(text, problems)
    if task is not None:
        lint_task(task, problems, known, rules)
    return (None if problems.fatal else task), problems.sorted()


def parse(text: str, file: str = "<text>") -> Task:
    """Return the task that ``text`` describes; raises ``CbddlError`` where it has no defined meaning."""
    problems = Problems(file)
    task = _build(text, problems)
    if task is None or problems.fatal:
        raise CbddlError(problems.sorted())
    return task


def read_task(path: str | os.PathLike[str]) -> Task:
    """Return the task in the file at ``path``; raises ``CbddlError`` if it cannot be read or has no defined meaning."""
    text, defects = read_source(path)
    if text is None:
        raise CbddlError(defects)
    return parse(text, os.fspath(path))


def check_file(
    path: str | os.PathLike[str], known: Known | None = None, rules: Rules | None = None
) -> tuple[Task | None, list[Diagnostic]]:
    """Return what ``check`` says about the file at ``path``. Never raises."""
    text, defects = read_source(path)
    return (None, defects) if text is None else check(text, os.fspath(path), known, rules)


def lint_paths(
    paths: Iterable[str | os.PathLike[str]], known: Known | None = None, rules: Rules | None = None
) -> list[Diagnostic]:
    """Return the defects of all task files in ``paths``; folders are walked for ``*.bddl`` and ``*.cbddl``."""
    return [defect for path in task_files(paths) for defect in check_file(path, known, rules)[1]]


def read_source(path: str | os.PathLike[str]) -> tuple[str | None, list[Diagnostic]]:
    """Return the text of a file, or None and why it cannot be read."""
    file = os.fspath(path)
    problems = Problems(file)
    start = Span(file, 1, 1)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problems.add("syntax-unreadable", start, f"cannot be opened: {reason}; check the path and its permissions")
        return None, problems.found
    if len(data) > MAX_BYTES:
        problems.add("syntax-too-large", start, "larger than 1 MiB; a task file has a few hundred lines, split it")
        return None, problems.found
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        where = Span(file, before.count(b"\n") + 1, column)
        problems.add("syntax-not-utf8", where, f"byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8")
        return None, problems.found


def _build(text: str, problems: Problems) -> Task | None:
    document = read_document(text, problems)
    if not document.nodes:
        return None
    task = Builder(problems).build(document, "" if problems.fatal else text_hash(document))
    resolve(task, problems)
    return task
