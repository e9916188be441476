"""``proctor demos``: expert demonstrations of tasks, as a run and as a dataset."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from proctor.learn.demos import TaskDemos

POLICY = "proctor.policies.scripted.motion:PlanningExpert"


def demos(
    selectors: Annotated[
        list[str], typer.Argument(metavar="SELECTOR", help="Suite, part of a task id, or a folder or file of tasks.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the demonstrations.")],
    episodes: Annotated[int, typer.Option("--episodes", "-n", help="Episodes of each task.")] = 10,
    travel: Annotated[
        Literal["both", "planned", "scripted"],
        typer.Option(help="Transfers: planned where scripted ways are blocked, always planned, or never."),
    ] = "both",
    cameras: Annotated[str, typer.Option(help="Cameras of the dataset, separated by commas.")] = "agentview,wrist",
    size: Annotated[int, typer.Option(min=32, max=1024, help="Pixels of a picture's side.")] = 256,
    pictures: Annotated[Literal["video", "image", "none"], typer.Option(help="Films, PNG, or no dataset.")] = "video",
    seed: Annotated[int, typer.Option(help="Decides every layout.")] = 0,
    levels: Annotated[str | None, typer.Option(help="Only these levels, as in L0,L1.", show_default="all")] = None,
    include: Annotated[
        list[str] | None, typer.Option(help="Also tasks that are left out by default: hard.", show_default="none")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", help="Processes.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let the expert solve every task, write what succeeded as a LeRobotDataset, and say what it took.

    OUT/run is a run like any other (the same command resumes it, 'proctor report' shows it); OUT/dataset holds the
    successes, played again before the cameras. Exit code 1 where nothing succeeded or an episode ended in an error.
    """
    from proctor.core import ProctorError
    from proctor.learn.demos import by_task, export, total
    from proctor.policies.scripted.motion import available
    from proctor.results import read_episodes
    from proctor.run.engine import EpisodeOptions, RunOptions, execute
    from proctor.run.plan import Plan, plan_tasks
    from proctor.sim import CAMERAS

    from ._progress import progress_for

    if travel != "scripted" and not available():
        raise ProctorError(f"--travel {travel} needs OMPL: pip install 'proctor[motion]', or ask for --travel scripted")
    chosen = [name.strip() for name in cameras.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in CAMERAS]
    if unknown:
        raise ProctorError(f"--cameras: no camera {unknown[0]!r} (there are {', '.join(CAMERAS)})")
    if pictures != "none" and (out / "dataset").exists():
        raise ProctorError(f"{out / 'dataset'} exists: remove it, or give another --out")
    tasks = plan_tasks(selectors, levels=levels, include=include or ())
    plan = Plan(tasks=tasks, episodes=episodes, seed=seed, policy="planner", policy_args={"travel": travel})
    options = RunOptions(workers=workers, policy=POLICY, episode=EpisodeOptions(record_steps=True))
    with progress_for(f"demonstrations of {len(tasks)} tasks") as progress:
        result = execute(
            plan, out / "run", options, command=["proctor", *sys.argv[1:]], arguments={}, progress=progress
        )
    rows = list(read_episodes(out / "run"))
    lines, whole = by_task(rows), total(rows)
    told = {"travel": travel, "tasks": [asdict(line) for line in lines], "all": asdict(whole)}
    (out / "demos.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    written = 0
    if pictures != "none" and whole.k:
        written = export(plan, rows, out / "run", out / "dataset", cameras=chosen, size=size, pictures=pictures)
    if as_json:
        typer.echo((out / "demos.json").read_text(encoding="utf-8"), nl=False)
    else:
        _print([*lines, whole], written, out)
    if result.errors or not whole.k:
        raise typer.Exit(1)


def _print(lines: list[TaskDemos], written: int, out: Path) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("task", "succeeded", "95 % interval", "planning", "wall", "length"):
        table.add_column(head, justify="left" if head == "task" else "right", overflow="fold")
    for line in lines:
        low, high = line.interval
        table.add_row(
            "/".join(line.task.split("@")[0].split("/")[-2:]),
            f"{line.k} of {line.n}",
            f"{100 * low:.0f} to {100 * high:.0f} %",
            *(f"{value:.1f} s" if line.k else "–" for value in (line.planning_s, line.wall_s, line.length_s)),
        )
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    console.print("· medians over successes: thinking of the expert, wall time, simulated time", style="dim")
    if written:
        console.print(f"{written} demonstrations in {out / 'dataset'}")
