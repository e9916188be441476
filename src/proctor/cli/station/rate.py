"""``proctor station rate``: a second rater on the same videos."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.station.session import RaterAgreement, ToRate


def rate(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    rater: Annotated[str, typer.Option(help="Your name; not that of the operator.")],
    trial: Annotated[str | None, typer.Option(help="Id of the trial that you judge.")] = None,
    label: Annotated[str | None, typer.Option(help="success, fail, timeout or safety.")] = None,
    agreement: Annotated[
        bool, typer.Option("--agreement", help="Compare your verdicts with the operator's; best when all are given.")
    ] = False,
) -> None:
    """List what is left to rate (criterion and videos; no arm, no order, no first verdict), or give a verdict.

    The order is your own, drawn from your name.
    """
    from proctor.core import ProctorError
    from proctor.station.session import Session, rater_agreement, to_rate
    from proctor.station.session import rate as give

    read = Session.read(session)
    if (trial is None) != (label is None):
        raise ProctorError("give --trial and --label together, or neither to see the list")
    if trial is not None and label is not None:
        give(read, rater, trial, label)
        typer.echo(f"{trial}: {label}, by {rater}; {len(to_rate(read, rater))} left")
    elif agreement:
        _print_agreement(rater_agreement(read, rater))
    else:
        _print_list(to_rate(read, rater))


def _print_list(left: list[ToRate]) -> None:
    for entry in left:
        typer.echo(f"{entry.trial}  scene {entry.scene}: {entry.instruction}")
        typer.echo(f"    success: {entry.criterion}")
        typer.echo(f"    {', '.join(entry.videos) or 'no video'}")
    typer.echo(f"{len(left)} left to rate")


def _print_agreement(found: RaterAgreement) -> None:
    typer.echo(f"{found.n} trials rated by {found.rater} and the operator, {found.left} left")
    typer.echo(f"all labels:     agreement {found.agreement:.3f}  kappa {found.kappa:+.3f}  AC1 {found.ac1:+.3f}")
    typer.echo(
        f"success or not: agreement {found.success_agreement:.3f}  kappa {found.success_kappa:+.3f}  "
        f"AC1 {found.success_ac1:+.3f}"
    )
    for trial, first, second in found.differ:
        typer.echo(f"{trial}: operator {first}, {found.rater} {second}")
