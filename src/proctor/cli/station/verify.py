"""``proctor station verify``: was the order fixed beforehand, and is the record whole?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def verify(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    head: Annotated[str, typer.Option(help="A head noted earlier; the journal must contain it.")] = "",
    commitment: Annotated[str, typer.Option(help="The commitment noted when the session was planned.")] = "",
) -> None:
    """Check a session from its files: chain of the journal, schedule against commitment, balance, rows.

    Exits with 1 and names the first line or file that is not what was written.
    """
    from proctor.station.session import Session, TamperError
    from proctor.station.session import verify as check

    line = check(session, head=head)
    committed = Session.read(session).public["commitment"]
    if commitment and not committed.startswith(commitment.casefold()):
        raise TamperError(f"{session} has the commitment {committed}, not {commitment}: it is another schedule")
    typer.echo(line)
