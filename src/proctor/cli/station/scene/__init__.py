"""``proctor station scene``: the 90 scenes, their reference pictures, and whether the floor looks like one."""

from __future__ import annotations

import typer

from .capture import capture
from .check import check
from .ls import ls
from .overlay import overlay

app = typer.Typer(
    help="List the scenes, take reference pictures, check a scene that was set up.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("ls")(ls)
app.command("capture")(capture)
app.command("check")(check)
app.command("overlay")(overlay)
