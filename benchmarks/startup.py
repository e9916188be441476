"""How long the package and its help take to start. Run alone: ``python benchmarks/startup.py``."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = {
    "bare interpreter": [sys.executable, "-c", "pass"],
    "import proctor": [sys.executable, "-c", "import proctor"],
    "proctor --help": [str(Path(sys.executable).parent / "proctor"), "--help"],
}
LIMITS_S = {"import proctor": 0.3, "proctor --help": 0.5}


def measure(repetitions: int = 7) -> dict[str, dict[str, float]]:
    """Return the fastest of some runs of each command, in seconds, taken in turn.

    The minimum is what the code costs; anything above it is what else the machine did.
    """
    best = {name: {"wall_s": float("inf"), "cpu_s": float("inf")} for name in COMMANDS}
    for _ in range(repetitions):
        for name, command in COMMANDS.items():
            wall, cpu = time.perf_counter(), _children_cpu_s()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            taken = {"wall_s": time.perf_counter() - wall, "cpu_s": _children_cpu_s() - cpu}
            best[name] = {key: min(best[name][key], taken[key]) for key in taken}
    return best


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
