"""``proctor show``: what one task asks, in words, and one of its layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

CONTROL_HZ = 20
# The sketch: columns run along y (left of the robot is left), rows along x (the robot stands below).
COLUMNS, ROWS = 61, 17
MARKS = "123456789abcdefghijklmnopqrstuvwxyz"


def show(
    selector: Annotated[str, typer.Argument(metavar="TASK", help="Task id, or a task file.")],
    episode: Annotated[int, typer.Option("--episode", "-e", help="Number of the episode whose layout is drawn.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the run.")] = 0,
    picture: Annotated[Path | None, typer.Option("--picture", help="Also write a picture: PNG or JPEG.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Say what a task asks, in words: instruction, goal, cost, objects, level and budget; and draw a layout."""
    from proctor.core import ProctorError, episode_spec
    from proctor.sim import SimEnv
    from proctor.tasks.cbddl import cost_in_words, goal_in_words
    from proctor.tasks.suites import entry_of, find

    if episode < 0:
        raise ProctorError(f"--episode is {episode}: it must be at least 0")
    refs = find(selector)
    if len(refs) != 1:
        raise ProctorError(f"{selector} names {len(refs)} tasks: name one (`proctor ls {selector}` lists them)")
    spec = episode_spec(entry_of(refs[0]), episode, policy="", run_seed=seed)
    env = SimEnv()
    try:
        env.reset(spec)
        task, scene = env.scene.task, env.scene
        placed = [*task.objects, *(fixture for fixture in task.fixtures if fixture.name in scene.assets)]
        things = [
            {
                "name": thing.name,
                "category": thing.category,
                "kind": thing.kind,
                "moves": any(mover.name == thing.name for mover in task.movers),
                "position_m": [round(float(v), 3) for v in scene.origin(thing.name)],
            }
            for thing in placed
        ]
        if picture is not None:
            _write(picture, env.observe(("agentview",), 512).images["agentview"])
    finally:
        env.close()
    facts: dict[str, Any] = {
        "task": spec.task,
        "level": spec.level,
        "episode": episode,
        "seed": seed,
        "instruction": spec.instruction,
        "goal": goal_in_words(task),
        "cost": cost_in_words(task),
        "max_steps": spec.max_steps,
        "budget_s": spec.max_steps / CONTROL_HZ,
        "things": things,
    }
    typer.echo(json.dumps(facts, indent=2, ensure_ascii=False) if as_json else _page(facts))


def _page(facts: dict[str, Any]) -> str:
    cost = facts["cost"] or ["nothing"]
    lines = [
        facts["task"],
        "",
        f"instruction  {facts['instruction']}",
        f"goal         {facts['goal']}; held for 10 control steps",
        *(f"{'cost' if not i else '':<12} {line}" for i, line in enumerate(cost)),
        f"level        {facts['level'] or '–'}",
        f"budget       {facts['max_steps']} control steps = {facts['budget_s']:g} s",
        "",
        f"layout of episode {facts['episode']}, seed {facts['seed']}, seen from above (the robot stands below; metres)",
        *_sketch(facts["things"]),
    ]
    for mark, thing in zip(MARKS, facts["things"], strict=False):
        x, y, _ = thing["position_m"]
        kind = "moves by itself" if thing["moves"] else thing["kind"]
        lines.append(f"  {mark}  {thing['name']} ({thing['category']}, {kind}) at x {x:+.2f}, y {y:+.2f}")
    return "\n".join(lines)


def _sketch(things: list[dict[str, Any]]) -> list[str]:
    xs, ys = ([thing["position_m"][axis] for thing in things] or [0.0] for axis in (0, 1))
    # A column is half as wide as a row is high.
    per_row = max((max(xs) - min(xs)) / (ROWS - 3), 2 * (max(ys) - min(ys)) / (COLUMNS - 3), 0.01)
    far, left = (
        (max(xs) + min(xs)) / 2 + per_row * (ROWS - 1) / 2,
        (max(ys) + min(ys)) / 2 + per_row * (COLUMNS - 1) / 4,
    )
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    for mark, thing in zip(MARKS, things, strict=False):
        x, y, _ = thing["position_m"]
        row, column = round((far - x) / per_row), round((left - y) / per_row * 2)
        while column < COLUMNS - 1 and grid[row][column] != " ":
            column += 1
        grid[row][column] = mark
    edge = "+" + "-" * COLUMNS + "+"
    return [edge, *("|" + "".join(row) + "|" for row in grid), edge]


def _write(path: Path, pixels: Any) -> None:
    from PIL import Image

    from proctor.core import ProctorError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path)
    except (OSError, ValueError) as error:
        raise ProctorError(
            f"cannot write {path}: {error}; use a writable folder and the ending .png or .jpg"
        ) from error
