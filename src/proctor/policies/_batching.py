"""When a batch is run: an adaptive rule without a knob.

While the device is idle, the requests that wait are run together as soon as

- the batch is full, or
- every live session waits (nobody else can come), or
- the oldest has waited a quarter of the forward time, counted from when it came or from when the device fell idle,
  whichever is later.

Counting from arrival alone settles into half batches: what came during a forward has waited long enough the moment it
ends, while the other half is about to come. The forward time is the median of the last nine, so that a first call that
compiles does not slow the next ones.

Sessions may also fall into two groups that take turns, each at work while the other is computed. Then those just
answered come back later than anybody waits for them, and a device that waits stands still for a fifth of the time. So
what waits while the last batch is computed is run at once for a while after it has waited for that batch in vain
`VAIN` times in a row; the rule tries again after `AGAIN` forwards, then after twice as many, and so on.

Measured in ``benchmarks/serving`` and ``benchmarks/gpu``. Stand-alone: the standard library only, for the single-file
servers too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from statistics import median

PATIENCE = 0.25
VAIN = 3
AGAIN, AGAIN_MOST = 8, 128
# A session that has said nothing for so long is not waited for; it may still come back.
SILENCE_S = 5.0


class Batching:
    """The state of the rule for one device. Times are seconds of one monotonic clock."""

    def __init__(self, max_batch: int) -> None:
        self.max_batch = max_batch
        self._forwards: deque[float] = deque(maxlen=9)
        self._idle_since = 0.0
        self._patience_s = 0.0
        self._answered: frozenset[str] = frozenset()
        self._waited_with = 0
        self._in_vain = 0
        self._at_once = 0

    def wait_s(self, now: float, sessions: Collection[str], oldest: float, live: int) -> float:
        """Return how long ``sessions``, the first of which asked at ``oldest``, must wait; 0 means: run them."""
        waiting = len(sessions)
        if waiting >= min(self.max_batch, live):
            if self._waited_with:
                self._in_vain = 0
            self._waited_with = 0
            return 0.0
        others = self._answered.isdisjoint(sessions)
        if others and self._at_once:
            self._at_once -= 1
            return 0.0
        left_s = max(oldest, self._idle_since) + self._patience_s - now
        if left_s > 0.0:
            if others and not self._waited_with:
                self._waited_with = waiting
            return left_s
        if self._waited_with:
            self._judge(waiting - self._waited_with)
        return 0.0

    def _judge(self, came: int) -> None:
        """Take in how many came while one group waited for the other."""
        if came >= PATIENCE * self._waited_with:
            self._in_vain = 0
        else:
            self._in_vain += 1
        self._waited_with = 0
        if self._in_vain >= VAIN:
            self._at_once = min(AGAIN << (self._in_vain - VAIN), AGAIN_MOST)

    def ran(self, began: float, ended: float, sessions: Collection[str]) -> None:
        """Note a forward of the device, which answered ``sessions``."""
        self._answered = frozenset(sessions)
        self._forwards.append(ended - began)
        self._patience_s = PATIENCE * median(self._forwards)
        self._idle_since = ended
