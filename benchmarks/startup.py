"""How long the package and its help take to start. Run alone: ``python benchmarks/startup.py``."""

from __future__ import annotations

import json
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


def measure(repetitions: int = 7) -> dict[str, float]:
    """Return the fastest of some runs of each command, in seconds, taken in turn. The minimum is what the code costs;
    anything above it is what else the machine did.
    """
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(repetitions):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
