"""When to run the model: a rule without a knob.

While the device is idle, the requests that wait are run together as soon as

- the batch is full, or
- every live session waits (nobody else can come), or
- the oldest has waited a quarter of the forward time, counted from when it came or from when the device fell idle,
  whichever is later.

Counting from arrival alone settles into half batches: what came during a forward has waited long enough the moment it
ends, while the other half is about to come. The forward time is the median of the last nine, so that a first call that
compiles does not slow the next ones. Measured in ``benchmarks/serving``.

Stand-alone: the standard library only, for the single-file servers too.
"""

from __future__ import annotations

from collections import deque
from statistics import median

PATIENCE = 0.25
# A session that has said nothing for so long is not waited for; it may still come back.
SILENCE_S = 5.0


class Batching:
    """The state of the rule for one device. Times are seconds of one monotonic clock."""

    def __init__(self, max_batch: int) -> None:
        self.max_batch = max_batch
        self._forwards: deque[float] = deque(maxlen=9)
        self._idle_since = 0.0
        self._patience_s = 0.0

    def wait_s(self, now: float, waiting: int, oldest: float, live: int) -> float:
        """Return how long ``waiting`` requests, the first of which came at ``oldest``, must wait; 0 means: run them."""
        if waiting >= min(self.max_batch, live):
            return 0.0
        return max(0.0, max(oldest, self._idle_since) + self._patience_s - now)

    def ran(self, began: float, ended: float) -> None:
        """Note a forward of the device."""
        self._forwards.append(ended - began)
        self._patience_s = PATIENCE * median(self._forwards)
        self._idle_since = ended
