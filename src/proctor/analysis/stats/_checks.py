"""Input checks shared by every statistic: bad rows are named, never repaired in silence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The one exception of this package. Its text is one line: what was wrong, where, what to do.


class StatsError(ValueError):
    """Input that has no correct answer: the text says what was wrong, where, and what to do."""


Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def as_vector(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as a float vector without NaN; raise `StatsError` naming the first bad index."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatsError(f"{name} must be numbers: {error}") from None
    if array.ndim != 1:
        raise StatsError(f"{name} must be one-dimensional, it has shape {array.shape}")
    bad = np.flatnonzero(np.isnan(array))
    if bad.size:
        raise StatsError(f"{name}[{bad[0]}] is NaN ({bad.size} of {array.size} values): drop or repair these rows")
    return array


def as_times_events(times: ArrayLike, events: ArrayLike, name: str = "") -> tuple[Floats, Bools]:
    """Check a right-censored sample: times in seconds >= 0, events 0/1, a ghost is (inf, 1), nothing is (inf, 0)."""
    suffix = f"_{name}" if name else ""
    t = as_vector(times, f"times{suffix}")
    e = as_vector(np.asarray(events), f"events{suffix}")
    if t.size != e.size:
        raise StatsError(f"times{suffix} has {t.size} values, events{suffix} has {e.size}: they must be equally long")
    if t.size == 0:
        raise StatsError(f"times{suffix} is empty: an arm without observations has no distribution")
    bad = np.flatnonzero((e != 0) & (e != 1))
    if bad.size:
        raise StatsError(f"events{suffix}[{bad[0]}] is {e[bad[0]]:g}: 1 means observed, 0 means censored")
    bad = np.flatnonzero(t < 0)
    if bad.size:
        raise StatsError(f"times{suffix}[{bad[0]}] is {t[bad[0]]:g}: a time to success cannot be negative")
    bad = np.flatnonzero(np.isinf(t) & (e == 0))
    if bad.size:
        raise StatsError(
            f"times{suffix}[{bad[0]}] is censored at infinity: a hard failure is (inf, 1), a timeout (duration, 0)"
        )
    return t, e.astype(bool)


def as_labels(values: Any, size: int, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or array.size != size:
        raise StatsError(f"{name} has shape {array.shape}, expected ({size},): one label per observation")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise StatsError(f"{name}[{int(np.flatnonzero(np.isnan(array))[0])}] is NaN: every observation needs a label")
    if array.dtype.kind == "O":
        missing = [i for i, value in enumerate(array) if value is None]
        if missing:
            raise StatsError(f"{name}[{missing[0]}] is missing: every observation needs a label")
        array = array.astype(str)
    return array


def check_tau(tau: float) -> float:
    """Return the horizon in seconds; it must be finite and positive."""
    value = float(tau)
    if not np.isfinite(value) or value <= 0:
        raise StatsError(f"tau is {tau!r}: the horizon must be a finite number of seconds above 0")
    return value


def check_share(value: float, name: str, *, closed: bool = False) -> float:
    """Return a probability: in (0, 1), or in [0, 1] when ``closed``."""
    share = float(value)
    inside = 0 <= share <= 1 if closed else 0 < share < 1
    if not inside:
        raise StatsError(f"{name} is {value!r}: it must lie {'in [0, 1]' if closed else 'strictly between 0 and 1'}")
    return share


def check_count(value: int, name: str, *, least: int = 0) -> int:
    if isinstance(value, bool) or int(value) != value or value < least:
        raise StatsError(f"{name} is {value!r}: it must be a whole number of at least {least}")
    return int(value)


def tally(place: NDArray[np.integer[Any]], weights: ArrayLike, size: int) -> Floats:
    """Return the sum of ``weights`` at each place 0 .. size - 1, always as floats."""
    return np.bincount(place, weights=np.asarray(weights, dtype=np.float64), minlength=size).astype(np.float64)
