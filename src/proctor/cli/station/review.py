"""``proctor station review``: where detector and operator do not agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def review(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    trial: Annotated[str | None, typer.Option(help="Trial whose events you have found in the video.")] = None,
    mark: Annotated[
        list[str] | None, typer.Option(help="placed=12.4, dropped=20, lost=31: what happened when; may be repeated.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who reviewed.")] = "",
) -> None:
    """List trials whose count by the gripper's telemetry is not the operator's, or record what a video shows.

    A review changes when things happened, not how many were placed: the operator's count stays.
    """
    from proctor.core import ProctorError
    from proctor.station.detect import confirm, review_queue
    from proctor.station.session import Session, write_rows

    if trial is not None:
        if not by:
            raise ProctorError("--by NAME is missing: a review is signed")
        with Session.open(session) as opened:
            confirm(opened, trial, [_mark(text) for text in mark or []], by)
            if opened.state().revealed:
                write_rows(opened)
        typer.echo(f"{trial}: reviewed by {by}")
        return
    read = Session.read(session)
    queue = review_queue(read)
    for item in queue:
        typer.echo(f"{item.trial}  scene {item.scene}: {item.reason}")
        for operation in item.operations:
            event = operation.candidate
            typer.echo(
                f"    {event.time_s:7.2f} s  {event.kind:7}  {operation.picked_zone} -> {operation.zone}  "
                f"held {event.hold_s:.1f} s  {100 * event.displacement_m:.0f} cm  {operation.verdict}"
                f"{': ' + operation.reason if operation.reason else ''}"
            )
    judged = sum(attempt.counts for attempt in read.progress.attempts)
    typer.echo(f"{len(queue)} of {judged} trials to review")


def _mark(text: str) -> tuple[str, float]:
    from proctor.core import ProctorError

    kind, _, time = text.partition("=")
    try:
        return kind, float(time)
    except ValueError:
        raise ProctorError(f"--mark {text!r}: write placed=SECONDS, dropped=SECONDS or lost=SECONDS") from None
