"""``proctor station edit``: correct an outcome, on the record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def edit(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    trial: Annotated[str, typer.Argument(help="Id of the trial.")],
    reason: Annotated[str, typer.Option(help="Why it is corrected.")],
    label: Annotated[str | None, typer.Option(help="success, fail, timeout or safety.")] = None,
    placed: Annotated[int | None, typer.Option(min=0, help="Items placed.")] = None,
    dropped: Annotated[int | None, typer.Option(min=0, help="Items dropped within reach.")] = None,
    lost: Annotated[int | None, typer.Option(min=0, help="Items lost.")] = None,
    time_s: Annotated[float | None, typer.Option("--time", min=0.0, help="Seconds to success.")] = None,
) -> None:
    """Correct what was scored. The journal keeps what stood there and gets a line that says what is right and why."""
    from proctor.station.session import Session, write_rows

    given = {"label": label, "placed": placed, "dropped": dropped, "lost": lost, "time_s": time_s}
    changes = {name: value for name, value in given.items() if value is not None}
    with Session.open(session) as opened:
        state = opened.act("edit", trial=trial, changes=changes, reason=reason)
        if state.revealed:
            write_rows(opened)
    typer.echo(f"{trial}: {', '.join(f'{name} {value}' for name, value in changes.items())} ({reason})")
