"""Run the same specs in separate processes, with one worker and with two, filmed and replayed; compare the hashes.

python benchmarks/determinism.py [--suite arena] [--policy random] [--specs 50]

Prints one line per run and a verdict; exits 1 unless every trajectory hash agrees.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from proctor.results import read_episodes

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="arena")
    parser.add_argument("--policy", default="random")
    parser.add_argument("--specs", type=int, default=50)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "one worker"
        runs = {
            "one worker": [args.policy, "--workers", "1", "--record-steps"],
            "two workers": [args.policy, "--workers", "2"],
            "two workers, filmed": [args.policy, "--workers", "2", "--video", "all"],
            "replayed": ["replay", "--policy-arg", f"path={first}"],
        }
        hashes: dict[str, dict[str, str]] = {}
        code: set[tuple[str, ...]] = set()
        for name, options in runs.items():
            out = Path(folder) / name
            command = [*PROCTOR, "run", args.suite, "--episodes", str(args.specs), "--limit", str(args.specs)]
            began = time.monotonic()
            done = subprocess.run([*command, "--out", str(out), "--policy", *options], stdout=subprocess.DEVNULL)
            took = time.monotonic() - began
            rows = read_episodes(out)
            code |= {
                (row.provenance.proctor, row.provenance.mujoco, row.provenance.assets, row.provenance.robot)
                for row in rows
            }
            hashes[name] = {row.pair_id: row.outcome.trajectory_hash for row in rows if row.status == "completed"}
            same = sum(hashes[name].get(pair) == value for pair, value in hashes["one worker"].items())
            print(f"{name}: {len(rows)} episodes in {took:.1f} s, exit {done.returncode}, {same} equal", flush=True)
        if len(code) > 1:
            print("the code was changed between the runs, so they prove nothing")
        complete = len(code) == 1 and len(hashes["one worker"]) == args.specs
        good = complete and all(found == hashes["one worker"] for found in hashes.values())
        print("PASS" if good else "FAIL")
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
