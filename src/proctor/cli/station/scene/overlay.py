"""``proctor station scene overlay``: reference over live, for the eye."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.station._writing import writing

from ._common import CameraName, SceneName, Zoomed, one_scene, view_of


def overlay(
    scene: SceneName,
    camera: CameraName,
    references: Annotated[Path, typer.Option(help="Checkout of VLAReplica, or a folder of captured references.")],
    out: Annotated[Path, typer.Option(help="Picture to write (JPEG).")],
    blend: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of the reference.")] = 0.5,
    heat: Annotated[bool, typer.Option("--heat/--no-heat", help="Redden what differs.")] = True,
    zoomed: Zoomed = False,
) -> None:
    """Write the live picture with the reference over it, rings where objects belong, arrows for those to be moved."""
    from proctor.station.scene import check_scene, load_reference, overlay_jpeg, reference_path

    reference = load_reference(reference_path(one_scene(scene), references))
    live = view_of(camera, zoomed)
    with writing(out):
        out.write_bytes(overlay_jpeg(reference, live, check_scene(reference, live), blend=blend, heat=heat))
    typer.echo(f"{out}: written")
