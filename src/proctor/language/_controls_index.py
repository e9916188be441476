"""Does a policy listen? One number from runs with the right and with misleading instructions.

Heedlessness H = SR of the task's own goal when told something else / SR when told the task. H = 1: it does the same
whatever it is told; H = 0: told something else, it never does this task. The interval is MOVER-R (Donner & Zou 2012) on
Wilson limits, which stays inside [0, ∞) and is defined at counts of 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ._errors import LanguageError


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two success rates with its interval; ``high`` may be infinite."""

    value: float
    low: float
    high: float
    successes: int
    episodes: int
    base_successes: int
    base_episodes: int


def heedlessness(successes: int, episodes: int, base_successes: int, base_episodes: int, level: float = 0.95) -> Ratio:
    """Return H from counts under misleading (first two) and correct instructions (last two)."""
    if episodes < 1 or base_episodes < 1:
        raise LanguageError("heedlessness needs at least one episode of each kind")
    if not (0 <= successes <= episodes and 0 <= base_successes <= base_episodes):
        raise LanguageError("there cannot be more successes than episodes")
    if base_successes == 0:
        raise LanguageError(
            "the policy never succeeds with the right instruction, so whether it listens cannot be told: "
            "run more episodes or an easier suite"
        )
    p, q = successes / episodes, base_successes / base_episodes
    low_p, high_p = _wilson(successes, episodes, level)
    low_q, high_q = _wilson(base_successes, base_episodes, level)
    low = (p * q - _root((p * q) ** 2 - low_p * high_q * (2 * p - low_p) * (2 * q - high_q))) / (
        high_q * (2 * q - high_q)
    )
    bottom = low_q * (2 * q - low_q)
    high = (p * q + _root((p * q) ** 2 - high_p * low_q * (2 * p - high_p) * (2 * q - low_q))) / bottom
    return Ratio(p / q, max(0.0, low), high, successes, episodes, base_successes, base_episodes)


def _root(value: float) -> float:
    return math.sqrt(max(0.0, value))


def _wilson(successes: int, episodes: int, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = successes / episodes
    centre = (p + z * z / (2 * episodes)) / (1 + z * z / episodes)
    half = z / (1 + z * z / episodes) * math.sqrt(p * (1 - p) / episodes + z * z / (4 * episodes**2))
    return max(0.0, centre - half), min(1.0, centre + half)
