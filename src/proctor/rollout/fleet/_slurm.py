"""A Slurm job array that is a whole fleet: element 0 is the run, the others are its agents.

One ``sbatch`` is all there is to do. Nothing has to live on a login node, no port has to be known beforehand: element 0
writes its address and token into the run folder, which every element sees, and the others wait for it there. If element
0 is preempted or ends at its time limit, Slurm (or you) starts it again, the same command resumes, and the agents that
are left find it by the same file.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ._errors import FleetError

_TIME = re.compile(r"(\d+-)?\d{1,3}(:\d{2}){0,2}")
_HEADER = """#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={time}
#SBATCH --output={out}.slurm-%A-%a.log
#SBATCH --requeue
{extra}# Written by proctor. Submit with: sbatch {script}
set -euo pipefail
cd {folder}
"""
_BODY = """
over={over}.slurm-"${{SLURM_ARRAY_JOB_ID:-0}}".over
if [ "${{SLURM_ARRAY_TASK_ID:?submit me with sbatch, or set SLURM_ARRAY_TASK_ID}}" -eq 0 ]; then
  # Made here, so that no log shows it; the agents read it from the run folder.
  PROCTOR_FLEET_TOKEN="$(head -c 24 /dev/urandom | base64)"
  export PROCTOR_FLEET_TOKEN
  status=0
  {python} -m proctor run {arguments} --listen tcp://0.0.0.0:0 --workers "${{SLURM_CPUS_PER_TASK:-{cpus}}}" || status=$?
  # After an interruption the run goes on later; otherwise elements that start late have nothing to wait for.
  if [ "$status" -le 2 ]; then touch "$over"; fi
  exit "$status"
else
  # A run that is preempted dismisses its agents and comes back: wait for it again.
  while [ ! -e "$over" ]; do
    {python} -m proctor worker {out} --workers "${{SLURM_CPUS_PER_TASK:-{cpus}}}" --patience {patience} --over "$over"
    sleep 1
  done
fi
"""
_OURS = ("--listen", "--fleet", "--ray", "--workers", "-w", "--token")


@dataclass(frozen=True, slots=True)
class SlurmOptions:
    """The resources of the array: ``elements`` jobs with ``cpus`` CPUs each for at most ``time``.

    ``patience_s``: how long an agent waits for element 0 to begin, or to come back.
    """

    elements: int = 4
    cpus: int = 4
    time: str = "04:00:00"
    partition: str = ""
    account: str = ""
    patience_s: int = 1800


def slurm_script(arguments: Sequence[str], options: SlurmOptions, script: Path) -> str:
    """Return the text of the array script that carries out ``proctor run ARGUMENTS``."""
    if options.elements < 1 or options.cpus < 1:
        raise FleetError("--elements and --cpus must be at least 1")
    if not _TIME.fullmatch(options.time):
        raise FleetError(f"--time {options.time!r}: write hours:minutes:seconds, as in 04:00:00")
    for word in (options.partition, options.account):
        if not re.fullmatch(r"[\w.,-]*", word):
            raise FleetError(f"{word!r} is no name of a Slurm partition or account")
    ours = next((word for word in arguments if word.partition("=")[0] in _OURS), None)
    if ours is not None:
        raise FleetError(f"leave out {ours.partition('=')[0]}: the script sets it")
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
        raise FleetError(f"--out {where}: Slurm cannot write logs to a path with spaces, quotes or %")
    header = _HEADER.format(
        name=re.sub(r"[^\w.-]", "_", f"proctor-{Path(out).name}"),
        last=options.elements - 1,
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
        out=shlex.quote(out),
        over=shlex.quote(str(where)),
        cpus=options.cpus,
        patience=options.patience_s,
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
    raise FleetError("name the run folder with --out, on a file system that every node sees")
