"""How fast a policy answered and where the time of its episodes went."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from proctor.results import Episode


@dataclass(frozen=True, slots=True)
class Speed:
    """Requests of some episodes. Latencies in ms, from question to answer as the loop saw them; shares of wall time.

    ``timings`` are the episodes' kinds of timing; ``waited`` is the share of control steps that passed while the policy
    was thinking, None where the world always waited for it.
    """

    requests: int
    p50_ms: float
    p95_ms: float
    slowest_ms: float
    policy_share: float
    env_share: float
    actions_per_request: float
    timings: tuple[str, ...]
    waited: float | None


def speed_of(episodes: Iterable[Episode]) -> Speed | None:
    """Return the speed of the episodes that have latencies on record, None if none has."""
    rows = [row for row in episodes if row.timing.latencies_ms]
    wall = sum(row.timing.wall_s for row in rows)
    if not rows or wall <= 0:
        return None
    latencies = np.concatenate([row.timing.latencies_ms for row in rows])
    steps, waited = sum(row.outcome.steps for row in rows), sum(row.timing.waited_steps for row in rows)
    timings = tuple(sorted({row.spec.timing for row in rows}))
    return Speed(
        requests=len(latencies),
        p50_ms=float(np.percentile(latencies, 50)),
        p95_ms=float(np.percentile(latencies, 95)),
        slowest_ms=float(latencies.max()),
        policy_share=sum(row.timing.policy_s for row in rows) / wall,
        env_share=sum(row.timing.env_s for row in rows) / wall,
        actions_per_request=(steps - waited) / len(latencies),
        timings=timings,
        waited=None if timings == ("pause",) else waited / max(steps, 1),
    )


def milliseconds(value: float) -> str:
    """Return a latency with three digits: 0.512 ms, 12.3 ms, 1230 ms."""
    digits = max(0, 2 - int(np.floor(np.log10(max(value, 1e-3)))))
    return f"{value:.{min(digits, 3)}f} ms"
