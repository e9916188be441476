"""``proctor report``: from run folders to a static report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    run_dirs: Annotated[list[Path], typer.Argument(metavar="RUN_DIR...", help="Folders made by 'proctor run'.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the report.", show_default="RUN_DIR/report")
    ] = None,
    max_pages: Annotated[
        int, typer.Option(min=0, help="Beyond so many episodes, only failed and filmed ones get a page of their own.")
    ] = 2000,
) -> None:
    """Write one report of all RUN_DIRs, side by side, and print the path of its first page.

    The folder opens from disk: no server, no network. An older report in it is replaced.
    """
    from proctor.report import write_report

    typer.echo(write_report(run_dirs, out, max_pages=max_pages))
