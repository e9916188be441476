"""``proctor ls``: which suites and tasks there are."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Group

    from proctor.tasks.suites import Suite, TaskRef

WIDE = 110
"""Columns from which on a line has room for what a suite is about."""


def ls(
    selectors: Annotated[
        list[str] | None,
        typer.Argument(metavar="SELECTOR", help="Suite, part of a task id, or a folder or file of tasks."),
    ] = None,
    include: Annotated[list[str] | None, typer.Option("--include", help="Also tasks of this class: hard.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the built-in suites, or the tasks that each SELECTOR names."""
    from proctor.tasks.suites import builtin_suites, find_all, tasks_of

    if selectors:
        tasks = [_task(ref) for ref in find_all(selectors, include=include or ())]
        _print(tasks, as_json, _task_table)
    else:
        suites = [_suite(suite, tasks_of(suite)) for suite in builtin_suites()]
        _print(suites, as_json, _suite_table)


def _print(items: list[dict[str, Any]], as_json: bool, table: Any) -> None:
    if as_json:
        typer.echo(json.dumps(items, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    console.print(table(items, console.width))


def _suite(suite: Suite, refs: list[TaskRef]) -> dict[str, Any]:
    levels = Counter(ref.level for ref in refs)
    return {
        "suite": suite.name,
        "version": suite.version,
        "tasks": len(refs),
        "levels": dict(sorted(levels.items())),
        "max_steps": {ref.level: ref.max_steps for ref in refs},
        "safety": suite.safety,
        "title": suite.title,
        "description": suite.description,
    }


def _task(ref: TaskRef) -> dict[str, Any]:
    from proctor.tasks.suites import instruction_of

    return {
        "task": ref.id,
        "suite": ref.suite,
        "level": ref.level,
        "version": ref.version,
        "max_steps": ref.max_steps,
        "safety": ref.safety,
        "instruction": instruction_of(ref),
        "path": str(ref.path),
    }


def _suite_table(suites: list[dict[str, Any]], width: int) -> Group:
    """Return the suites, one line each; a wide terminal also shows what each is about."""
    from rich import box
    from rich.console import Group
    from rich.table import Table

    wide = width >= WIDE
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("suite", style="bold cyan", no_wrap=True)
    table.add_column("tasks", justify="right", no_wrap=True)
    table.add_column("levels", no_wrap=True)
    table.add_column("safety", no_wrap=True)
    if wide:
        table.add_column("about")
    for suite in suites:
        levels = "  ".join(f"{level} [dim]×{count}[/dim]" for level, count in suite["levels"].items())
        safety = "[yellow]cost[/yellow]" if suite["safety"] else "[dim]–[/dim]"
        about = suite["description"].split(". ")[0].rstrip(".")
        if about.startswith("L0:"):
            about = suite["title"]
        table.add_row(suite["suite"], str(suite["tasks"]), levels, safety, *([about] if wide else []))
    more = "" if wide else "; a wider terminal shows what each suite is about"
    return Group(table, f"proctor ls SUITE lists its tasks, proctor run SUITE --policy NAME runs them{more}")


def _task_table(tasks: list[dict[str, Any]], width: int) -> Group:
    del width
    from rich import box
    from rich.console import Group
    from rich.markup import escape
    from rich.table import Table

    tables = []
    for suite in dict.fromkeys(task["suite"] for task in tasks):
        table = Table(title=escape(suite), title_style="bold cyan", title_justify="left", box=box.SIMPLE_HEAD)
        table.add_column("level", style="cyan")
        table.add_column("task", overflow="fold")
        table.add_column("steps", justify="right")
        previous = None
        for task in (task for task in tasks if task["suite"] == suite):
            if previous not in (None, task["level"]):
                table.add_section()
            level = "" if previous == task["level"] else task["level"]
            name = task["task"].removeprefix(f"{suite}/{task['level']}/")
            table.add_row(level, escape(name), str(task["max_steps"]))
            previous = task["level"]
        tables.append(table)
    return Group(*tables, f"{len(tasks)} tasks; a full id reads {escape(tasks[0]['task'])}")
