"""``proctor station twin``: an arm without an arm, on a port that any driver can open."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from pathlib import Path
from typing import Annotated

import typer


def twin(
    seed: Annotated[int, typer.Option(help="Decides how the servo horns sit and where chance faults strike.")] = 0,
    speed: Annotated[float, typer.Option(min=0.01, max=100.0, help="Simulated seconds per second.")] = 1.0,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            help="drop=0.02, corrupt=0.02, latency=0.01, overload=JOINT, dead=JOINT, camera=NAME; may be repeated."
        ),
    ] = None,
    backlash: Annotated[float, typer.Option(min=0.0, max=5.0, help="Play of every gear in degrees.")] = 0.0,
    calibrated: Annotated[
        Path | None, typer.Option(help="Start with a perfect calibration in the servos, and write it to this file.")
    ] = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="A scripted person calibrates the arm whenever it is limp.")
    ] = False,
    link: Annotated[Path | None, typer.Option(help="Also make the port known under this name.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="End after this time; without it, on Ctrl-C.")] = None,
) -> None:
    """Start the digital twin and print its serial port; LeRobot and every other driver can connect to it."""
    from proctor.core import ProctorError
    from proctor.station.arm import save_calibration
    from proctor.station.twin import Operator, Twin, TwinFaults

    faults = TwinFaults()
    for text in fault or []:
        faults.add(text)
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    with contextlib.ExitStack() as stack:
        running = stack.enter_context(Twin(seed=seed, speed=speed, faults=faults, backlash_deg=backlash))
        if calibrated is not None:
            save_calibration(running.calibrate(), calibrated)
        if operator:
            stack.enter_context(Operator(running, seed=seed))
        if link is not None:
            try:
                beside = link.with_name(f".{link.name}.{os.getpid()}")
                beside.symlink_to(running.port)
                os.replace(beside, link)
            except OSError as error:
                raise ProctorError(f"cannot make {link}: {error.strerror}; choose another --link") from error
            stack.callback(link.unlink, missing_ok=True)
        typer.echo(f"port: {link.absolute() if link else running.port}")
        ending.wait(seconds)
        typer.echo("packets: " + ", ".join(f"{kind} {count}" for kind, count in sorted(running.requests.items())))
