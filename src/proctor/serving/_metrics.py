"""Counters of a server, in the text format that Prometheus reads (version 0.0.4)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping, Sequence

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)


class Histogram:
    """Counts values by upper bound; the last bucket is everything above."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str) -> list[str]:
        """Return the cumulative buckets, sum and count."""
        lines, below = [], 0
        for bound, count in zip([*(f"{bound:g}" for bound in self.bounds), "+Inf"], self.counts, strict=True):
            below += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {below}')
        return [*lines, f"{name}_sum {self.total:.6f}", f"{name}_count {below}"]


class Metrics:
    """What a server has done. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = self._episodes = 0
        self._errors: dict[str, int] = {"act": 0, "begin": 0, "frame": 0, "refused": 0}
        self._queue, self._compute = Histogram(SECONDS), Histogram(SECONDS)
        self._total, self._sizes = Histogram(SECONDS), Histogram(SIZES)

    def batch(self, queue_s: Sequence[float], compute_s: float) -> None:
        """Count a forward: how long each of its requests had waited, and how long it took."""
        with self._lock:
            self._requests += len(queue_s)
            self._sizes.add(len(queue_s))
            self._compute.add(compute_s)
            for waited in queue_s:
                self._queue.add(waited)
                self._total.add(waited + compute_s)

    def episode(self) -> None:
        with self._lock:
            self._episodes += 1

    def error(self, kind: str) -> None:
        """Count an error: of the policy in ``act`` or ``begin``, a bad ``frame``, a request that was ``refused``."""
        with self._lock:
            self._errors[kind] += 1

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Return everything; ``gauges`` are present values: name to (help, value)."""
        with self._lock:
            lines = _block("requests_total", "counter", "Observations answered.", [f" {self._requests}"])
            lines += _block("episodes_total", "counter", "Episodes begun.", [f" {self._episodes}"])
            errors = [f'{{kind="{kind}"}} {count}' for kind, count in sorted(self._errors.items())]
            lines += _block("errors_total", "counter", "Errors by kind.", errors)
            for name, meaning, histogram in (
                ("queue_seconds", "Time from arrival to the forward.", self._queue),
                ("compute_seconds", "Time of a forward.", self._compute),
                ("request_seconds", "Time from arrival to the answer.", self._total),
                ("batch_size", "Requests in a forward.", self._sizes),
            ):
                lines += [f"# HELP proctor_{name} {meaning}", f"# TYPE proctor_{name} histogram"]
                lines += histogram.lines(f"proctor_{name}")
        for name, (meaning, value) in gauges.items():
            lines += _block(name, "gauge", meaning, [f" {value:g}"])
        return "\n".join(lines) + "\n"


def _block(name: str, kind: str, meaning: str, values: list[str]) -> list[str]:
    head = [f"# HELP proctor_{name} {meaning}", f"# TYPE proctor_{name} {kind}"]
    return head + [f"proctor_{name}{value}" for value in values]
