"""``proctor doctor``: is this machine fit, and what to do if not."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list of level, name, text, fix.")] = False,
) -> None:
    """Check Python, processors, memory, disk, packages, robot model, caches, fonts, video and rendering.

    Exit code: 0 all well or warnings only, 1 there is a problem.
    """
    from proctor.doctor import examine

    if as_json:
        findings = list(examine())
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        from rich.console import Console
        from rich.markup import escape

        console = Console(highlight=False, soft_wrap=True)
        findings = []
        for finding in examine():
            findings.append(finding)
            style = _STYLES[finding.level]
            console.print(f"[{style}]{finding.level:<8}[/] {finding.name:<9} {escape(finding.text)}")
            if finding.fix:
                console.print(f"{'':<18} [bold]→[/] {escape(finding.fix)}")
    if any(finding.level == "problem" for finding in findings):
        raise typer.Exit(1)
