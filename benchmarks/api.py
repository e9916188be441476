"""What an object costs that `proctor.evaluate` serves, against the same policy by name on the command line.

    python benchmarks/api.py [--episodes 20] [--workers 2] [--rounds 3]

Both run the same episodes of arena/static_obstacles/L1 with two cameras of 256 pixels; the policy does a little
arithmetic on both pictures. The rounds alternate, each of both. Whole wall time, start of interpreters included for
the command, import of `proctor` excluded for the call, as a training loop has it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

import proctor
from proctor import Observation, PolicySpec

TASK = "arena/static_obstacles/L1"
STEPS = 100


class Looker:
    """Moves by the brightness of what it sees."""

    def spec(self) -> PolicySpec:
        return PolicySpec(name="looker", cameras=("agentview", "wrist"))

    def reset(self, instruction: str, episode: proctor.EpisodeSpec) -> None:
        self.told = instruction

    def act(self, observation: Observation) -> np.ndarray:
        light = [image.mean() / 255.0 for image in observation.images.values()]
        return np.clip([light[0] - 0.5, light[1] - 0.5, 0.0, 0.0, 0.0, 0.0, -1.0], -1.0, 1.0)


def by_command(folder: Path, episodes: int, workers: int) -> float:
    words = ["run", TASK, "--policy", "api:Looker", "--limit", str(episodes), "--workers", str(workers)]
    words += ["--max-steps", str(STEPS), "--out", str(folder)]
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "proctor", *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def by_call(folder: Path, episodes: int, workers: int) -> float:
    began = time.perf_counter()
    proctor.evaluate(Looker(), TASK, limit=episodes, workers=workers, max_steps=STEPS, out=folder)
    return time.perf_counter() - began


def paths(folder: Path) -> dict[str, str]:
    return {row.pair_id: row.outcome.trajectory_hash for row in proctor.load_run(folder).episodes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    # The command imports this file as a module; a class of __main__ would have another name.
    os.chdir(Path(__file__).parent)
    commands, calls = [], []
    with tempfile.TemporaryDirectory() as name:
        for number in range(asked.rounds):
            folders = [Path(name) / f"{way}-{number}" for way in ("command", "call")]
            commands.append(by_command(folders[0], asked.episodes, asked.workers))
            calls.append(by_call(folders[1], asked.episodes, asked.workers))
            same = paths(folders[0]) == paths(folders[1])
            print(f"round {number + 1}: command {commands[-1]:.1f} s, call {calls[-1]:.1f} s, same bytes: {same}")
    print(f"evaluate(object) / command line: {median(calls) / median(commands):.2f} (medians of {asked.rounds})")


if __name__ == "__main__":
    main()
