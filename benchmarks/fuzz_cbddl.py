"""Feed N random and damaged inputs to the task reader: ``python benchmarks/fuzz_cbddl.py 100000 [SEED]``.

Prints how many were tasks, how many were refused, how many crashed, and how many took longer than two seconds.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tasks" / "cbddl"))

from cbddl_fuzz import examine, random_input, seeds

LIMIT_S = 2.0


class Hang(BaseException):
    """Raised by the watchdog; not an ``Exception``, so that nothing can swallow it."""


def _bark(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def main(count: int, seed: int) -> int:
    signal.signal(signal.SIGALRM, _bark)
    rng = random.Random(seed)
    texts = seeds()
    tally = {"task": 0, "refused": 0, "crash": 0, "hang": 0}
    slowest_s, started = 0.0, time.perf_counter()
    for index in range(count):
        text = random_input(rng, texts)
        begun = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
        try:
            tally["task" if examine(text) else "refused"] += 1
        except Hang:
            tally["hang"] += 1
            print(f"hang at {index}: {text[:200]!r}")
        except Exception as error:
            tally["crash"] += 1
            if tally["crash"] <= 5:
                print(f"crash at {index}: {type(error).__name__}: {error}; {text[:400]!r}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        slowest_s = max(slowest_s, time.perf_counter() - begun)
    wall_s = time.perf_counter() - started
    print(f"{count} inputs, {tally}, slowest {slowest_s * 1e3:.0f} ms, {wall_s:.0f} s")
    return 1 if tally["crash"] or tally["hang"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
