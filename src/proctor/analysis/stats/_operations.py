"""Operations: the times to success of one arm, with the episode each belongs to.

The episode is the unit that was randomised, so it is the unit that is resampled and permuted; operations never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import Bools, Floats, Ints, StatsError, as_labels, as_times_events

_TIME_NAMES = ("times", "time", "time_s", "T", "t")
_EVENT_NAMES = ("events", "event", "E", "e")


@dataclass(frozen=True, slots=True)
class Operations:
    """One arm. ``times`` [s], ``events`` and ``episode`` (a code 0 .. n - 1) are per operation, the rest per episode.

    ``stratum`` is the cell within which arms are compared (object, task). ``block`` joins episodes that may change
    places with one another: a session, or a pair of episodes on the same layout. ``rule`` says how rows were made.
    """

    times: Floats
    events: Bools
    episode: Ints
    episode_ids: NDArray[Any]
    stratum: NDArray[Any]
    block: NDArray[Any] | None = None
    duration_s: Floats | None = None
    items: Ints | None = None
    rule: Mapping[str, str] | None = None

    @classmethod
    def from_arrays(
        cls,
        times: ArrayLike,
        events: ArrayLike,
        *,
        episode: ArrayLike | None = None,
        stratum: ArrayLike | None = None,
        block: ArrayLike | None = None,
        name: str = "",
    ) -> Operations:
        """Build an arm from equally long columns; without ``episode`` each observation is an episode of its own."""
        t, e = as_times_events(times, events, name)
        suffix = f" of arm {name}" if name else ""
        labels = np.arange(t.size) if episode is None else as_labels(episode, t.size, f"episode{suffix}")
        ids, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        per_stratum = np.full(t.size, "all") if stratum is None else as_labels(stratum, t.size, f"stratum{suffix}")
        strata = _per_episode(per_stratum.astype(str), first, codes, ids, "strata")
        blocks = None
        if block is not None:
            per_block = as_labels(block, t.size, f"block{suffix}").astype(str)
            blocks = _per_episode(per_block, first, codes, ids, "blocks")
        return cls(t, e, codes.astype(np.int64), ids, strata, blocks)

    @classmethod
    def from_outcomes(
        cls,
        success: ArrayLike,
        time_s: ArrayLike,
        *,
        stratum: ArrayLike | None = None,
        block: ArrayLike | None = None,
        name: str = "",
    ) -> Operations:
        """Build an arm of one-operation episodes: ``time_s`` is when it succeeded, or when it ended without success."""
        t, e = as_times_events(time_s, success, name)
        if np.isinf(t).any():
            raise StatsError(f"time_s[{int(np.flatnonzero(np.isinf(t))[0])}] is infinite: an outcome has a finite time")
        n = t.size
        strata = np.full(n, "all") if stratum is None else as_labels(stratum, n, "stratum").astype(str)
        blocks = None if block is None else as_labels(block, n, "block").astype(str)
        return cls(t, e, np.arange(n), np.arange(n), strata, blocks, t, np.ones(n, dtype=np.int64))

    @property
    def n_episodes(self) -> int:
        """Number of episodes, those without any success included."""
        return int(self.episode_ids.size)

    @property
    def strata(self) -> list[str]:
        return sorted(set(self.stratum.tolist()))

    def groups(self) -> dict[str, tuple[Ints, Ints]]:
        """Return for each stratum, sorted, its episodes and its operations, as indices in order."""
        labels, code = np.unique(self.stratum, return_inverse=True)
        episodes, rows = _split(code, labels.size), _split(code[self.episode], labels.size)
        return {str(label): (episodes[i], rows[i]) for i, label in enumerate(labels)}

    def select(self, keep: Bools) -> Operations:
        """Return the arm with only the episodes where ``keep`` [episodes] is true."""
        keep = np.asarray(keep, dtype=bool)
        if not keep.any():
            raise StatsError("no episode is left in the selection")
        rows = keep[self.episode]
        code = np.cumsum(keep) - 1
        return Operations(
            self.times[rows],
            self.events[rows],
            code[self.episode[rows]].astype(np.int64),
            self.episode_ids[keep],
            self.stratum[keep],
            None if self.block is None else self.block[keep],
            None if self.duration_s is None else self.duration_s[keep],
            None if self.items is None else self.items[keep],
            self.rule,
        )


@dataclass(frozen=True, slots=True)
class Cohort:
    """A named reference: whose episodes, and by which rule they were chosen. Relative scores carry its name."""

    name: str
    arm: Operations
    rule: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise StatsError("a reference cohort needs a name: a ratio to something unnamed means nothing")


def as_operations(data: Any, stratum: Any, episode: Any, block: Any, *, side: int, name: str) -> Operations:
    """Read an arm from `Operations`, from ``(times, events)`` or from a table of columns.

    ``stratum``, ``episode`` and ``block`` are a column's name, or a pair of label vectors (arm a's, arm b's), or None.
    """
    if isinstance(data, Operations):
        if any(not isinstance(given, str | None) for given in (stratum, episode, block)):
            raise StatsError(f"arm {name} is Operations and carries its own labels: pass no label vectors with it")
        return data
    if isinstance(data, tuple) and len(data) == 2:
        times, events = data
        columns: Mapping[str, Any] = {}
    else:
        columns = _columns(data, name)
        times, events = _pick(columns, _TIME_NAMES, name), _pick(columns, _EVENT_NAMES, name)
    return Operations.from_arrays(
        times,
        events,
        episode=_labels(columns, episode, side, "episode", name),
        stratum=_labels(columns, stratum, side, "stratum", name),
        block=_labels(columns, block, side, "block", name),
        name=name,
    )


def _columns(data: Any, name: str) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {column: data[column] for column in data.dtype.names}
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return {str(column): np.asarray(data[column]) for column in data.columns}
    if isinstance(data, Sequence) and data and all(isinstance(row, Mapping) for row in data):
        return {column: [row[column] for row in data] for column in data[0]}
    if isinstance(data, Sequence) and not data:
        raise StatsError(f"arm {name} is empty: it has no rows")
    raise StatsError(f"arm {name} is {type(data).__name__}: give Operations, (times, events) or a table of columns")


def _pick(columns: Mapping[str, Any], names: tuple[str, ...], arm: str) -> Any:
    for name in names:
        if name in columns:
            return columns[name]
    raise StatsError(f"arm {arm} has no column {names[0]!r}: its columns are {', '.join(map(str, columns))}")


def _labels(columns: Mapping[str, Any], asked: Any, side: int, what: str, arm: str) -> Any:
    if asked is None:
        return None
    if isinstance(asked, str):
        if asked not in columns:
            known = ", ".join(map(str, columns)) or "none"
            raise StatsError(f"arm {arm} has no column {asked!r} for {what}: its columns are {known}")
        return columns[asked]
    if len(asked) != 2:
        raise StatsError(f"{what} must be a column name or a pair (labels of arm a, labels of arm b)")
    return asked[side]


def _per_episode(labels: NDArray[Any], first: Ints, codes: Ints, ids: NDArray[Any], what: str) -> NDArray[Any]:
    """Return one label per episode; raise when an episode carries two."""
    result = labels[first]
    wrong = np.flatnonzero(result[codes] != labels)
    if wrong.size:
        row = wrong[0]
        raise StatsError(
            f"episode {ids[codes[row]]!s} is in {what} {result[codes[row]]!s} and {labels[row]!s}: "
            f"duplicate ids, or an episode that changes its cell"
        )
    return np.asarray(result)


def _split(code: Ints, n: int) -> list[Ints]:
    """Return, for each code 0 .. n - 1, the ascending places that carry it."""
    order = np.argsort(code, kind="stable")
    return np.split(order, np.cumsum(np.bincount(code, minlength=n))[:-1])
