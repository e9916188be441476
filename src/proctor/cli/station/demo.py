"""``proctor station demo``: a whole session without hardware."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[
        Path, typer.Option(help="Folder for the session and its report; must not exist or be empty.")
    ] = Path("demo"),
    scenes: Annotated[int, typer.Option(min=1, max=10, help="How many of the ten stacking scenes.")] = 10,
    short: Annotated[bool, typer.Option("--short", help="Two scenes: a minute instead of several.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Use headless Chromium if it is installed.")
    ] = True,
) -> None:
    """Show a day at the station: twin, console, scripted operator, two blinded policies, a crash, reveal, verdict."""
    from proctor.station.demo import run_demo

    result = run_demo(out, 2 if short else scenes, browser=browser, say=typer.echo)
    typer.echo(
        f"{result.trials} trials scored, {result.refused} scenes refused by the gate first, {result.crashes} crash "
        f"survived, operator: {result.hands}, {result.seconds:.0f} s"
    )
    sys.stdout.flush()
    runs = [str(run) for run in result.runs]
    for command in (["report", *runs, "--out", str(out / "report")], ["compare", *runs]):
        done = subprocess.run([sys.executable, "-m", "proctor", *command], check=False)
        if done.returncode:
            raise typer.Exit(done.returncode)
