"""The ``proctor`` command. Each command's module is imported only when that command runs, so help stays fast."""

from __future__ import annotations

import importlib
import logging
import sys
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from proctor import __version__

from ._help import HelpCommand, HelpGroup, adopt, arrange

# name: (module, function or sub-application, one line of help)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "run": ("proctor.cli.run", "run", "Run a policy on tasks and record every episode; the same command resumes."),
    "serve": ("proctor.cli.serve", "serve", "Serve a policy to runs on this host or others, over one of five wires."),
    "merge": ("proctor.cli.merge", "merge", "Gather the parts of a run that several hosts carried out."),
    "slurm": ("proctor.cli.slurm", "slurm", "Write a job array that carries out a run on a Slurm cluster."),
    "plan-eval": (
        "proctor.cli.plan_eval",
        "plan_eval",
        "Ask a vision-language model for plans, from marked pictures, and score them; the same command resumes.",
    ),
    "demos": ("proctor.cli.demos", "demos", "Let the expert solve tasks and write what succeeded as a dataset."),
    "report": ("proctor.cli.report", "report", "Write a run as a static report that opens from disk."),
    "compare": (
        "proctor.cli.compare",
        "compare",
        "Say which policy is better, by how much, and whether the data can tell.",
    ),
    "power": ("proctor.cli.power", "app", "Plan how many episodes a question needs."),
    "stats": ("proctor.cli.stats", "app", "Summarise runs, rank policies, calibrate the tests."),
    "paraphrase": (
        "proctor.cli.paraphrase",
        "paraphrase",
        "Write a suite's instructions in other words, cell by cell, verified.",
    ),
    "pride": ("proctor.cli.pride", "pride", "Score paraphrases, and a policy's success weighted by their distance."),
    "annotate": ("proctor.cli.annotate", "app", "Write sheets for people who judge paraphrases, and read them."),
    "failures": ("proctor.cli.failures", "failures", "Say whether failed episodes slipped or went elsewhere."),
    "import": ("proctor.cli.import_", "import_", "Write the results of another program as CSV that we read."),
    "language": ("proctor.cli.language", "app", "Set up the language commands; ask if a policy follows instructions."),
    "ls": ("proctor.cli.ls", "ls", "List suites and tasks."),
    "show": ("proctor.cli.show", "show", "Say what a task asks: instruction, goal, cost, objects, and draw a layout."),
    "knowledge": ("proctor.cli.knowledge", "app", "Look at the drawn tasks of the knowledge suites."),
    "check": ("proctor.cli.check", "check", "Prove that the tasks of a suite are sound and solvable."),
    "env": ("proctor.cli.env", "app", "Install other simulators, each in its own virtual environment."),
    "lint": ("proctor.cli.lint", "lint", "Report defects in task files, with line and column."),
    "fmt": ("proctor.cli.lint", "fmt", "Format task files."),
    "render": ("proctor.cli.render", "render", "Render a task's scene to a picture."),
    "assets": ("proctor.cli.assets", "app", "Look at the objects and fixtures."),
    "station": ("proctor.cli.station", "app", "Set up and run the station: arm, twin, cameras, scenes."),
    "doctor": ("proctor.cli.doctor.command", "doctor", "Check this machine and say how to fix what is missing."),
}

# heading: commands, for the help
GROUPS: dict[str, tuple[str, ...]] = {
    "Look around": ("ls", "show", "render", "assets", "knowledge", "doctor"),
    "Examine a policy": ("run", "serve", "merge", "slurm", "plan-eval", "env", "import"),
    "Read and decide": ("report", "compare", "power", "stats", "failures"),
    "Language": ("language", "paraphrase", "pride", "annotate"),
    "Tasks": ("check", "lint", "fmt", "demos"),
    "A real arm": ("station",),
}

# package of an extra, by the name it is imported by: the extra
EXTRAS: dict[str, str] = {
    "cv2": "station",
    "fastapi": "station",
    "gymnasium": "gym",
    "matplotlib": "plots",
    "ompl": "motion",
    "pupil_apriltags": "station",
    "ray": "ray",
    "rerun": "rerun",
    "serial": "station",
    "spacy": "language",
    "uvicorn": "station",
}


def load_command(name: str) -> Any:
    """Import a command's module and return the command."""
    module, attribute, summary = COMMANDS[name]
    holder = importlib.import_module(module)
    target = getattr(holder, attribute)
    if isinstance(target, typer.Typer):
        adopt(target)
        return typer.main.get_command(target)
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    single.command(name=name, short_help=summary, cls=HelpCommand)(target)
    command = typer.main.get_command(single)
    arrange(command, getattr(holder, "PANELS", {}))
    return command


class LazyGroup(HelpGroup):
    """Lists every command from the table, and imports the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the real command in place of the entry that stands for it in the help."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else command, rest


app = typer.Typer(
    name="proctor",
    cls=LazyGroup,
    help="Proctor examines robot policies: what they can do, how they fail, whether they are safe, which is better.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="First steps: proctor doctor, then proctor run arena/static_obstacles --policy expert -n 1 --out runs/first "
    "and proctor report runs/first. Each command's own page: proctor COMMAND --help.",
)


def _stand_in() -> None:
    """Carry a name and a line of help; `LazyGroup` puts the real command in its place."""


for _heading, _names in GROUPS.items():
    for _name in _names:
        app.command(name=_name, help=COMMANDS[_name][2], rich_help_panel=_heading)(_stand_in)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"proctor {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="Say what happens inside; -vv says it in detail.")
    ] = 0,
) -> None:
    if verbose:
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
        logging.getLogger("proctor").setLevel(logging.INFO if verbose == 1 else logging.DEBUG)


def main() -> None:
    """Run the command line; a user's mistake becomes one red line on stderr and its exit code."""
    try:
        app()
    except Exception as error:
        text = str(error) if _is_mistake(error) else _missing(error)
        if not text:
            raise
        typer.secho("error: ", fg=typer.colors.RED, bold=True, err=True, nl=False)
        typer.echo(text, err=True)
        sys.exit(getattr(error, "exit_code", 2))


def _missing(error: Exception) -> str:
    """Return what to install if ``error`` is about a package of an extra, else nothing."""
    package = error.name.partition(".")[0] if isinstance(error, ModuleNotFoundError) and error.name else ""
    extra = EXTRAS.get(package)
    return f"this command needs {package}, which is not installed: pip install 'proctor[{extra}]'" if extra else ""


def _is_mistake(error: Exception) -> bool:
    from proctor.core import ProctorError

    if isinstance(error, ProctorError):
        return True
    # Packages that import nothing of ours have errors of their own; one that was not imported raised none.
    own = (("tasks.cbddl", "CbddlError"), ("tasks.words", "LanguageError"), ("analysis.stats", "StatsError"))
    modules = ((sys.modules.get(f"proctor.{module}"), name) for module, name in own)
    return any(module is not None and isinstance(error, getattr(module, name)) for module, name in modules)
