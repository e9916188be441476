"""Does a policy follow its instruction? One number from runs with the right and with misleading instructions.

The instruction-ignoring rate H = SR of the task's own goal when told something else / SR when told the task. H = 1: it
does the same whatever it is told; H = 0: told something else, it never does this task. The interval is MOVER-R (Donner
and Zou 2012) on Wilson limits, which stays inside [0, ∞) and is defined at counts of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from proctor.analysis.stats import wilson
from proctor.tasks.words import CONTROLS, MISLEADING, LanguageError

Outcomes = Mapping[str, Mapping[str, Sequence[bool]]]
"""What was told (``W0`` or a control) -> task -> whether each completed episode reached the task's own goal."""


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


@dataclass(frozen=True, slots=True)
class ControlLine:
    """Success under one kind of instruction, or under several together; ``ratio`` is None for the right one."""

    name: str
    successes: int
    episodes: int
    ratio: Ratio | None


@dataclass(frozen=True, slots=True)
class Following:
    """The right instruction, each control, and all misleading ones together (``overall``, None without any)."""

    lines: tuple[ControlLine, ...]
    overall: ControlLine | None

    @property
    def verdict(self) -> str:
        """Say in a line whether the policy follows its instruction, no more than the interval allows."""
        if self.overall is None or self.overall.ratio is None:
            return f"no misleading instruction was given ({', '.join(MISLEADING)})"
        ratio = self.overall.ratio
        high = f"{ratio.high:.2f}" if math.isfinite(ratio.high) else "∞"
        text = f"instruction-ignoring rate {ratio.value:.2f} [{ratio.low:.2f}, {high}]"
        if ratio.low > 0.5:
            return f"{text}: it mostly does the same whatever it is told"
        if ratio.high < 0.5:
            return f"{text}: it mostly does not do the task when told something else"
        return f"{text}: too few episodes to tell whether it follows its instruction"


def following(outcomes: Outcomes) -> Following:
    """Return success under each control beside that under the right instruction, on the tasks that both have."""
    given = [kind for kind in CONTROLS if kind in outcomes]
    if "W0" not in outcomes or not given:
        what = "with the right instruction" if "W0" not in outcomes else f"with --instruction {', '.join(CONTROLS)}"
        raise LanguageError(f"there is no run {what}; give both kinds")
    right = [won for values in outcomes["W0"].values() for won in values]
    lines = [ControlLine("correct", sum(right), len(right), None)]
    lines += [_line(kind, [kind], outcomes) for kind in given]
    misleading = [kind for kind in MISLEADING if kind in outcomes]
    overall = _line("misleading", misleading, outcomes) if misleading else None
    return Following(tuple(lines), overall)


def _line(name: str, kinds: Sequence[str], outcomes: Outcomes) -> ControlLine:
    shared = [task for task in outcomes["W0"] if any(task in outcomes[kind] for kind in kinds)]
    if not shared:
        raise LanguageError(f"the runs with and without --instruction {name} share no task")
    base = [won for task in shared for won in outcomes["W0"][task]]
    misled = [won for kind in kinds for task in shared for won in outcomes[kind].get(task, ())]
    return ControlLine(name, sum(misled), len(misled), ignoring_rate(sum(misled), len(misled), sum(base), len(base)))


def ignoring_rate(successes: int, episodes: int, base_successes: int, base_episodes: int, level: float = 0.95) -> Ratio:
    """Return H from counts under misleading (first two) and correct instructions (last two)."""
    if episodes < 1 or base_episodes < 1:
        raise LanguageError("the instruction-ignoring rate needs at least one episode of each kind")
    if not (0 <= successes <= episodes and 0 <= base_successes <= base_episodes):
        raise LanguageError("there cannot be more successes than episodes")
    if base_successes == 0:
        raise LanguageError(
            "the policy never succeeds with the right instruction, so whether it follows instructions cannot be told: "
            "run more episodes or an easier suite"
        )
    p, q = successes / episodes, base_successes / base_episodes
    low_p, high_p = wilson(successes, episodes, level)
    low_q, high_q = wilson(base_successes, base_episodes, level)
    low = (p * q - _root((p * q) ** 2 - low_p * high_q * (2 * p - low_p) * (2 * q - high_q))) / (
        high_q * (2 * q - high_q)
    )
    bottom = low_q * (2 * q - low_q)
    high = (p * q + _root((p * q) ** 2 - high_p * low_q * (2 * p - high_p) * (2 * q - low_q))) / bottom
    return Ratio(p / q, max(0.0, low), high, successes, episodes, base_successes, base_episodes)


def _root(value: float) -> float:
    return math.sqrt(max(0.0, value))
