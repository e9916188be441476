"""``proctor station calibration-doctor``: is this calibration plausible, and do two arms agree?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ._joint_tables import print_findings, print_pairs


def calibration_doctor(
    file: Annotated[Path, typer.Argument(help="Calibration file of the arm (LeRobot's format).")],
    other: Annotated[Path | None, typer.Argument(help="Calibration file of a second arm to compare it with.")] = None,
) -> None:
    """Judge a calibration from its numbers: range against the mechanics, middle against the zero pose, arm against arm.

    Exits with 1 when something is bad.
    """
    from proctor.station.arm import compare_arms, examine, load_calibration, worst

    arms = [load_calibration(path) for path in (file, *([other] if other else []))]
    verdicts = []
    for arm in arms:
        findings = examine(arm)
        verdicts.append(worst(findings))
        print_findings(findings, arm.name)
    if len(arms) == 2:
        pairs = compare_arms(arms[0], arms[1])
        verdicts.append(worst(pairs))
        print_pairs(pairs, "same command, where the second arm goes instead (true degrees; both zero poses trusted)")
    verdict = max(verdicts, key=("ok", "doubtful", "bad").index)
    typer.echo(f"verdict: {verdict}")
    if verdict == "bad":
        raise typer.Exit(1)
