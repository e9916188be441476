"""What the scene commands share: one scene by name, one picture of the policy's view."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.station.camera import Picture
    from proctor.station.scene import StationScene

SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="Number (1 to 90) or name (bread/ID/1) of a scene.")]
CameraName = Annotated[
    str, typer.Option("--camera", help="Top camera: number, device file, picture, video, or 'twin'.")
]
Zoomed = Annotated[
    bool, typer.Option("--zoomed", help="The pictures are the policy's view already: do not magnify them.")
]


def one_scene(text: str) -> StationScene:
    """Return the only scene that a user's text means."""
    from proctor.core import ProctorError
    from proctor.station.scene import select_scenes

    found = select_scenes(text)
    if len(found) != 1:
        raise ProctorError(f"{text!r} means {len(found)} scenes: name one, as {found[0].id} or {found[0].name}")
    return found[0]


def view_of(camera: str, zoomed: bool) -> Picture:
    """Take one picture of the policy's view."""
    from proctor.station.camera import open_camera, policy_view

    with closing(open_camera(camera)) as opened:
        picture = opened.read().image
    return picture if zoomed else policy_view(picture)
