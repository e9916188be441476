"""Do the symbolic and the physics executor agree on reference plans? Every task that draws, some episodes each.

    python benchmarks/executors.py --episodes 2 --out /tmp/executors

A reference plan *runs* symbolically if every call can be made, the goal is reached and there is no fault; it *succeeds*
in physics if the scripted skills reach the goal in simulation, under the task's own time limit. One line per episode
goes to ``results.jsonl`` at once; the same command again plays only what is not there yet. Exit 1 below 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from proctor.analysis.stats import wilson
from proctor.core import EpisodeSpec, ProctorError
from proctor.planning import execute, problem_of
from proctor.planning.exam import play_plan
from proctor.sim import SimEnv
from proctor.tasks.knowledge import draw, drawable

ENOUGH = 0.95


def spec_of(slug: str, seed: int, episode: int, folder: Path) -> EpisodeSpec:
    """Draw an episode, keep its text, and return its spec."""
    drawn = draw(slug, seed, episode)
    path = folder / "tasks" / f"{slug}_{seed}_{episode}.cbddl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(drawn.text, encoding="utf-8")
    return EpisodeSpec(
        suite="bench",
        task=slug,
        level="L0",
        task_hash=drawn.task_hash,
        episode=episode,
        seed=seed,
        instruction=drawn.instruction,
        policy="reference",
        task_path=str(path),
        max_steps=drawn.max_steps,
    )


def play(env: SimEnv, spec: EpisodeSpec) -> dict[str, Any]:
    """Carry the reference plan of an episode out twice: by rules and by skills."""
    began = time.monotonic()
    env.reset(spec)
    problem = problem_of(env.scene.task, None, env.scene.assets, slug=spec.task)
    by_rules = execute(problem.plan, problem.world, problem.names)
    played = play_plan(env, spec, problem, problem.plan)
    return {
        "plan": [str(call) for call in problem.plan],
        "runs": by_rules.runs,
        "rules_progress": by_rules.progress,
        "rules_why_not": [attempt.why_not for attempt in by_rules.attempts if attempt.why_not],
        "faults": list(by_rules.faults),
        "succeeds": played.success,
        "progress": played.progress,
        "steps": played.steps,
        "max_steps": spec.max_steps,
        "why_not": [why for why in played.why_not if why],
        "wall_s": round(time.monotonic() - began, 1),
    }


def sweep(slugs: Iterable[str], seed: int, episodes: int, folder: Path) -> dict[str, dict[str, Any]]:
    """Play what is not in the folder yet; return every line by its id."""
    path = folder / "results.jsonl"
    lines = {}
    if path.exists():
        lines = {line["id"]: line for line in map(json.loads, filter(str.strip, path.read_text().splitlines()))}
    env = SimEnv()
    try:
        for episode in range(episodes):
            for slug in slugs:
                identity = f"{slug}#{seed}.{episode}"
                if identity in lines:
                    continue
                try:
                    result = play(env, spec_of(slug, seed, episode, folder))
                except ProctorError as error:
                    result = {"error": str(error).partition("\n")[0]}
                lines[identity] = {"id": identity, "task": slug, **result}
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(lines[identity]) + "\n")
                print(told(lines[identity]), flush=True)
    finally:
        env.close()
    return lines


def told(line: dict[str, Any]) -> str:
    """Return an episode in one line."""
    if "error" in line:
        return f"{line['id']}: not set up: {line['error']}"
    words = [
        f"rules {'run' if line['runs'] else 'no'}",
        f"physics {'ok' if line['succeeds'] else 'no'}",
        f"{line['steps']}/{line['max_steps']} steps",
        *(f"[{why}]" for why in [*line["rules_why_not"], *line["faults"], *line["why_not"]]),
    ]
    return f"{line['id']}: {', '.join(words)}"


def main() -> int:
    """Print the agreement, in all and where it fails by task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="tasks by name; all that draw if none is given")
    parser.add_argument("--episodes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    slugs = options.tasks or list(drawable())
    lines = sweep(slugs, options.seed, options.episodes, options.out)
    asked = {f"{slug}#{options.seed}.{episode}" for slug in slugs for episode in range(options.episodes)}
    chosen = [line for identity, line in lines.items() if identity in asked]
    return report(chosen)


def report(lines: list[dict[str, Any]]) -> int:
    """Print the figures; return the exit code."""
    played = [line for line in lines if "error" not in line]
    if not played:
        print("nothing was played")
        return 1
    agree = [line for line in played if line["runs"] == line["succeeds"]]
    apart: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in played:
        if line["runs"] != line["succeeds"]:
            apart[line["task"]].append(line)
    print(f"\n{len(played)} reference plans of {len({line['task'] for line in played})} tasks")
    for name, wanted in (("symbolic runs", "runs"), ("physics succeeds", "succeeds")):
        print(f"{name}: {_share(sum(line[wanted] for line in played), len(played))}")
    print(f"agreement: {_share(len(agree), len(played))}")
    if errors := len(lines) - len(played):
        print(f"not set up: {errors}")
    for task, found in sorted(apart.items()):
        print(f"  {task}: {len(found)} apart; {'; '.join(dict.fromkeys(_reason(line) for line in found))}")
    return int(len(agree) < ENOUGH * len(played))


def _reason(line: dict[str, Any]) -> str:
    if line["why_not"]:
        return str(line["why_not"][0])
    return f"no call failed, progress {line['progress']}, {line['steps']} of {line['max_steps']} steps"


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{count}/{total} = {100 * count / total:.1f} % [{100 * low:.0f}, {100 * high:.0f}]"


if __name__ == "__main__":
    sys.exit(main())
