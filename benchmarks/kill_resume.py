"""Kill a run with SIGKILL at random moments, resume it, and compare it with a run that was left alone.

python benchmarks/kill_resume.py [--kills 10] [--suite arena/static_obstacles] [--policy random] [--seed 1]

Prints one line per kill and a verdict; exits 1 unless the killed run ends with exactly the plan's episodes, none twice,
none lost, and with the same result in every column that does not measure time or place.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from proctor.results import read_episodes, read_history, read_run
from proctor.run.plan import Plan

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--suite", default="arena/static_obstacles")
    parser.add_argument("--policy", default="random")
    parser.add_argument("--episodes", type=int, default=8, help="per task")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of death")
    parser.add_argument("--longest", type=float, default=6.0, help="latest moment of death, seconds after the start")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    command = [*PROCTOR, "run", args.suite, "--policy", args.policy, "--episodes", str(args.episodes)]
    command += ["--workers", str(args.workers), "--seed", "7"]
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        began = time.monotonic()
        subprocess.run([*command, "--out", str(whole)], check=True, stdout=subprocess.DEVNULL)
        print(f"uninterrupted: {len(read_episodes(whole))} episodes in {time.monotonic() - began:.1f} s")
        for number in range(1, args.kills + 1):
            moment = rng.uniform(0.0, args.longest)
            process = subprocess.Popen([*command, "--out", str(killed)], stdout=subprocess.DEVNULL)
            try:
                process.wait(timeout=moment)
                ended = "had already ended"
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                ended = f"killed after {moment:.2f} s"
            rows = len(read_history(killed)) if (killed / "run.json").exists() else 0
            print(f"kill {number:2d}: {ended}, {rows} episodes on record")
        subprocess.run([*command, "--out", str(killed)], check=True, stdout=subprocess.DEVNULL)
        return verdict(whole, killed)


def verdict(whole: Path, killed: Path) -> int:
    """Print and return 0 if both runs agree, else 1."""
    planned = [spec.episode_id for spec in Plan.from_description(read_run(killed)["plan"])]
    history = [row.episode_id for row in read_history(killed)]
    expected = {row.episode_id: row.result() for row in read_episodes(whole)}
    found = {row.episode_id: row.result() for row in read_episodes(killed)}
    lost = set(planned) - set(history)
    twice = len(history) - len(set(history))
    foreign = set(history) - set(planned)
    different = [identity for identity in expected if found.get(identity) != expected[identity]]
    print(
        f"planned {len(planned)}, on record {len(history)}: lost {len(lost)}, twice {twice}, foreign {len(foreign)}, "
        f"different results {len(different)}"
    )
    good = not (lost or twice or foreign or different) and set(expected) == set(planned)
    print("PASS" if good else "FAIL")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
