"""``proctor station reveal``: name the arms, write the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def reveal(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    abandon: Annotated[
        str, typer.Option(metavar="REASON", help="End a session for good that has trials to come.")
    ] = "",
) -> None:
    """Reveal the order after the last trial and write one run folder per arm, for 'proctor report' and 'compare'.

    May be repeated after an edit: rows that changed are added, none is removed.
    """
    from proctor.station.session import Session
    from proctor.station.session import reveal as reveal_arms
    from proctor.station.session import verify as check

    with Session.open(session) as opened:
        folders = reveal_arms(opened, abandon=abandon)
        for folder in folders:
            typer.echo(folder)
    typer.echo(check(session))
