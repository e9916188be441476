"""Speed against a peer, in one run: both sides alive, measured in turn, medians and their ratio.

    make bench                      everything, about ten minutes
    python benchmarks/bench_sim.py --quick

The peer gets its own virtual environment in .cache/peer-venv (see peer-requirements.txt). Results go to the screen and
to .cache/bench.json. Wall time is what a user waits; processor time is shown beside it because it is nearly untouched
by whatever else the machine does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import startup

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache"
PEER = CACHE / "peer-venv"
REQUIREMENTS = HERE / "peer-requirements.txt"
CROWDS = (5, 10, 20, 40)
Taker = Callable[[int], dict[str, Any]]


def ensure_peer() -> Path:
    """Make the peer's virtual environment if it is not there, or not of these requirements; return its Python."""
    stamp = PEER / ".proctor-ready"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    python = PEER / "bin" / "python"
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"making the peer's environment in {PEER}", flush=True)
        base = getattr(sys, "_base_executable", sys.executable)
        subprocess.run([base, "-m", "venv", "--clear", str(PEER)], check=True)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "-r", str(REQUIREMENTS)]
        subprocess.run([str(python), "-m", "pip", "install", *options], check=True)
        stamp.write_text(wanted)
    return python


class Side:
    """A measuring process; what it prints to stderr goes to a log in .cache."""

    def __init__(self, python: Path, script: str) -> None:
        CACHE.mkdir(exist_ok=True)
        self.log = CACHE / f"bench-{Path(script).stem}.log"
        environment = {"MUJOCO_GL": "egl", **os.environ}
        self.process = subprocess.Popen(
            [python, HERE / script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log.open("w"),
            text=True, cwd=HERE, env=environment,
        )  # fmt: skip
        self.about: dict[str, Any] = self.ask("about")

    def ask(self, measure: str, **arguments: Any) -> dict[str, Any]:
        """Have one measure taken and return it."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"measure": measure, **arguments}) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("@reply "):
                reply: dict[str, Any] = json.loads(line.removeprefix("@reply "))
                return reply
        last = self.log.read_text().strip().splitlines()[-1:] or ["no message"]
        sys.exit(f"a side ended before it answered: {last[0]} (see {self.log})")

    def close(self) -> None:
        """Let the process end."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=60)


def median(results: list[dict[str, Any]]) -> dict[str, float]:
    """Return the median of each figure over repetitions."""
    return {key: statistics.median(result[key] for result in results) for key in ("wall_s", "cpu_s")}


def in_turn(repetitions: int, **measures: Taker) -> dict[str, dict[str, float]]:
    """Take each measure once, then each again, and so on; return the medians by name."""
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in measures}
    for repetition in range(repetitions):
        for name, measure in measures.items():
            results[name].append(measure(repetition))
    return {name: median(values) for name, values in results.items()}


def compare(ours: Side, peer: Side, repetitions: int, quick: bool) -> dict[str, dict[str, Any]]:
    """Measure both sides at steps without and with cameras, and at resets."""
    plain, seen, anew = (40, 8, 3) if quick else (200, 30, 10)
    # A run meets a handful of instance sets per task and compiles each once; that is over before resets are counted.
    ours.ask("resets", n=24, first=0)
    found: dict[str, dict[str, Any]] = {}

    def ours_anew(repetition: int) -> dict[str, Any]:
        return ours.ask("resets", n=anew, first=100 + anew * repetition)

    rows: tuple[tuple[str, float | None, Taker, Taker], ...] = (
        (
            "step, no cameras",
            4.0,
            lambda i: ours.ask("steps", n=plain, cameras=False),
            lambda i: peer.ask("steps", n=plain, cameras=False),
        ),
        (
            "step, two 256² cameras",
            4.0,
            lambda i: ours.ask("steps", n=seen, cameras=True),
            lambda i: peer.ask("steps", n=seen, cameras=True),
        ),
        ("reset", 20.0, ours_anew, lambda i: peer.ask("resets", n=1, hard_reset=True)),
        ("reset, peer keeps its model", None, ours_anew, lambda i: peer.ask("resets", n=3, hard_reset=False)),
    )
    for name, least, mine, theirs in rows:
        result = in_turn(repetitions, ours=mine, peer=theirs)
        ratio = {key: result["peer"][key] / result["ours"][key] for key in ("wall_s", "cpu_s")}
        found[name] = {**result, "ratio_wall": ratio["wall_s"], "ratio_cpu": ratio["cpu_s"], "target": least}
        print_row(name, found[name])
    return found


def print_row(name: str, row: dict[str, Any]) -> None:
    """Print one comparison."""
    ours, peer, target = row["ours"]["wall_s"], row["peer"]["wall_s"], row["target"]
    judged = "" if target is None else f"   target {target:g}x {'met' if row['ratio_wall'] >= target else 'MISSED'}"
    print(
        f"{name:<28} {1e3 * ours:9.2f} ms {1e3 * peer:10.2f} ms {1 / ours:9.1f}/s {1 / peer:8.1f}/s "
        f"{row['ratio_wall']:7.1f}x {row['ratio_cpu']:7.1f}x{judged}",
        flush=True,
    )


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repetitions, to see that it works")
    parser.add_argument("--out", type=Path, default=CACHE / "bench.json")
    options = parser.parse_args()
    repetitions = 2 if options.quick else 5

    peer_python = ensure_peer()
    ours, peer = Side(Path(sys.executable), "side_ours.py"), Side(peer_python, "side_peer.py")
    for side in (ours, peer):
        print(f"{side.about['name']}, mujoco {side.about['mujoco']}, {side.about['nv']} degrees of freedom")
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")

    print(f"{'':<28} {'ours':>12} {'peer':>13} {'ours':>11} {'peer':>10} {'ratio':>8} {'by cpu':>8}")
    compared = compare(ours, peer, repetitions, options.quick)
    first = ours.ask("first_reset")
    print(f"{'first reset, ours compiles':<28} {1e3 * first['wall_s']:9.2f} ms")

    print("\na step without cameras, by number of objects")
    n = 20 if options.quick else 100
    grown = in_turn(
        repetitions, **{str(c): lambda i, c=c: ours.ask("steps", n=n, cameras=False, objects=c) for c in CROWDS}
    )
    for count, result in grown.items():
        relative = result["wall_s"] / grown[str(CROWDS[0])]["wall_s"]
        print(f"{count + ' objects':<28} {1e3 * result['wall_s']:9.2f} ms {relative:12.2f}x of {CROWDS[0]} objects")
    for side in (ours, peer):
        side.close()

    print("\nstart-up, fastest of several")
    started = startup.measure(3 if options.quick else 9)
    for name, best in started.items():
        limit = startup.LIMITS_S.get(name)
        judged = "" if limit is None else f"   limit {limit:g} s {'met' if best['wall_s'] <= limit else 'MISSED'}"
        print(f"{name:<28} {1e3 * best['wall_s']:9.2f} ms {1e3 * best['cpu_s']:9.2f} ms cpu{judged}")

    options.out.parent.mkdir(parents=True, exist_ok=True)
    written: dict[str, Any] = {
        "sides": {"ours": ours.about, "peer": peer.about},
        "machine": {"platform": platform.platform(), "processors": os.cpu_count(), "load": os.getloadavg()},
        "compared": compared,
        "first_reset": first,
        "objects": grown,
        "startup": started,
    }
    options.out.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    print(f"\n{options.out}")


if __name__ == "__main__":
    main()
