"""``proctor station camera intrinsics``: the lens from pictures of a board."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.station._writing import require_writable, writing

if TYPE_CHECKING:
    from proctor.station.camera import Picture


def intrinsics(
    camera: Annotated[str, typer.Option(help="Number or device file, a folder of pictures, or a video.")],
    out: Annotated[Path, typer.Option(help="File to write (JSON).")],
    board: Annotated[
        str,
        typer.Option(help="8x6: inner corners of a chessboard; charuco:9x7: squares of a ChArUco board (4x4 markers)."),
    ] = "8x6",
    views: Annotated[int, typer.Option(min=1, help="How many different views to take.")] = 20,
    seconds: Annotated[float, typer.Option(min=1.0, help="Give up after this time.")] = 180.0,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the pictures in which the board was found, in this folder.")
    ] = None,
) -> None:
    """Calibrate a lens. Move the board about: near and far, tilted each way, into every corner of the picture.

    Too few views, a residual above 0.3 px or an uncertain focal length are refused.
    """
    from proctor.station.camera import calibrate_lens, collect_views, open_camera, parse_board, save_lens

    printed = parse_board(board)
    require_writable(out)

    def seen(number: int, picture: Picture) -> None:
        typer.echo(f"view {number} of {views}", err=True)
        if keep is not None:
            from PIL import Image

            with writing(keep / f"view_{number:02d}.png"):
                Image.fromarray(picture).save(keep / f"view_{number:02d}.png")

    with closing(open_camera(camera)) as opened:
        found, size = collect_views(opened, printed, views, seconds, seen)
    lens = calibrate_lens(found, size)
    with writing(out):
        save_lens(lens, out)
    typer.echo(f"{lens.views} views, residual {lens.rms_px:.3f} px, focal length ± {lens.focal_error_px:.2f} px")
    typer.echo(f"fx {lens.fx:.2f}  fy {lens.fy:.2f}  cx {lens.cx:.2f}  cy {lens.cy:.2f}")
    typer.echo(f"{out}: written, for pictures of {lens.width}x{lens.height}")
