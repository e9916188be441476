"""``proctor check``: prove that tasks are sound and solvable."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.run.certificates import Certificate, Finding


def check(
    selectors: Annotated[
        list[str], typer.Argument(metavar="SELECTOR...", help="Suites, tasks, or folders or files of tasks.")
    ],
    levels: Annotated[str | None, typer.Option("--levels", help="Only these levels, for example L0,L1.")] = None,
    include: Annotated[list[str] | None, typer.Option("--include", help="Also tasks of this class: hard.")] = None,
    layouts: Annotated[int, typer.Option("--layouts", help="Layouts per task and policy.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the layouts.")] = 0,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes; by default one per core.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder that keeps every answer: the same command again goes on from there."),
    ] = None,
    shard: Annotated[str | None, typer.Option("--shard", help="Only part I of N of the tasks, as in 2/8.")] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Let the reckless expert play also where no certificate asks for it.")
    ] = False,
    pages: Annotated[
        Path | None,
        typer.Option("--pages", help="Folder for certificates.md, and with --baselines baselines.md."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Certify tasks: clean text, sound start, idle robot pays nothing, expert succeeds safely, recklessness costs.

    Exit 0 if every task holds every certificate, 1 if one does not, 2 if the check could not be made.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from proctor.core import Shard
    from proctor.run.certificates import AnswerStore, JobResult, certify
    from proctor.tasks.suites import find_all

    tasks = find_all(selectors, levels.split(",") if levels else None, include or ())
    if shard is not None:
        tasks = [tasks[i] for i in Shard.parse(shard).of(len(tasks))]
    store = AnswerStore(out) if out is not None else None
    errors = Console(stderr=True)
    columns = (
        TextColumn("certifying"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        bar = progress.add_task("", total=None, last="")

        def on_result(result: JobResult, done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total, last=f"{result.question}: {result.task.id}")
            for finding in result.findings:
                # A long check tells of its failures as they come; a short one has them in its table soon enough.
                if store is not None and not finding.passed:
                    errors.print(_failure(result.task.id, finding), soft_wrap=True)

        count = (os.cpu_count() or 1) if workers is None else workers
        certificates = certify(
            tasks,
            layouts=layouts,
            seed=seed,
            workers=count,
            baselines=baselines,
            store=store,
            on_result=on_result,
        )
    if pages is not None:
        _write_pages(certificates, pages, baselines=baselines)
    if as_json:
        typer.echo(json.dumps([certificate.as_dict() for certificate in certificates], indent=2))
    else:
        _print(certificates)
    if not all(certificate.passed for certificate in certificates):
        raise typer.Exit(1)


def _print(certificates: list[Certificate]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    # Numbers first and names last, under a line per suite, so that a long name never squeezes the numbers.
    for suite in dict.fromkeys(certificate.suite for certificate in certificates):
        table = Table(box=None, pad_edge=False, header_style="bold", title=escape(suite), title_justify="left")
        for heading in ("", "expert", "paid", "reckless\npaid", "noop\nwon, paid", "random\nwon"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("task", overflow="fold")
        for certificate in certificates:
            if certificate.suite != suite:
                continue
            detail = {finding.certificate: finding.detail for finding in certificate.findings}
            table.add_row(
                "[green]✓[/]" if certificate.passed else "[red]✗[/]",
                _figure(detail, "expert"),
                _figure(detail, "safe"),
                _figure(detail, "bites"),
                _figure(detail, "noop"),
                _figure(detail, "random"),
                escape(certificate.task.removeprefix(f"{suite}/").partition("@")[0]),
            )
        console.print(table)
        console.print()
    for certificate in certificates:
        for finding in certificate.findings:
            if not finding.passed:
                console.print(_failure(certificate.task, finding), soft_wrap=True)
    good = sum(certificate.passed for certificate in certificates)
    colour = "green" if good == len(certificates) else "red"
    layouts = certificates[0].layouts if certificates else 0
    console.print(f"[{colour}]{good} of {len(certificates)} tasks certified[/] on {layouts} layouts each")


def _write_pages(certificates: list[Certificate], folder: Path, *, baselines: bool) -> None:
    from proctor.run.certificates import CheckError, baselines_page, certificates_page

    command = shlex.join(["proctor", *sys.argv[1:]])
    texts = {"certificates.md": certificates_page(certificates, command)}
    if baselines:
        texts["baselines.md"] = baselines_page(certificates, command)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CheckError(f"--pages {folder}: cannot be written: {error.strerror or error}") from None


def _failure(task: str, finding: Finding) -> str:
    from rich.markup import escape

    return f"[red]✗[/] {escape(task)}: [bold]{finding.certificate}[/]: {escape(finding.detail)}"


def _figure(detail: dict[str, str], certificate: str) -> str:
    """Return the counts of a finding without its words; a reason instead of counts is printed below the table."""
    return ", ".join(re.findall(r"\d+/\d+", detail.get(certificate, ""))) or ("✗" if certificate in detail else "–")
