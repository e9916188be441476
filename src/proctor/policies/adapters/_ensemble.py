"""Temporal ensembling: the action of a step is the mean of what the last chunks say of it.

A chunk made i steps ago says its row i, and weighs exp(-decay i): the newest weighs most.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

DECAY = 0.1


class Ensemble:
    """Remembers the last ``window`` chunks of one episode."""

    def __init__(self, window: int, decay: float = DECAY) -> None:
        self._window, self._decay = window, decay
        self._chunks: list[Any] = []

    def add(self, chunk: Any) -> Any:
        """Take the chunk [window, D] of this step and return the action [D] for it."""
        self._chunks = [np.asarray(chunk, dtype=np.float64), *self._chunks][: self._window]
        weights = [math.exp(-self._decay * age) for age in range(len(self._chunks))]
        said = [chunk[age] for age, chunk in enumerate(self._chunks)]
        return np.average(said, axis=0, weights=weights)
