"""``proctor station doctor``: what of a station is plugged into this machine, and what to do about the rest."""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli._findings import print_findings


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list of level, name, text, fix.")] = False,
) -> None:
    """Check packages, serial ports, cameras, and the right to open them.

    Exit code: 0 all well or warnings only, 1 there is a problem.
    """
    from proctor.cli.doctor import examine_station

    print_findings(examine_station(), as_json)
