"""The table of a planning examination."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from proctor.report import PlanSummary


def print_summary(summary: PlanSummary) -> None:
    """Print figures per dimension and in all, the classes of answers, tokens and cost."""
    from rich.console import Console
    from rich.table import Table

    from proctor.report import points

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("dimension")
    groups = [*summary.groups, *([summary.whole] if len(summary.groups) > 1 else [])]
    for name in ("n", "exact %", "executable %", "plan score", "paper's score", "no plan %"):
        table.add_column(name, justify="right")
    if summary.whole.played:
        table.add_column("played %", justify="right")
        table.add_column("reference played %", justify="right")
    for group in groups:
        figures = [group.exact, group.executable, group.score, group.paper, group.no_plan]
        if summary.whole.played:
            figures += [group.played, group.reference_played]
        errors = f" (+{group.errors} errors)" if group.errors else ""
        table.add_row(group.name, f"{group.answers}{errors}", *map(points, figures))
    Console(width=max(Console().width, 120)).print(table)
    typer.echo("Answers: " + ", ".join(f"{name} {count}" for name, count in summary.verdicts.items()))
    if summary.tokens_in or summary.tokens_out:
        cost = "" if summary.price_usd is None else f", cost {summary.price_usd:.4f}"
        unknown = f" ({summary.uncounted} answers without counts)" if summary.uncounted else ""
        typer.echo(f"Tokens: {summary.tokens_in} in, {summary.tokens_out} out{unknown}{cost}")
