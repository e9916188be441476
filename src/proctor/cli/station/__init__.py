"""``proctor station``: commands for a real SO-101 and its twin, a file each, imported only when it runs."""

from __future__ import annotations

import typer

from .agreement import stations
from .calibrate import calibrate
from .calibration_doctor import calibration_doctor
from .camera import app as camera
from .console import console
from .demo import demo
from .doctor import doctor
from .edit import edit
from .export import export
from .plan import plan
from .rate import rate
from .reveal import reveal
from .review import review
from .scene import app as scene
from .status import status
from .teleop import teleop
from .twin import twin
from .verify import verify

app = typer.Typer(
    help="Set up and run the station: arm, twin, cameras, scenes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("calibrate")(calibrate)
app.command("calibration-doctor")(calibration_doctor)
app.command("export")(export)
app.command("teleop")(teleop)
app.command("twin")(twin)
app.command("doctor")(doctor)
app.add_typer(camera, name="camera")
app.add_typer(scene, name="scene")
app.command("console")(console)
app.command("demo")(demo)
app.command("edit")(edit)
app.command("plan")(plan)
app.command("rate")(rate)
app.command("reveal")(reveal)
app.command("review")(review)
app.command("stations")(stations)
app.command("status")(status)
app.command("verify")(verify)
