"""``proctor language``: install and check what PRIDE needs."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Set up what the language commands need.",
)


@app.callback()
def _group() -> None:
    """Keep ``setup`` a sub-command although it is the only one."""


@app.command()
def setup(
    check: Annotated[bool, typer.Option("--check", help="Install nothing, only say what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Install the pinned parser and word vectors with pip, and compare their files with the known hashes.

    Safe to run again: what is in place is not installed twice. Nothing is downloaded when the commands run.

    Exit code: 0 all in place, 1 something is missing (with --check), 2 the installation failed.
    """
    from proctor.language import PACKAGES, fingerprint, set_up

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
    from proctor.language import damage_of, problem_of

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
