"""The table of a planning examination."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from proctor.planning.exam import Summary


def print_summary(summary: Summary) -> None:
    """Print figures per dimension and in all, the classes of answers, tokens and cost."""
    from rich.console import Console
    from rich.table import Table

    from proctor.planning.exam import figure_text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("dimension")
    groups = [*summary.groups, *([summary.whole] if len(summary.groups) > 1 else [])]
    played = any(group.physics is not None for group in groups)
    for name in ("n", "exact %", "executable %", "plan score", "paper's score", "no plan %"):
        table.add_column(name, justify="right")
    if played:
        table.add_column("played %", justify="right")
        table.add_column("reference played %", justify="right")
    for group in groups:
        row = [group.name, str(group.answers) + (f" (+{group.errors} errors)" if group.errors else "")]
        row += [figure_text(group.exact), figure_text(group.runs), figure_text(group.score), figure_text(group.paper)]
        row.append(figure_text(group.unparsed))
        if played:
            row += [figure_text(group.physics), figure_text(group.physics_reference)]
        table.add_row(*row)
    Console(width=max(Console().width, 120)).print(table)
    typer.echo("Answers: " + ", ".join(f"{name} {count}" for name, count in summary.outcomes.items()))
    bill = summary.bill
    if bill.tokens_in or bill.tokens_out:
        cost = "" if bill.cost is None else f", cost {bill.cost:.4f}"
        unknown = f" ({bill.unknown} answers without counts)" if bill.unknown else ""
        typer.echo(f"Tokens: {bill.tokens_in} in, {bill.tokens_out} out{unknown}{cost}")
