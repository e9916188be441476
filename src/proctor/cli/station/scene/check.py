"""``proctor station scene check``: the gate from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.station._writing import writing

from ._common import CameraName, SceneName, Zoomed, one_scene, view_of

if TYPE_CHECKING:
    from proctor.station.scene import GateResult


def check(
    scene: SceneName,
    camera: CameraName,
    references: Annotated[Path, typer.Option(help="Checkout of VLAReplica, or a folder of captured references.")],
    tolerance_mm: Annotated[float, typer.Option(min=1.0, max=100.0, help="How far an object may stand off.")] = 10.0,
    picture: Annotated[Path | None, typer.Option(help="Also write the overlay here (JPEG).")] = None,
    zoomed: Zoomed = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Compare what the top camera sees with a scene's reference: camera, light, objects; say what to move where.

    Left and right are those of the picture. Exit code: 0 accepted, 1 not yet.
    """
    from proctor.station.scene import Tolerance, check_scene, load_reference, overlay_jpeg, reference_path

    reference = load_reference(reference_path(one_scene(scene), references))
    live = view_of(camera, zoomed)
    result = check_scene(reference, live, Tolerance(object_mm=tolerance_mm))
    if picture is not None:
        with writing(picture):
            picture.write_bytes(overlay_jpeg(reference, live, result))
    if as_json:
        typer.echo(json.dumps(result.to_json(), indent=2))
    else:
        _print(result)
    if not result.ok:
        raise typer.Exit(1)


def _print(result: GateResult) -> None:
    from rich.console import Console
    from rich.table import Table

    shift = result.camera
    if shift is not None:
        typer.echo(
            f"camera: shift {shift.dx_px:+.1f}, {shift.dy_px:+.1f} px, turn {shift.turn_deg:+.2f}°, "
            f"scale {shift.scale:.4f} ({shift.matches} features)"
        )
    if result.light:
        worst = max(result.light, key=lambda item: abs(item.lightness))
        typer.echo(
            f"light: {worst.lightness:+.1f} steps of lightness, tint {max(item.tint for item in result.light):.1f}"
        )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("object", "right mm", "to robot mm", "off mm", "turn", "overlap", ""):
        table.add_column(heading, justify="left" if heading in {"object", ""} else "right", no_wrap=True)
    for item in result.objects:
        numbers = (
            [f"{round(item.right_mm):+d}", f"{round(item.robot_mm):+d}", f"{item.distance_mm:.0f}"]
            if item.found
            else ["-"] * 3
        )
        turn = "-" if item.turn_deg is None else f"{round(item.turn_deg):+d}°"
        verdict = "[red]move[/]" if item.name in result.wrong else "[green]ok[/]"
        table.add_row(item.name, *numbers, turn, f"{item.iou:.2f}", verdict)
    Console(highlight=False).print(table)
    for line in result.advice:
        typer.echo(f"- {line}")
    typer.echo("gate: " + ("accepted" if result.ok else "not yet"))
