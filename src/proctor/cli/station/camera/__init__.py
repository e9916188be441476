"""``proctor station camera``: the lens, and where the top camera hangs."""

from __future__ import annotations

import typer

from .intrinsics import intrinsics
from .tag import tag

app = typer.Typer(
    help="Calibrate a camera's lens, and aim the top camera by the tag.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("intrinsics")(intrinsics)
app.command("tag")(tag)
