"""``proctor knowledge``: look at generated tasks: the catalogue, the text of an episode."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from proctor.tasks.knowledge import KnowledgeTask

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="Look at the generated tasks."
)


@app.command()
def show(
    task: Annotated[str, typer.Argument(metavar="TASK", help="Slug, id such as P01, task id, or a .bench file.")],
    episode: Annotated[int, typer.Option("--episode", "-e", help="Number of the episode.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the run.")] = 0,
    proof: Annotated[bool, typer.Option("--proof", help="Print the proof of the answer instead, as JSON.")] = False,
) -> None:
    """Print an episode as a task file; it runs as a file of its own."""
    from proctor.core import ProctorError, episode_seed
    from proctor.tasks.knowledge import KnowledgeFile, draw, knowledge_task
    from proctor.tasks.suites import find

    if episode < 0:
        raise ProctorError(f"--episode is {episode}: it must be at least 0")
    if "/" in task or task.endswith(".bench"):
        refs = find(task)
        if len(refs) != 1 or not refs[0].family:
            raise ProctorError(f"{task} names {len(refs)} tasks: name one generated task (`proctor knowledge ls`)")
        drawn = draw(refs[0].path, episode_seed(seed, refs[0].family, episode), episode)
    else:
        slug = knowledge_task(task).slug
        drawn = draw(slug, episode_seed(seed, f"bench/{KnowledgeFile(slug).family}", episode), episode)
    if proof:
        typer.echo(json.dumps(drawn.proof.as_dict(), indent=2, ensure_ascii=False))
    else:
        typer.echo(drawn.text, nl=False)


@app.command()
def ls(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the tasks of the catalogue with their difficulty and its three ingredients."""
    from proctor.tasks.knowledge import drawable, knowledge_tasks

    known = set(drawable())
    rows = [_row(task, task.slug in known) for task in knowledge_tasks().values()]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    from rich.console import Console

    Console().print(_table(rows))


@app.command("manifest")
def write_manifest(
    selectors: Annotated[list[str], typer.Argument(metavar="SELECTOR...", help="Knowledge suites or tasks.")],
    episodes: Annotated[int, typer.Option("--episodes", "-n", help="Episodes of each task.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the run.")] = 0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write (JSON).")] = None,
) -> None:
    """List episodes by hash, with their answers and how evenly those are spread."""
    from proctor.core import ProctorError, episode_seed
    from proctor.tasks.knowledge import entry, manifest
    from proctor.tasks.suites import find_all

    if episodes < 1:
        raise ProctorError(f"--episodes is {episodes}: it must be at least 1")
    refs = [ref for ref in find_all(selectors) if ref.family]
    if not refs:
        raise ProctorError("no generated task is selected: name a knowledge suite, as in knowledge/track1")
    listed = [
        entry(ref.path, ref.id, episode_seed(seed, ref.family, episode), episode)
        for ref in refs
        for episode in range(episodes)
    ]
    found = manifest(listed)
    if out is not None:
        try:
            out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise ProctorError(f"{out}: cannot be written: {error.strerror or error}") from None
    for task, spreads in found["balance"].items():
        worst = min(spreads.items(), key=lambda item: item[1]["p"])
        typer.echo(f"{task}: {episodes} episodes, least even: {worst[0]} (chi2 {worst[1]['chi2']}, p {worst[1]['p']})")


@app.command("verify")
def verify_manifest(
    file: Annotated[Path, typer.Argument(metavar="MANIFEST", help="File that `proctor knowledge manifest` wrote.")],
) -> None:
    """Draw every episode of a manifest again: exit 0 if all texts are the same, bit for bit, and all that is said of
    them.
    """
    from proctor.core import ProctorError
    from proctor.tasks.knowledge import verify
    from proctor.tasks.suites import find

    try:
        listed = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProctorError(f"{file}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise ProctorError(f"{file}: is no JSON: {error}") from None
    if not isinstance(listed, dict) or not isinstance(listed.get("episodes"), list):
        raise ProctorError(f"{file}: is no manifest: `proctor knowledge manifest ... -o FILE` writes one")
    named = (one.get("task") for one in listed["episodes"] if isinstance(one, dict))
    files = {}
    for task in {name for name in named if isinstance(name, str)}:
        with suppress(ProctorError):
            files[task] = find(task)[0].path
    found = verify(listed, files)
    for line in found:
        typer.echo(line)
    typer.echo(f"{len(listed['episodes'])} episodes, {len(found)} differ")
    if found:
        raise typer.Exit(1)


def _row(task: KnowledgeTask, drawn: bool) -> dict[str, Any]:
    difficulty = task.difficulty
    return {
        "id": task.id,
        "task": task.slug,
        "kind": task.kind,
        "hand": task.feasibility,
        "level": difficulty.level,
        "difficulty": round(difficulty.score, 1),
        "variants": difficulty.variants,
        "calls": difficulty.calls,
        "reasoning": difficulty.reasoning,
        "reasoning_kinds": task.reasoning,
        "max_steps": task.max_steps,
        "drawn": drawn,
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    """Return the catalogue; in a terminal of 80 columns every task stands on one line."""
    from rich.table import Table

    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
        caption="\nL level, DL difficulty, V variants, S skill calls, R reasoning steps, why R their kinds; hand: how "
        "hard it is to carry out; – not drawn yet. The words are explained in docs/explanation/knowledge.md.",
        caption_justify="left",
    )
    table.add_column("", no_wrap=True)
    table.add_column("task", no_wrap=True)
    for heading in ("L", "DL", "V", "S", "R"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why R", no_wrap=True)
    table.add_column("hand", no_wrap=True)
    for row in rows:
        figures = [str(row[key]) for key in ("level", "difficulty", "variants", "calls", "reasoning")]
        name = row["task"] if row["drawn"] else f"[dim]– {row['task']}[/dim]"
        table.add_row(row["id"], name, *figures, row["reasoning_kinds"], row["hand"])
    return table
