"""How often the expert's skills succeed: every scene of tests/policies/scripted/data on many layouts.

    python benchmarks/skill_rates.py [--layouts 24] [scene ...]

Prints successes, mean control steps, and why the others failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from proctor.core import EpisodeSpec, Observation
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import SimEnv

DATA = Path(__file__).parents[1] / "tests" / "policies" / "scripted" / "data"
MAX_STEPS = 900
NOTHING = Observation({}, np.zeros(8), "", 0)


def attempt(env: SimEnv, path: Path, seed: int) -> tuple[bool, int, str]:
    """Play one layout; return success, steps, and what the expert said if it gave up."""
    spec = EpisodeSpec("skills", path.stem, "L0", "", 0, seed, "", "none", task_path=str(path), max_steps=MAX_STEPS)
    policy = ExpertPolicy()
    policy.bind(env)
    env.reset(spec)
    policy.reset("", spec)
    for step in range(MAX_STEPS):
        if env.step(policy.act(NOTHING)).success:
            return True, step + 1, ""
        if policy.failure:
            break
    return False, step + 1, policy.failure or "not reached"


def main() -> int:
    """Play and print; exit 1 if any scene succeeds on less than 95 % of its layouts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layouts", type=int, default=24)
    parser.add_argument("scenes", nargs="*", help="names of files in tests/policies/scripted/data; all by default")
    args = parser.parse_args()
    env, low = SimEnv(), False
    for path in sorted(DATA.glob("*.cbddl")):
        if args.scenes and path.stem not in args.scenes:
            continue
        tries = [attempt(env, path, seed) for seed in range(args.layouts)]
        done = sum(success for success, _, _ in tries)
        why = [f"{seed}: {text}" for seed, (_, _, text) in enumerate(tries) if text]
        print(f"{path.stem:16} {done}/{args.layouts}  {np.mean([steps for _, steps, _ in tries]):.0f} steps", *why)
        low = low or done < 0.95 * args.layouts
    env.close()
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
