"""``proctor env``: simulators that live in virtual environments of their own."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

# An object that moves farther than this while the robot rests was not at rest in its start state.
SETTLED_M = 0.02

app = typer.Typer(
    help="Install other simulators, each in its own virtual environment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="gymnasium or libero.")]


@app.command("install")
def install(
    name: Name,
    with_: Annotated[
        list[str] | None, typer.Option("--with", metavar="PACKAGE", help="Another package for it; may be repeated.")
    ] = None,
    python: Annotated[
        str, typer.Option(help="The Python to build it with.", show_default="the one Proctor runs in")
    ] = sys.executable,
) -> None:
    """Make the virtual environment of a simulator, with the exact versions it is known to work with."""
    from proctor.run.foreign import install as make

    made = make(name, extra=with_ or (), python=python, say=typer.echo)
    typer.echo(f"{name} is in {made.folder} (Python {made.python}); try: proctor env ls {name}")


@app.command("ls")
def ls(name: Annotated[str | None, typer.Argument(metavar="[NAME[/PART]]", help="List its tasks.")] = None) -> None:
    """List the simulators, or the tasks of one."""
    from rich.console import Console
    from rich.table import Table

    from proctor.run.foreign import FOREIGN, installed, list_tasks

    if name is not None:
        for task in list_tasks(name):
            typer.echo(f"{task.id}  {task.instruction}".rstrip())
        return
    here = {entry.name: entry for entry in installed()}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "what", "installed"):
        table.add_column(heading, overflow="fold")
    for entry in FOREIGN.values():
        found = here.get(entry.name)
        state = "no" if found is None else str(found.folder)
        if found is not None and not found.current:
            state += " (other versions than this Proctor asks for: install it again)"
        table.add_row(entry.name, entry.about, state)
    Console().print(table)


@app.command("rm")
def rm(name: Name) -> None:
    """Remove a simulator's virtual environment."""
    from proctor.run.foreign import remove

    typer.echo(f"removed {remove(name)}")


@app.command("probe")
def probe(
    selector: Annotated[str, typer.Argument(metavar="NAME[/PART]", help="As for proctor run.")],
    episodes: Annotated[int, typer.Option("--episodes", "-n", min=1, help="Start states of each task.")] = 1,
    env_arg: Annotated[
        list[str] | None, typer.Option("--env-arg", help="key=value for the simulator; may be repeated.")
    ] = None,
) -> None:
    """Let start states rest without a policy and show what moved: another physics engine shows here first.

    Exit code: 0 everything stayed within 2 cm, 1 something did not.
    """
    from proctor.policies import parse_arguments
    from proctor.run.foreign import list_tasks
    from proctor.run.foreign import probe as settle

    args = parse_arguments(env_arg or (), "--env-arg")
    restless = 0
    for task in list_tasks(selector):
        reports = settle(task.id, episodes, **args)
        moved: dict[str, float] = {}
        for report in reports:
            for thing, metres in report["moved_m"].items():
                moved[thing] = max(metres, moved.get(thing, 0.0))
        worst = max(moved, key=lambda thing: moved[thing], default="")
        already = "; THE GOAL IS TRUE AT REST" if any(report["goal"] for report in reports) else ""
        bad = bool(already) or (bool(worst) and moved[worst] > SETTLED_M)
        restless += bad
        farthest = f"{worst} moved {100 * moved[worst]:.1f} cm" if worst else "nothing to move"
        typer.echo(f"{'RESTLESS' if bad else 'at rest '}  {task.id}: {farthest}{already}")
    if restless:
        raise typer.Exit(1)
