"""``proctor plan-score``: score the answers of a bank, and compare with the scores that it lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.planning import BankPlan, Judged


def plan_score(
    bank: Annotated[
        Path | None,
        typer.Argument(metavar="BANK", help="File of cases and answers.", show_default="the one of the package"),
    ] = None,
    case: Annotated[
        str | None, typer.Option(help="Score one answer to this case's question instead; see --answer.")
    ] = None,
    answer: Annotated[Path | None, typer.Option(help="File with the text of that answer; - is standard input.")] = None,
) -> None:
    """Score the answers of a bank of plans, in our measure and the paper's, and carry each out by rules.

    A bank is a JSON file of cases (marks, references) and plans (answers, with the scores they must get, if any).

    Exit code: 0 every figure is as listed, 1 some are not, 2 a mistake in the command or the file.
    """
    from proctor.core import ProctorError
    from proctor.planning import BankPlan, read_bank

    read = read_bank(bank)
    if (case is None) != (answer is None):
        raise ProctorError("--case and --answer go together: which question, and the file with the answer")
    plans = read.plans
    if case is not None and answer is not None:
        plans = (BankPlan("answer", case, "", _text(answer)),)
    judged = [(plan, read.judge(plan)) for plan in plans]
    _print(judged)
    if case is not None:
        _explain(judged[0][1])
    apart = [(plan, difference) for plan, said in judged for difference in plan.differences(said)]
    for plan, difference in apart:
        typer.echo(f"{plan.id}: {difference}", err=True)
    told = [(plan.expected, plan.expected_paper, plan.runs, plan.fails_to_parse) for plan in plans]
    listed = sum(any(part not in ({}, None) for part in parts) for parts in told)
    if listed:
        wrong = len({plan.id for plan, _ in apart})
        typer.echo(f"{listed - wrong} of {listed} plans have the scores listed, in both measures")
    if apart:
        raise typer.Exit(1)


def _text(path: Path) -> str:
    import sys

    from proctor.core import ProctorError

    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ProctorError(f"--answer {path}: {getattr(error, 'strerror', None) or error}") from None


def _explain(said: Judged) -> None:
    """Say of one answer what was read, and what became of each of its calls."""
    if said.parsed.note:
        typer.echo(f"{said.parsed.kind}: {said.parsed.note}")
    if said.execution is not None:
        for attempt, verdict in zip(said.execution.attempts, said.score.verdicts, strict=True):
            line = f"  {attempt.call}: {verdict}" + (f"; {attempt.why_not}" if attempt.why_not else "")
            # Half a pair of surrogates, which JSON can hold, cannot be printed.
            typer.echo(line.encode("utf-8", "backslashreplace").decode())
        for fault in said.execution.faults:
            typer.echo(f"  fault: {fault}")


def _print(judged: list[tuple[BankPlan, Judged]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("plan", "case", "kind", "read as"):
        table.add_column(name)
    for name in ("skill", "param", "call", "order", "score"):
        table.add_column(name, justify="right")
    table.add_column("exact")
    table.add_column("runs")
    table.add_column("paper's", justify="right")
    for plan, said in judged:
        got = said.figures()
        shares = [f"{got[name]:.3f}" for name in ("skill_F1", "param_F1", "call_F1", "dag_F1")]
        names = [Text(text) for text in (plan.id, plan.case, plan.kind, said.parsed.kind)]
        marks = ["yes" if flag else "no" for flag in (said.score.exact, said.runs)]
        table.add_row(*names, *shares, f"{got['score']:.1f}", *marks, f"{said.paper.total:.1f}")
    Console(width=max(Console().width, 132)).print(table)
