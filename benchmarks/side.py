"""One side of a comparison: a process that makes its environments once, then measures what it is told to.

Sides run in different virtual environments, so they are separate processes that talk JSON lines over pipes; while one
measures, the other waits. This file uses the standard library only, for both to import.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Measure = Callable[..., dict[str, Any]]


def timed(work: Callable[[], object], count: int) -> dict[str, Any]:
    """Do ``work`` and return how long each of its ``count`` parts took, in wall and in processor seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {
        "wall_s": (time.perf_counter() - wall) / count,
        "cpu_s": (time.process_time() - cpu) / count,
    }


def serve(measures: dict[str, Measure]) -> None:
    """Answer requests ``{"measure": name, ...arguments}`` until the pipe closes.

    Replies are marked, because libraries print too.
    """
    for line in sys.stdin:
        request = json.loads(line)
        reply = measures[request.pop("measure")](**request)
        print(f"@reply {json.dumps(reply)}", flush=True)
