"""``proctor station console``: the operator's page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.station.camera import Camera


def console(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    arm: Annotated[str, typer.Option(metavar="PORT", help="Serial port of the arm, as in /dev/ttyACM0.")],
    calibration: Annotated[Path, typer.Option(help="The arm's calibration file.")],
    camera: Annotated[
        list[str],
        typer.Option(metavar="NAME=SOURCE", help="top=4 (number or device file); may be repeated. 'top' is needed."),
    ],
    references: Annotated[
        Path | None, typer.Option(help="Your checkout of VLAReplica, or a folder of captured reference pictures.")
    ] = None,
    leader: Annotated[
        str | None, typer.Option(metavar="PORT", help="Leader arm, for sessions with people among the arms.")
    ] = None,
    leader_calibration: Annotated[Path | None, typer.Option(help="The leader arm's calibration file.")] = None,
    host: Annotated[str, typer.Option(help="Address of this machine to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 0,
    camera_hz: Annotated[float, typer.Option(min=1.0, max=60.0, help="Pictures per second and camera.")] = 15.0,
) -> None:
    """Serve the operator's page and print its address; Ctrl-C ends it, the same command goes on where it was."""
    from proctor.core import ProctorError
    from proctor.policies.wire import is_loopback
    from proctor.station.console import ConsoleServer, open_station

    cameras = [_camera(text) for text in camera]
    if "top" not in {found.name for found in cameras}:
        raise ProctorError("the gate looks through the top camera: give --camera top=NUMBER")
    if (leader is None) != (leader_calibration is None):
        raise ProctorError("a leader arm needs both --leader PORT and --leader-calibration FILE")
    held = (leader, leader_calibration) if leader and leader_calibration else None
    with open_station(session, arm, calibration, cameras, references, camera_hz=camera_hz, leader=held) as desk:
        server = ConsoleServer(desk, host, port)
        if not is_loopback(host):
            typer.echo(f"warning: everybody in the network of {host} who has the address can run the arm", err=True)
        typer.echo(f"open {server.url}")
        server.run()


def _camera(text: str) -> Camera:
    from proctor.core import ProctorError
    from proctor.station.camera import PolicyViewCamera, open_camera
    from proctor.station.console import WindowCamera

    name, equals, source = text.partition("=")
    if name not in ("top", "wrist") or not equals:
        raise ProctorError(f"--camera {text}: write top=SOURCE or wrist=SOURCE, as in --camera top=4")
    if source.startswith("window:"):
        return WindowCamera(source.removeprefix("window:"), name)
    found = open_camera(source, name)
    return PolicyViewCamera(found) if name == "top" else found
