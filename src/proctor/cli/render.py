"""``proctor render``: a picture of a task's scene."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def render(
    selector: Annotated[
        str, typer.Argument(metavar="TASK", help="Task id, suite, or task file; several make a sheet.")
    ],
    out: Annotated[Path, typer.Option("--out", help="PNG or JPEG file to write.")],
    camera: Annotated[
        str, typer.Option("--camera", help="agentview, wrist, beauty, close, side, head, left or right.")
    ] = "agentview",
    layouts: Annotated[int, typer.Option("--layouts", help="Layouts per task, side by side.")] = 1,
    size: Annotated[int, typer.Option("--size", help="Edge of each picture in pixels.")] = 256,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the layouts.")] = 0,
    steps: Annotated[int, typer.Option("--steps", help="Let the expert act so many steps first.")] = 0,
    include: Annotated[list[str] | None, typer.Option("--include", help="Also tasks of this class: hard.")] = None,
    vision: Annotated[str, typer.Option("--vision", help="Vision levels side by side, as in V0,V1,V4.")] = "V0",
) -> None:
    """Render the start of a task, or of every task of a suite (rows: tasks, columns: layouts, then vision levels)."""
    import numpy as np
    from PIL import Image

    from proctor.core import ProctorError
    from proctor.run.certificates import scene_pictures
    from proctor.tasks.suites import find_all

    if not 16 <= size <= 1024 or layouts < 1:
        raise ProctorError(
            f"--size is {size} and --layouts {layouts}: allowed are 16 to 1024 pixels and at least 1 layout"
        )
    looks = [level.strip().upper() for level in vision.split(",")]
    rows = []
    for task in find_all([selector], include=include or ()):
        pictures = scene_pictures(task, camera=camera, layouts=layouts, size=size, seed=seed, steps=steps, vision=looks)
        rows.append(np.hstack(pictures))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.vstack(rows)).save(out)
    except (OSError, ValueError) as error:
        raise ProctorError(f"cannot write {out}: {error}; use a writable folder and the ending .png or .jpg") from error
    typer.echo(f"{out}: {len(rows)} x {layouts * len(looks)} pictures of {size} x {size}")
