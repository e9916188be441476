"""``proctor station calibrate``: zero pose, sweep, file."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._joint_tables import print_findings
from ._writing import require_writable

if TYPE_CHECKING:
    from proctor.station.arm import Sweep

_STILL_S = 1.5
_LONGEST_SWEEP_S = 120.0


def calibrate(
    port: Annotated[str, typer.Option(help="Serial port of the arm, for example /dev/ttyACM0.")],
    out: Annotated[Path, typer.Option(help="Calibration file to write, in LeRobot's format.")],
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="Ask nothing: the arm is in its zero pose now, and the sweep ends when every joint has moved and all "
            "have been still for 1.5 seconds.",
        ),
    ] = False,
) -> None:
    """Calibrate an arm by hand: hold its zero pose, move every joint from stop to stop, write servos and file."""
    from proctor.core import ProctorError
    from proctor.station.arm import So101Arm, examine, finish, record_sweep, save_calibration, set_zero, worst

    if out.exists() and not yes and not typer.confirm(f"{out} exists: replace it?"):
        raise ProctorError(f"{out} exists: choose another --out")
    require_writable(out)
    with So101Arm.connect(port) as arm:
        typer.echo("six servos answer; torque goes off: support the arm")
        _ask(yes, "press Enter when you hold it")
        arm.torque_off()
        _ask(yes, "hold the zero pose (every joint in the middle of its range, gripper closed) and press Enter")
        if yes:
            time.sleep(_STILL_S / 3)
        offsets = set_zero(arm)
        typer.echo("zero pose taken; move every joint but wrist_roll slowly from stop to stop")
        if not yes:
            typer.echo("press Enter when every joint has touched both stops")
        show = _show if sys.stdout.isatty() else None
        sweep = record_sweep(arm, _until_still() if yes else _until_enter, show)
        calibration = finish(arm, offsets, sweep, str(out))
    save_calibration(calibration, out)
    findings = examine(calibration)
    print_findings(findings)
    typer.echo(f"{out}: written, also into the servos; verdict: {worst(findings)}")


def _ask(yes: bool, text: str) -> None:
    if not yes:
        typer.prompt(text, default="", show_default=False)


def _until_enter(sweep: Sweep) -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0]) and sys.stdin.readline() is not None


def _until_still() -> Callable[[Sweep], bool]:
    """Return what says when a sweep without prompts is over."""
    from proctor.core import ProctorError

    began_s = time.monotonic()

    def done(sweep: Sweep) -> bool:
        now = time.monotonic()
        if now - began_s > _LONGEST_SWEEP_S:
            raise ProctorError(
                f"{', '.join(sweep.missing) or 'the arm'} was not swept within {_LONGEST_SWEEP_S:.0f} s: start again"
            )
        return not sweep.missing and now - sweep.moved_s > _STILL_S

    return done


def _show(sweep: Sweep) -> None:
    widths = "  ".join(f"{joint} {sweep.width_deg(joint):5.1f}" for joint in sweep.now)
    typer.echo(f"\r{widths}", nl=False)
