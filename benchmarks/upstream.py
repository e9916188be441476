"""The expert on somebody else's task files, unmodified: solved, not solved, and what cannot be met at all.

python benchmarks/upstream.py FOLDER [--seeds 2] [--max-steps N]

Time is that of ``proctor run FOLDER``: 600 control steps, or 300 per predicate of a goal with more than two.

Prints a row per file: layouts solved, the first reason of a failure, and the linter's errors where the file cannot even
be laid out. Exit 1 if less than 90 % of the layouts of the files that can be laid out are solved.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proctor.core import EpisodeSpec, ProctorError
from proctor.policies.scripted import ExpertPolicy
from proctor.run.engine import EpisodeOptions, run_episode
from proctor.sim import SimEnv, known_categories
from proctor.tasks.cbddl import KnownCategory, check_file
from proctor.tasks.suites import find

ENOUGH = 0.9


def play(env: SimEnv, path: Path, seed: int, max_steps: int) -> tuple[bool, str]:
    """Return whether the expert solved one layout, else why not."""
    spec = EpisodeSpec(
        "upstream", path.stem, "L0", "", 0, seed, "", "expert", task_path=str(path), max_steps=max_steps
    )  # fmt: skip
    policy = ExpertPolicy()
    policy.bind(env)
    row = run_episode(env, policy, spec, EpisodeOptions(policy_timeout_s=600.0))
    return bool(row.outcome.success), row.error or policy.failure or "out of time"


def laid_out(env: SimEnv, path: Path, seed: int) -> str:
    """Return why a layout cannot be made, or nothing."""
    try:
        env.reset(EpisodeSpec("upstream", path.stem, "L0", "", 0, seed, "", "none", task_path=str(path)))
    except ProctorError as error:
        return str(error)
    return ""


def errors(path: Path) -> str:
    """Return the codes of the linter's errors and warnings."""
    _, defects = check_file(path, known={name: KnownCategory(*facts) for name, facts in known_categories().items()})
    return ", ".join(sorted({defect.code for defect in defects if defect.severity != "info"}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--max-steps", type=int)
    options = parser.parse_args()
    env = SimEnv()
    folder = options.folder.resolve()
    steps = {ref.path: options.max_steps or ref.max_steps for ref in find(str(folder))}
    files = sorted(steps)
    solved = played = refused = 0
    for path in files:
        name = path.relative_to(folder)
        why = next(filter(None, (laid_out(env, path, seed) for seed in range(options.seeds))), "")
        if why:
            refused += 1
            print(f"  -    {name}: {why.partition(': ')[2]} [{errors(path)}]", flush=True)
            continue
        results = [play(env, path, seed, steps[path]) for seed in range(options.seeds)]
        wins = sum(good for good, _ in results)
        solved, played = solved + wins, played + len(results)
        reason = next((f": {text}" for good, text in results if not good), "")
        print(f"  {wins}/{len(results)}  {name}{reason}", flush=True)
    print(f"{len(files)} files, {refused} cannot be laid out; {solved} of {played} layouts of the others solved")
    return 0 if played and solved >= ENOUGH * played else 1


if __name__ == "__main__":
    raise SystemExit(main())
