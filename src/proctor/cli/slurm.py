"""``proctor slurm``: write a job array that carries out a run on a Slurm cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def slurm(
    script: Annotated[Path, typer.Argument(metavar="FILE", help="The script to write.")],
    arguments: Annotated[
        list[str], typer.Argument(metavar="-- RUN...", help="What would follow 'proctor run'; --out is needed.")
    ],
    elements: Annotated[int, typer.Option(help="Jobs of the array; each runs its part of the episodes.")] = 4,
    cpus: Annotated[int, typer.Option(help="CPUs, and workers, of each job.")] = 4,
    time: Annotated[str, typer.Option(help="Time limit of each job, as Slurm writes it.")] = "04:00:00",
    partition: Annotated[str, typer.Option(help="Partition of the cluster.", show_default=False)] = "",
    account: Annotated[str, typer.Option(help="Account to charge.", show_default=False)] = "",
) -> None:
    """Write a Slurm array script for a run: proctor slurm job.sh --elements 8 -- SUITE --policy P --out runs/x."""
    from proctor.core import ProctorError
    from proctor.run.cluster import SlurmOptions, slurm_script

    options = SlurmOptions(elements, cpus, time, partition, account)
    text = slurm_script(arguments, options, script)
    try:
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)
    except OSError as error:
        raise ProctorError(f"cannot write {script}: {error.strerror}") from None
    typer.echo(f"wrote {script}: submit it with 'sbatch {script}'")
