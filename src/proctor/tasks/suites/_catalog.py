"""Finds suites and tasks, the built-in ones by name, anybody's by folder or file; and what they are told to do."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from proctor.core import TaskEntry, did_you_mean, task_source, task_sources

from ._suite import SUFFIXES, Suite, SuiteError, TaskRef, read_suite, suite_folder, task_of

ROOT = Path(__file__).resolve().parent


def builtin_suites() -> list[Suite]:
    """Return the suites that come with Proctor, by name."""
    folders = sorted(file.parent for file in ROOT.rglob("suite.toml"))
    return [read_suite(folder.relative_to(ROOT).as_posix(), folder) for folder in folders]


def tasks_of(suite: Suite) -> list[TaskRef]:
    """Return the tasks of a suite by level, then name."""
    refs = [suite.ref(path) for path in _task_files(suite.folder) if suite_folder(path) == suite.folder]
    return sorted(refs, key=lambda ref: ref.id)


def find(selector: str, include: Collection[str] = ()) -> list[TaskRef]:
    """Return the tasks that ``selector`` names, never none.

    In this order: a built-in suite, task or any leading part of a task id (``arena``, ``arena/static_obstacles/L1``,
    version optional), a drawn task by its source's own name (``P07``), then a folder or a file on disk.
    Write ``./arena`` to mean the folder. Tasks of a class that is not run by default (``include`` in their file) need
    that class in ``include``, or to be named one by one.
    """
    refs = _find(selector)
    kept = [ref for ref in refs if not ref.include or ref.include in include]
    if not kept and len(refs) > 1:
        raise SuiteError(
            f"{selector}: all of its tasks are of class {refs[0].include!r}: add --include {refs[0].include}"
        )
    return kept or refs


def _find(selector: str) -> list[TaskRef]:
    if not selector.startswith((".", "/", "~")):
        refs = _find_builtin(selector)
        if refs:
            return refs
    path = Path(selector).expanduser()
    if selector.strip() and os.path.exists(path):
        return _find_on_disk(path)
    raise SuiteError(_unknown(selector))


def find_all(
    selectors: Iterable[str], levels: Iterable[str] | None = None, include: Collection[str] = ()
) -> list[TaskRef]:
    """Return the tasks of all ``selectors``, each once, kept to ``levels`` if given."""
    refs: dict[Path, TaskRef] = {}
    for selector in selectors:
        for ref in find(selector, include):
            refs.setdefault(ref.path, ref)
    if levels is None:
        return list(refs.values())
    wanted = list(levels)
    present = sorted({ref.level for ref in refs.values()})
    for level in wanted:
        if level not in present:
            raise SuiteError(
                f"no selected task has level {level!r} (there are {', '.join(present)}){did_you_mean(level, present)}"
            )
    return [ref for ref in refs.values() if ref.level in wanted]


def _find_builtin(selector: str) -> list[TaskRef]:
    name, _, version = selector.strip("/").partition("@")
    parts = name.split("/")
    refs = [
        ref
        for suite in builtin_suites()
        if _agree(suite.name.split("/"), parts) and not (suite.optional and len(parts) < suite.name.count("/") + 1)
        for ref in tasks_of(suite)
        if ref.id.partition("@")[0].split("/")[: len(parts)] == parts
    ]
    refs = refs or _find_by_id(name)
    if refs and version and version not in {f"v{ref.version}" for ref in refs}:
        raise SuiteError(
            f"{name} is at version v{refs[0].version} here, not {version}: leave the version out or "
            f"install the Proctor that has it"
        )
    return refs


def _find_by_id(name: str) -> list[TaskRef]:
    for place in filter(None, (source.locate(name) for source in task_sources())):
        suite, _, stem = place.rpartition("/")
        return [ref for ref in tasks_of(read_suite(suite, ROOT / suite)) if ref.path.stem == stem]
    return []


def _agree(first: list[str], second: list[str]) -> bool:
    return all(a == b for a, b in zip(first, second, strict=False))


def _find_on_disk(path: Path) -> list[TaskRef]:
    path = Path(os.path.abspath(path))
    if path.is_file() and path.suffix not in SUFFIXES:
        raise SuiteError(f"{path}: task files end in {' or '.join(SUFFIXES)}")
    files = [path] if path.is_file() else _task_files(path)
    if not files:
        raise SuiteError(f"{path}: no task file ({', '.join('*' + suffix for suffix in SUFFIXES)}) in this folder")
    suites = {folder: read_suite(_name(folder), folder) for folder in {suite_folder(file) for file in files}}
    return [suites[suite_folder(file)].ref(file) for file in files]


def _task_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def _name(folder: Path) -> str:
    return folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else folder.name


def _unknown(selector: str) -> str:
    if selector.startswith((".", "/", "~")) or selector.endswith(SUFFIXES):
        return f"{selector}: no such file or folder"
    known: set[str] = set()
    for suite in builtin_suites():
        for ref in tasks_of(suite):
            name = ref.id.partition("@")[0]
            known.update({name, f"{suite.name}/{ref.level}", suite.name, suite.name.partition("/")[0]})
    hint = did_you_mean(selector.partition("@")[0], known) or "; 'proctor ls' lists them"
    return f"unknown suite or task {selector!r}, and no such file or folder{hint}"


# What a suite's tasks are told to do, and the entries that a plan makes of them.


def entry_of(ref: TaskRef, max_steps: int | None = None) -> TaskEntry:
    """Return a task as a plan needs it; nothing of a drawn task is drawn. ``max_steps`` replaces the suite's limit."""
    source = task_source(ref.path)
    task = None if source else task_of(ref.path)
    return TaskEntry(
        task=ref.id,
        suite=ref.suite,
        level=ref.level,
        task_hash=source.fingerprint(ref.path) if source else task.text_hash if task else "",
        instruction=(ref.instruction or task.language) if task else "",
        max_steps=max_steps or (0 if source else ref.max_steps),
        path=str(ref.path),
        family=ref.family,
    )


def instruction_of(ref: TaskRef) -> str:
    """Return a task's instruction: the suite's word for it, else its file's (of a generated task, episode 0)."""
    return ref.instruction or task_of(ref.path).language


def other_instructions(refs: Iterable[TaskRef]) -> dict[Path, tuple[str, ...]]:
    """Return, by task file, the distinct instructions of its whole suite that differ from its own, sorted.

    They do not depend on which tasks were selected, so neither does the wrong instruction of an episode. Letter case
    makes no difference: the reference lowers all instructions.
    """
    suites: dict[Path, list[str]] = {}
    others: dict[Path, tuple[str, ...]] = {}
    for ref in refs:
        folder = suite_folder(ref.path)
        if folder not in suites:
            suites[folder] = [instruction_of(r) for r in find(str(folder)) if suite_folder(r.path) == folder]
        own = instruction_of(ref).casefold()
        distinct = {text.casefold(): text for text in reversed(suites[folder])}
        others[ref.path] = tuple(sorted(text for folded, text in distinct.items() if folded != own))
    return others
