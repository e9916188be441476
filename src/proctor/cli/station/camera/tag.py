"""``proctor station camera tag``: does the top camera hang where it should."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.station._writing import writing

if TYPE_CHECKING:
    from proctor.station.camera import AimCheck, PoseCheck


def tag(
    camera: Annotated[str, typer.Option(help="Number or device file, pictures, a video, or 'twin'.")],
    intrinsics: Annotated[Path | None, typer.Option(help="Lens, from 'proctor station camera intrinsics'.")] = None,
    frames: Annotated[int, typer.Option(min=1, help="Pictures whose median counts; fewer than 30 are noisy.")] = 30,
    picture: Annotated[Path | None, typer.Option(help="Write a picture with seen and wanted corners (PNG).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find the tag and compare its corners with their targets; show the pose in both conventions.

    Exit code: 0 each corner is within 2 px of its target, 1 not.
    """
    from proctor.station.camera import aim_picture, check_aim, collect_corners, load_lens, median_corners, open_camera

    lens = None if intrinsics is None else load_lens(intrinsics)
    with closing(open_camera(camera)) as opened:
        found, last = collect_corners(opened, frames)
    check = check_aim(median_corners(found, frames), (last.shape[1], last.shape[0]), lens)
    if picture is not None:
        from PIL import Image

        with writing(picture):
            Image.fromarray(aim_picture(last, check)).save(picture)
    if as_json:
        typer.echo(json.dumps(_data(check), indent=2))
    else:
        _print(check, len(found), has_lens=lens is not None)
    if not check.ok:
        raise typer.Exit(1)


def _print(check: AimCheck, frames: int, has_lens: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from proctor.station.camera import TARGET_PIXELS

    console = Console(highlight=False)
    table = Table(
        title=f"corners in pixels, median of {frames} pictures", title_justify="left", box=None, pad_edge=False
    )
    for heading in ("corner", "seen", "target", "off"):
        table.add_column(heading, justify="left" if heading == "corner" else "right", no_wrap=True)
    names = ("bottom left", "bottom right", "top right", "top left")
    for name, seen, wanted, off in zip(names, check.corners, TARGET_PIXELS, check.off_px, strict=True):
        table.add_row(
            name, *(f"{point[0]:.1f}, {point[1]:.1f}" for point in (seen, wanted)), f"{off[0]:+.1f}, {off[1]:+.1f}"
        )
    console.print(table)
    poses = Table(
        title="pose of the tag (x y z in m; roll pitch yaw in degrees)", title_justify="left", box=None, pad_edge=False
    )
    for heading in ("convention", "x", "y", "z", "roll", "pitch", "yaw", "within 1 cm, 1°"):
        poses.add_column(heading, justify="left" if heading == "convention" else "right", no_wrap=True)
    for pose in check.poses:
        measured = (*(f"{v:.3f}" for v in pose.pose.position), *(f"{v:.1f}" for v in pose.pose.rpy_deg))
        poses.add_row(pose.convention, *measured, "[green]yes[/]" if pose.ok else "[red]no[/]")
        target = (*(f"{v:.3f}" for v in pose.target_m), *(f"{v:.1f}" for v in pose.target_rpy_deg))
        poses.add_row("  target", *target, "")
    console.print(poses)
    if not has_lens:
        typer.echo("own K: not shown; give --intrinsics for the pose in true metres")
    typer.echo(
        f"verdict: {'pass' if check.ok else 'fail'} (worst corner {check.worst_px:.1f} px off; 2 px are allowed)"
    )
    typer.echo(check.advice)


def _data(check: AimCheck) -> dict[str, Any]:
    return {
        "ok": check.ok,
        "worst_px": round(check.worst_px, 3),
        "corners": check.corners.round(3).tolist(),
        "poses": [_pose(pose) for pose in check.poses],
        "advice": check.advice,
    }


def _pose(check: PoseCheck) -> dict[str, Any]:
    return {
        "convention": check.convention,
        "ok": check.ok,
        "position_m": check.pose.position.round(5).tolist(),
        "rpy_deg": [round(value, 3) for value in check.pose.rpy_deg],
        "target_m": list(check.target_m),
        "target_rpy_deg": list(check.target_rpy_deg),
        "reprojection_px": round(check.pose.error_px, 3),
    }
