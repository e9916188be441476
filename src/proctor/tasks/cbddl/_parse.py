"""Reading task files: from text to a `Task` in which every name is declared once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from proctor.tasks.cbddl._build import Builder
from proctor.tasks.cbddl._diagnostics import CbddlError, Diagnostic, Problems, shown
from proctor.tasks.cbddl._expressions import atoms_of
from proctor.tasks.cbddl._format import text_hash
from proctor.tasks.cbddl._model import Atom, Span, Task
from proctor.tasks.cbddl._predicates import KIND_NAMES, PREDICATES, ROBOT_NAMES, ArgumentKind
from proctor.tasks.cbddl._rules import (
    Index,
    Known,
    Rules,
    check_circles,
    check_names,
    lint_task,
    step_atoms,
    task_files,
)
from proctor.tasks.cbddl._sexp import MAX_BYTES, read_document

# Names: every argument must be something that the file declares, once. Without that a file means nothing.


def resolve(task: Task, problems: Problems) -> None:
    """Report names that are unknown, ambiguous or of the wrong kind, and placements that lead nowhere."""
    index = Index(task)
    check_names(index, problems)
    check_circles(index, problems)
    if not {":fixtures", ":objects", ":regions"} <= task.spans.keys():
        return  # Without a block of declarations every name would be reported, and the block already is.
    things = {entity.name for entity in (*task.fixtures, *task.objects)}
    places = things | {region.full_name for region in task.regions}
    robot = things | ROBOT_NAMES
    allowed: dict[ArgumentKind, set[str]] = {"thing": things, "place": places, "toucher": robot, "part": robot}
    known = places | ROBOT_NAMES
    full_names = {region.name: region.full_name for region in task.regions}

    def unknown(name: str, span: Span, kind: ArgumentKind) -> None:
        hint = problems.suggest(full_names.get(name, name), allowed[kind], "declare it or correct the name")
        problems.add("unknown-name", span, f"{shown(name)} is not declared; {hint}")

    def resolve_name(name: str, span: Span, kind: ArgumentKind, user: str) -> None:
        whole = name.partition("/")[0] if kind in ("place", "part") else name
        if name in allowed[kind] or (whole != name and whole in things):
            return
        if name in known:
            message = f"{user} needs {KIND_NAMES[kind]} here, {shown(name)} is {_kind_of(name, task)}"
            problems.add("wrong-argument", span, f"{message}; name another")
        else:
            unknown(name, span, kind)

    def resolve_atom(atom: Atom) -> None:
        signatures = PREDICATES[atom.predicate].signatures
        signature = next(s for s in signatures if len(s) == len(atom.args))
        for arg, kind, span in zip(atom.args, signature, atom.arg_spans, strict=True):
            if isinstance(arg, str) and kind in allowed:
                resolve_name(arg, span, kind, atom.predicate)
            elif isinstance(arg, tuple) and kind == "names":
                for name in arg:
                    resolve_name(str(name), span, "thing", atom.predicate)

    for atom in (*task.init, *step_atoms(task)):
        resolve_atom(atom)
    for expr in (task.goal, *task.cost):
        for atom in atoms_of(expr):
            resolve_atom(atom)
    for call in task.plan:
        for arg, span in zip(call.args, call.arg_spans, strict=True):
            if isinstance(arg, str):
                resolve_name(arg, span, "place", call.skill)
    for name in task.intent:
        resolve_name(name, task.spans[f"intent:{name}"], "place", ":intent")
    _resolve_looks(task, things, problems)
    _resolve_subgoals(task, problems)
    objects = {entity.name for entity in task.objects}
    for mover in task.movers:
        if mover.name in things - objects:
            problems.add(
                "wrong-argument", mover.span, f"fixture {shown(mover.name)} cannot move; declare it in :objects"
            )
        elif mover.name not in objects:
            hint = problems.suggest(mover.name, objects, "declare it in :objects")
            problems.add("unknown-name", mover.span, f"{shown(mover.name)} is not declared; {hint}")
    filled: set[str] = set()
    for fill in task.fills:
        if fill.vessel in filled:
            problems.add("duplicate-fill", fill.span, f"{shown(fill.vessel)} is filled twice; remove one")
        elif fill.vessel in things - objects:
            problems.add("wrong-argument", fill.span, f"fixture {shown(fill.vessel)} cannot be filled; name an object")
        elif fill.vessel not in objects:
            hint = problems.suggest(fill.vessel, objects, "declare it in :objects")
            problems.add("unknown-name", fill.span, f"{shown(fill.vessel)} is not declared; {hint}")
        filled.add(fill.vessel)


def _resolve_looks(task: Task, things: set[str], problems: Problems) -> None:
    seen: set[str] = set()
    for look in task.looks:
        if look.name not in things:
            hint = problems.suggest(look.name, things, "declare it or remove its look")
            problems.add("unknown-name", look.span, f"{shown(look.name)} is not declared; {hint}")
        elif look.name in seen:
            problems.add("duplicate-look", look.span, f"{shown(look.name)} has two looks; merge them")
        seen.add(look.name)


def _resolve_subgoals(task: Task, problems: Problems) -> None:
    """Report sub-goals that share a name or wait for one that is not written before them."""
    before: set[str] = set()
    for subgoal in task.subgoals:
        if subgoal.name in before:
            problems.add("duplicate-subgoal", subgoal.span, f"{shown(subgoal.name)} is there already; rename one")
        for name in subgoal.after:
            if name not in before:
                hint = problems.suggest(name, before, "write the earlier one first")
                message = f"sub-goal {shown(subgoal.name)} comes after {shown(name)}, which is not above it; {hint}"
                problems.add("unknown-name", subgoal.span, message)
        before.add(subgoal.name)


def _kind_of(name: str, task: Task) -> str:
    entity = task.entity(name)
    if entity is not None:
        return f"a {entity.kind}" if entity.kind == "fixture" else "an object"
    return "the robot" if name in ROBOT_NAMES else "a region"


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
