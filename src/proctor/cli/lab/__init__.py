"""``proctor lab``: the bench. One file per command; each imports its work only when it runs."""

from __future__ import annotations

import typer

from .calibrate import calibrate
from .calibration_doctor import calibration_doctor
from .twin import twin

app = typer.Typer(
    help="Set up and run the bench: arm, twin, cameras, scenes.", no_args_is_help=True, pretty_exceptions_enable=False
)
app.command("calibrate")(calibrate)
app.command("calibration-doctor")(calibration_doctor)
app.command("twin")(twin)
