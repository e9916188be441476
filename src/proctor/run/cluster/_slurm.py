"""A Slurm job array in which every element runs its shard of one plan, and the last to end merges them.

The elements do not talk to each other: each writes into a folder of its own inside the run folder, on a file system
that every node sees. One that is preempted, or ends at its time limit, resumes when Slurm (or you) starts it again.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.core import ProctorError

_TIME = re.compile(r"(\d+-)?\d{1,3}(:\d{2}){0,2}")
_HEADER = """#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=1-{elements}
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={time}
#SBATCH --output={out}.slurm-%A-%a.log
#SBATCH --requeue
{extra}# Written by proctor. Submit with: sbatch {script}
set -euo pipefail
cd {folder}
"""
_BODY = """
part="${{SLURM_ARRAY_TASK_ID:?submit me with sbatch, or set SLURM_ARRAY_TASK_ID}}"
status=0
{python} -m proctor run {arguments} --shard "$part/{elements}" --workers "${{SLURM_CPUS_PER_TASK:-{cpus}}}" || status=$?
# Another element that ends at the same time may be merging; then there is nothing left to do here.
{python} -m proctor merge {out} --if-whole || true
exit "$status"
"""
_OURS = ("--shard", "--ray", "--workers", "-w")


class SlurmError(ProctorError):
    """A job array that cannot be written."""


@dataclass(frozen=True, slots=True)
class SlurmOptions:
    """The resources of the array: ``elements`` jobs with ``cpus`` CPUs each for at most ``time``."""

    elements: int = 4
    cpus: int = 4
    time: str = "04:00:00"
    partition: str = ""
    account: str = ""


def slurm_script(arguments: Sequence[str], options: SlurmOptions, script: Path) -> str:
    """Return the text of the array script that carries out ``proctor run ARGUMENTS``."""
    if options.elements < 1 or options.cpus < 1:
        raise SlurmError("--elements and --cpus must be at least 1")
    if not _TIME.fullmatch(options.time):
        raise SlurmError(f"--time {options.time!r}: write hours:minutes:seconds, as in 04:00:00")
    for word in (options.partition, options.account):
        if not re.fullmatch(r"[\w.,-]*", word):
            raise SlurmError(f"{word!r} is no name of a Slurm partition or account")
    ours = next((word for word in arguments if word.partition("=")[0] in _OURS), None)
    if ours is not None:
        raise SlurmError(f"leave out {ours.partition('=')[0]}: the script sets it")
    folder = Path.cwd()
    out = _out(arguments)
    extra = "".join(
        f"#SBATCH --{name}={value}\n"
        for name, value in (("partition", options.partition), ("account", options.account))
        if value
    )
    # Slurm reads its header with its own rules: no quotes, no spaces.
    where = folder / out
    if re.search(r"[\s%'\"\\]", str(where)):
        raise SlurmError(f"--out {where}: Slurm cannot write logs to a path with spaces, quotes or %")
    header = _HEADER.format(
        name=re.sub(r"[^\w.-]", "_", f"proctor-{Path(out).name}"),
        elements=options.elements,
        cpus=options.cpus,
        time=options.time,
        out=where,
        extra=extra,
        script=shlex.quote(str(script)),
        folder=shlex.quote(str(folder)),
    )
    body = _BODY.format(
        python=shlex.quote(sys.executable),
        arguments=shlex.join(arguments),
        elements=options.elements,
        out=shlex.quote(out),
        cpus=options.cpus,
    )
    return header + body


def _out(arguments: Sequence[str]) -> str:
    """Return the run folder that the arguments name."""
    for position, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--out" and equals and value:
            return value
        if word in ("--out", "-o") and position + 1 < len(arguments):
            return arguments[position + 1]
    raise SlurmError("name the run folder with --out, on a file system that every node sees")
