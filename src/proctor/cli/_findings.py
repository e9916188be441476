"""Findings of a doctor, printed one per line with what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from proctor.cli.doctor import DoctorFinding

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def print_findings(found: Iterable[DoctorFinding], as_json: bool) -> None:
    """Print findings as they come, or all as JSON; exit with 1 when one is a problem."""
    if as_json:
        findings = list(found)
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        from rich.console import Console
        from rich.markup import escape

        console = Console(highlight=False, soft_wrap=True)
        findings = []
        for finding in found:
            findings.append(finding)
            style = _STYLES[finding.level]
            console.print(f"[{style}]{finding.level:<8}[/] {finding.name:<9} {escape(finding.text)}")
            if finding.fix:
                console.print(f"{'':<18} [bold]→[/] {escape(finding.fix)}")
    if any(finding.level == "problem" for finding in findings):
        raise typer.Exit(1)
