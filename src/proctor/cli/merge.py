"""``proctor merge``: one run folder from the parts of a run that several hosts have carried out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Run folders; one that holds shards stands for them."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The run folder to make or to add to.", show_default="RUN, where it is one"),
    ] = None,
    if_whole: Annotated[
        bool, typer.Option("--if-whole", help="While episodes are missing, write nothing and exit with 0.")
    ] = False,
) -> None:
    """Gather run folders of one plan in one: proctor merge runs/x, or proctor merge A B C --out runs/x.

    Folders of another plan, seed, policy, task or version are refused, as are two results of one episode. Merging again
    adds what has come since; 'proctor run' with the same options, --out and no --shard runs what is missing.

    Exit code: 0 every episode of the plan has a row, 1 some are missing, 2 refused.
    """
    from proctor.run.cluster import merge as merge_runs

    result = merge_runs(folders, out, only_if_whole=if_whole)
    missing = result.planned - result.recorded
    twice = f", {result.duplicates} in several folders" if result.duplicates else ""
    if result.written:
        typer.echo(f"{result.path}: {result.recorded} of {result.planned} episodes, {result.added} added{twice}")
    if missing > 0:
        more = ", ..." if missing > len(result.missing) else ""
        typer.echo(f"missing {missing}: {', '.join(result.missing)}{more}", err=True)
        if not if_whole:
            raise typer.Exit(1)
