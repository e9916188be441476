"""From episodes to operations, by one explicit rule that is stored with every result.

An episode offers ``n_items`` operations. Each success at time t is an operation that took t minus the moment its clock
started. A lost item (dropped out of reach) is a hard failure: T = inf. A safety stop is a hard failure of the attempt
under way. An episode that ends with items left over leaves its last attempt censored. An episode without any success
still contributes a row, for leaving such episodes out would flatter the slowest policies.
A simulated task is the simple case: one operation, done at its success time or censored at its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from ._checks import StatsError
from ._operations import Operations

Ending = Literal["done", "timeout", "safety", "stopped"]
_SLACK_S = 1e-6


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """What statistics need to know of an episode. Times are seconds since its start."""

    episode_id: str
    duration_s: float
    success_times_s: tuple[float, ...] = ()
    lost_times_s: tuple[float, ...] = ()
    ended: Ending = "timeout"
    n_items: int = 1
    budget_s: float | None = None
    stratum: str = "all"
    policy: str = ""
    pair: str = ""
    block: str = ""
    status: str = "completed"

    @property
    def success(self) -> bool:
        return len(self.success_times_s) >= self.n_items


@dataclass(frozen=True, slots=True)
class OpsRule:
    """How episodes become operations.

    ``ghost_clock``   after a lost item the next operation's clock ``restart``s at the loss, or ``continue``s from the
                      last success, which charges the lost time twice (paper, section 3.1)
    ``tail``          the unfinished last attempt is ``censor``ed, or ``omit``ted where the episode has other rows
    ``zero_success``  an episode without success is censored at its real ``duration``, or at its ``budget`` (paper)
    ``censoring``     one censored row ``per_episode``, or one ``per_item`` left over
    ``safety``        the attempt under way at a safety stop is a ``ghost``, or ``censor``ed
    """

    ghost_clock: Literal["restart", "continue"] = "restart"
    tail: Literal["censor", "omit"] = "censor"
    zero_success: Literal["duration", "budget"] = "duration"
    censoring: Literal["per_episode", "per_item"] = "per_episode"
    safety: Literal["ghost", "censor"] = "ghost"

    def __post_init__(self) -> None:
        allowed = {
            "ghost_clock": ("restart", "continue"),
            "tail": ("censor", "omit"),
            "zero_success": ("duration", "budget"),
            "censoring": ("per_episode", "per_item"),
            "safety": ("ghost", "censor"),
        }
        for name, choices in allowed.items():
            if getattr(self, name) not in choices:
                raise StatsError(f"OpsRule.{name} is {getattr(self, name)!r}: choose {' or '.join(choices)}")

    @classmethod
    def paper(cls) -> OpsRule:
        """The PhAIL paper's reading (``compat="paper"``)."""
        return cls(ghost_clock="continue", zero_success="budget")


def operations(rows: Iterable[EpisodeRow], rule: OpsRule | None = None) -> Operations:
    """Return the operations of one arm; rows that did not complete (errors) are no outcomes and are left out.

    ``block`` of the result is the row's pair, or its block where it has no pair; None when no row has either.
    """
    rule = rule or OpsRule()
    kept = [row for row in rows if row.status == "completed"]
    if not kept:
        raise StatsError("no completed episode: an arm of errors only has no outcomes")
    seen: set[str] = set()
    times: list[float] = []
    events: list[bool] = []
    code: list[int] = []
    for i, row in enumerate(kept):
        if row.episode_id in seen:
            raise StatsError(f"episode id {row.episode_id!r} occurs twice: ids must be unique within an arm")
        seen.add(row.episode_id)
        for time, event in episode_operations(row, rule):
            times.append(time)
            events.append(event)
            code.append(i)
    joined = [row.pair or row.block for row in kept]
    return Operations(
        np.array(times),
        np.array(events, dtype=bool),
        np.array(code, dtype=np.int64),
        np.array([row.episode_id for row in kept]),
        np.array([row.stratum for row in kept]),
        np.array(joined) if all(joined) else None,
        np.array([row.duration_s for row in kept]),
        np.array([row.n_items for row in kept], dtype=np.int64),
        {name: str(value) for name, value in asdict(rule).items()},
    )


def episode_operations(row: EpisodeRow, rule: OpsRule) -> list[tuple[float, bool]]:
    """Return the (time, event) rows of one episode, in order of time; never empty."""
    _check(row)
    marks = sorted([(t, True) for t in row.success_times_s] + [(t, False) for t in row.lost_times_s])
    result: list[tuple[float, bool]] = []
    clock = 0.0
    for time, success in marks:
        result.append((time - clock, True) if success else (float("inf"), True))
        if success or rule.ghost_clock == "restart":
            clock = time
    left = row.n_items - len(marks)
    if left > 0 and row.ended == "safety" and rule.safety == "ghost":
        result.append((float("inf"), True))
    elif left > 0 and (rule.tail == "censor" or not result):
        tail = max(0.0, row.duration_s - clock)
        if not row.success_times_s and rule.zero_success == "budget" and row.budget_s is not None:
            tail = row.budget_s
        result += [(tail, False)] * (left if rule.censoring == "per_item" else 1)
    return result


def _check(row: EpisodeRow) -> None:
    where = f"episode {row.episode_id!r}"
    if not np.isfinite(row.duration_s) or row.duration_s < 0:
        raise StatsError(f"{where} has duration {row.duration_s}: it must be a finite number of seconds")
    if row.n_items < 1:
        raise StatsError(f"{where} offers {row.n_items} items: it must offer at least one")
    for time in (*row.success_times_s, *row.lost_times_s):
        if not 0 <= time <= row.duration_s + _SLACK_S:
            raise StatsError(f"{where} has an event at {time} s outside its duration of {row.duration_s} s")
    done = len(row.success_times_s) + len(row.lost_times_s)
    if done > row.n_items:
        raise StatsError(f"{where} has {done} successes and losses but only {row.n_items} items")
    if row.ended == "done" and done < row.n_items:
        raise StatsError(f"{where} ended as done with {row.n_items - done} of {row.n_items} items left over")
