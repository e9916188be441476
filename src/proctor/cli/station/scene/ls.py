"""``proctor station scene ls``: the scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.station.scene import StationScene


def ls(
    scenes: Annotated[
        list[str] | None, typer.Argument(metavar="[SCENES]...", help="7, 1-10, bread, OOD, ID/easy...")
    ] = None,
    references: Annotated[
        Path | None, typer.Option(help="Say which have a reference picture in this folder or checkout of VLAReplica.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with criteria.")] = False,
) -> None:
    """List scenes: number, name, level, distractors, instruction."""
    from proctor.station.scene import select_scenes

    chosen = select_scenes(*(scenes or ["all"]))
    have = {scene.id: _has(scene, references) for scene in chosen}
    if as_json:
        typer.echo(json.dumps([_data(scene, have[scene.id]) for scene in chosen], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ["id", "name", "level", "distractors", *(["reference"] if references else []), "instruction"]
    for heading in headings:
        table.add_column(
            heading, justify="right" if heading in {"id", "distractors"} else "left", no_wrap=heading != "instruction"
        )
    for scene in chosen:
        seen = ["yes" if have[scene.id] else "-"] if references else []
        table.add_row(str(scene.id), scene.name, scene.level, str(scene.distractors), *seen, scene.instruction)
    Console().print(table)


def _has(scene: StationScene, folder: Path | None) -> bool:
    from proctor.station.scene import SceneReferenceError, reference_path

    if folder is None:
        return False
    try:
        return reference_path(scene, folder).is_file()
    except SceneReferenceError:
        if not folder.is_dir():
            raise
        return False


def _data(scene: StationScene, has_reference: bool) -> dict[str, object]:
    return {
        "id": scene.id,
        "name": scene.name,
        "level": scene.level,
        "split": scene.split,
        "distractors": scene.distractors,
        "instruction": scene.instruction,
        "criterion": scene.task.criterion,
        "reference": has_reference,
    }
