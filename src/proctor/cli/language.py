"""``proctor language``: set up what PRIDE needs, and ask whether a policy follows its instruction."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from proctor.analysis.words import ControlLine
    from proctor.results import Episode

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Set up what the language commands need, and ask whether a policy follows its instruction.",
)


@app.command()
def setup(
    check: Annotated[bool, typer.Option("--check", help="Install nothing, only say what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Install the pinned parser and word vectors with pip, and compare their files with the known hashes.

    Safe to run again: what is in place is not installed twice. Nothing is downloaded when the commands run.

    Exit code: 0 all in place, 1 something is missing (with --check), 2 the installation failed.
    """
    from proctor.analysis.words import PACKAGES, fingerprint, set_up

    installed = [] if check else [package.name for package in set_up()]
    rows = [_row(package, package.name in installed) for package in PACKAGES]
    if as_json:
        typer.echo(json.dumps({"packages": rows, "files_sha256": fingerprint()["files_sha256"]}, indent=2))
    else:
        for row in rows:
            state = "installed now" if row["installed_now"] else row["problem"] or "in place"
            typer.echo(f"{row['name']} {row['version']}: {state} ({row['licence']}; {row['purpose']})")
            for name, sha in row["files"].items():
                typer.echo(f"  {sha}  {name}")
    if any(row["problem"] for row in rows):
        raise typer.Exit(1)


def _row(package: Any, installed_now: bool) -> dict[str, Any]:
    from proctor.analysis.words import damage_of, problem_of

    problem = problem_of(package)
    return {
        "name": package.name,
        "version": package.version,
        "licence": package.licence,
        "purpose": package.purpose,
        "wheel_sha256": package.wheel_sha256,
        "files": package.files,
        "installed_now": installed_now,
        "problem": problem or damage_of(package),
    }


@app.command()
def controls(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="One run as it is, others with --instruction.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say whether a policy follows its instruction: success on the task's own goal when it was told something else.

    The instruction-ignoring rate is that success rate over the one with the right instruction: 1 does the same whatever
    it is told, 0 never does the task when told another. Runs of one policy, seed and suite are compared on the tasks
    they share.
    """
    from proctor.core import ProctorError
    from proctor.results import read_episodes

    rows = [row for run in runs for row in read_episodes(run) if row.status == "completed"]
    policies = sorted({row.policy.name for row in rows})
    if not policies:
        raise ProctorError("these runs have no completed episode")
    tables = [_controls_of(policy, [row for row in rows if row.policy.name == policy]) for policy in policies]
    if as_json:
        typer.echo(json.dumps({"policies": tables}, indent=2, allow_nan=False))
        return
    for table in tables:
        typer.echo(f"{table['policy']}: {table['verdict']}")
        for line in table["controls"]:
            counts = f"{line['successes']}/{line['episodes']}"
            shown = f"H = {line['h']:.2f} [{line['low']:.2f}, {_bound(line['high'])}]" if "h" in line else ""
            typer.echo(f"  {line['instruction']:<13} {counts:>9}  {shown}".rstrip())


def _bound(value: float | None) -> str:
    return "∞" if value is None else f"{value:.2f}"


def _controls_of(policy: str, rows: list[Episode]) -> dict[str, Any]:
    """Return the counts of one policy by control, each with its H, and all misleading ones together."""
    from proctor.analysis.words import following
    from proctor.core import ProctorError
    from proctor.tasks.words import LanguageError

    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.language.variant][row.spec.task].append(bool(row.outcome.success))
    try:
        heard = following(found)
    except LanguageError as error:
        raise ProctorError(f"policy {policy!r}: {error}") from None
    lines = [*heard.lines, *([heard.overall] if heard.overall else [])]
    return {"policy": policy, "verdict": heard.verdict, "controls": [_plain(line) for line in lines]}


def _plain(line: ControlLine) -> dict[str, Any]:
    counts = {"instruction": line.name, "successes": line.successes, "episodes": line.episodes}
    if line.ratio is None:
        return counts
    high = line.ratio.high if math.isfinite(line.ratio.high) else None
    return counts | {"h": line.ratio.value, "low": line.ratio.low, "high": high}
