"""``proctor doctor``: is this machine fit, and what to do if not."""

from __future__ import annotations

from typing import Annotated

import typer

from .._findings import print_findings


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list of level, name, text, fix.")] = False,
) -> None:
    """Check Python, processors, memory, disk, packages and extras, robot model, caches, fonts, video and rendering.

    Exit code: 0 all well or warnings only, 1 there is a problem.
    """
    from proctor.cli.doctor import examine

    print_findings(examine(), as_json)
