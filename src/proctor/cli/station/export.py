"""``proctor station export``: recorded trials for LeRobot or Rerun."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """What is written."""

    LEROBOT = "lerobot"
    RERUN = "rerun"


class PicturesAs(StrEnum):
    """How a dataset keeps its pictures."""

    VIDEO = "video"
    IMAGE = "image"


def export(
    session: Annotated[Path, typer.Argument(help="Folder of a session or of demonstrations (trials/ is in it).")],
    out: Annotated[Path, typer.Option(help="New folder.")],
    form: Annotated[
        Format, typer.Option("--format", help="lerobot: one LeRobotDataset v3.0; rerun: one .rrd per trial.")
    ] = Format.LEROBOT,
    trial: Annotated[list[str] | None, typer.Option(help="Only this trial; may be repeated.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also trials that were not completed.")] = False,
    unit: Annotated[str, typer.Option(help="Unit of the joints in a dataset.")] = "true_degrees",
    pictures: Annotated[PicturesAs, typer.Option(help="A dataset's pictures as films or PNG.")] = PicturesAs.VIDEO,
) -> None:
    """Write trials as a LeRobotDataset v3.0 or as Rerun recordings."""
    from proctor.station.arm import Unit
    from proctor.station.export import ExportError, export_lerobot, export_rerun, load_rollouts

    wanted = Unit.parse(unit)
    rollouts = load_rollouts(session, trial or [], every=every)
    if form is Format.RERUN:
        if out.exists():
            raise ExportError(f"{out} exists: give a folder that does not, or remove it first")
        for rollout in rollouts:
            typer.echo(f"{export_rerun(rollout, out / f'{rollout.name}.rrd')}")
        return
    frames = export_lerobot(rollouts, out, unit=wanted, pictures=pictures.value)
    typer.echo(f"{out}: {len(rollouts)} trials, {frames} frames, joints in {wanted.value}")
