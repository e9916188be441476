"""``proctor station scene capture``: how this scene shall look from now on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.station._writing import writing

from ._common import CameraName, SceneName, Zoomed, one_scene, view_of

if TYPE_CHECKING:
    from proctor.station.scene import Annotation

_NAMED = re.compile(r"(.+)@(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)")


def capture(
    scene: SceneName,
    camera: CameraName,
    out: Annotated[Path, typer.Option(help="Folder for reference pictures; this one is called scene_NN.png.")],
    name: Annotated[
        list[str] | None, typer.Option(help='What stands at a pixel: "red plate@317,390"; may be repeated.')
    ] = None,
    zoomed: Zoomed = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a reference that exists.")] = False,
) -> None:
    """Take a reference picture of a scene, and say what is seen in it.

    The names go into scene_NN.json beside the picture; edit them there, and outline what is grey on the white floor.
    """
    from proctor.core import ProctorError
    from proctor.station.scene import SceneReference, expected_objects, save_reference, station_floor

    chosen = one_scene(scene)
    path = out / f"scene_{chosen.id:02d}.png"
    if path.exists() and not replace:
        raise ProctorError(f"{path} exists: give --replace, or another --out")
    reference = SceneReference(view_of(camera, zoomed), tuple(_named(text) for text in name or []), str(path))
    objects = expected_objects(reference, station_floor())
    with writing(path):
        save_reference(reference.picture, path, [_annotation(item.name, item.blob.centre) for item in objects])
    typer.echo(f"{path}: scene {chosen.id} ({chosen.name}), {len(objects)} objects")
    for item in objects:
        typer.echo(f"  {item.name} at ({item.blob.centre[0]:.0f}, {item.blob.centre[1]:.0f})")
    typer.echo(f"names are in {path.with_suffix('.json').name}; draw a polygon there for what is missing")


def _named(text: str) -> Annotation:
    from proctor.core import ProctorError
    from proctor.station.scene import Annotation

    found = _NAMED.fullmatch(text)
    if not found:
        raise ProctorError(f'--name {text!r}: write a name and a pixel of the policy\'s view, as "red plate@317,390"')
    return Annotation(found[1].strip(), (float(found[2]), float(found[3])))


def _annotation(name: str, centre: object) -> Annotation:
    import numpy as np

    from proctor.station.scene import Annotation

    x, y = np.asarray(centre, float).round(1).tolist()
    return Annotation(name, (x, y))
