"""``proctor worker``: take part in a run that another process leads, on this host or any other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def worker(
    where: Annotated[
        str, typer.Argument(metavar="RUN", help="tcp://HOST:PORT as the run printed it, or the run's folder.")
    ],
    token: Annotated[
        str, typer.Option(help="The run's token.", show_default="PROCTOR_FLEET_TOKEN or PROCTOR_TOKEN")
    ] = "",
    workers: Annotated[int, typer.Option("--workers", "-w", help="Processes on this host.")] = 1,
    patience: Annotated[
        float, typer.Option(help="Seconds to look for a run that does not answer, or has gone.")
    ] = 60.0,
    parent: Annotated[int, typer.Option(help="End when this process does.", hidden=True)] = 0,
    over: Annotated[Path | None, typer.Option(help="Expect no run once this file exists.", hidden=True)] = None,
) -> None:
    """Run episodes for a run on another host ('proctor run ... --fleet') until that run is over.

    The policy must be importable here, or be a URL; task files come from the run. Ctrl-C leaves; what this host held
    goes to others.

    Exit code: 0 the run is over, 2 refused, not found, or the policy cannot be built here.
    """
    from proctor.rollout.fleet import AgentOptions, die_with, work

    if parent:
        die_with(parent)
    work(AgentOptions(where, token, workers, patience, typer.echo, over))
