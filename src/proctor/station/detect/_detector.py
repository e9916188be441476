"""Operation events from gripper telemetry (PhAIL, Appendix E), with every threshold named.

With g the measured and c the commanded grip (0 open, 1 closed)::

    closed   c rises above command_closed and has not fallen below command_open since; openings shorter than plateau_s
             (chatter) are closed over, closings shorter than hold_s are none
    plateau  max g - min g <= ripple within plateau_s: the jaws have come to rest on something, or where they were told
    held     a plateau above held_low on which the median of c - g is at least held_gap: something blocks the jaws
    empty    c - g <= empty_gap: the jaws have gone all the way

    release  the command opens after hold_s of closed and stays open for plateau_s, and nothing was dropped before
    drop     the command stays closed, but g slumps from held by slump_rise or more into empty for slump_s

For a command that closes fully (c = 1) these are PhAIL's bands: held below 0.90, fully closed from 0.94. Measured from
the command they also hold for an arm that is told to close less. A gap between empty_gap and held_gap may be a thin
item or none: such a candidate is ``unsure``, and so is one with missing samples (max_gap_s) between grasp and release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ._telemetry import GRID_HZ, Floats, TimeGrid, TrialTelemetry, median_filter, to_grid

Bools = NDArray[np.bool_]
# Samples over which the command is smoothed: chatter is shorter than half of it.
_COMMAND_WIDTH = 9


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Grip is 0 to 1, times are seconds."""

    command_closed: float = 0.6
    command_open: float = 0.4
    hold_s: float = 0.30
    plateau_s: float = 0.20
    ripple: float = 0.09
    held_low: float = 0.10
    held_gap: float = 0.10
    empty_gap: float = 0.06
    slump_s: float = 0.15
    slump_rise: float = 0.04
    max_gap_s: float = 0.40


@dataclass(frozen=True, slots=True)
class OutcomeCandidate:
    """An item that left the gripper. Positions are metres on the table, NaN where unknown."""

    kind: Literal["release", "drop"]
    time_s: float
    picked_s: float
    pick_m: tuple[float, float]
    place_m: tuple[float, float]
    unsure: str = ""

    @property
    def hold_s(self) -> float:
        """How long the item was held."""
        return self.time_s - self.picked_s

    @property
    def displacement_m(self) -> float:
        """How far it was carried."""
        return float(np.hypot(self.place_m[0] - self.pick_m[0], self.place_m[1] - self.pick_m[1]))


def find_candidates(telemetry: TrialTelemetry, thresholds: Thresholds | None = None) -> list[OutcomeCandidate]:
    """Return every release and drop, in order of time."""
    limits = thresholds or Thresholds()
    grid = to_grid(telemetry)
    found = []
    for first, last in _runs(_closed(grid, limits)):
        candidate = _candidate(grid, first, last, limits)
        if candidate is not None:
            found.append(candidate)
    return found


def _closed(grid: TimeGrid, limits: Thresholds) -> Bools:
    closed = np.zeros(len(grid.time_s), dtype=bool)
    state = False
    for i, command in enumerate(grid.target_grip):
        state = bool(command > limits.command_closed) or (state and not command < limits.command_open)
        closed[i] = state
    for first, last in _runs(~closed):
        if first > 0 and last < len(closed) and _long(last - first) < limits.plateau_s:
            closed[first:last] = True
    for first, last in _runs(closed):
        if _long(last - first) < limits.hold_s:
            closed[first:last] = False
    return closed


def _candidate(grid: TimeGrid, first: int, last: int, limits: Thresholds) -> OutcomeCandidate | None:
    """Return what left the gripper in one stretch of closed command, or None: empty, or still held at the end."""
    grip = grid.grip[first:last]
    command = median_filter(grid.target_grip[first:last], _COMMAND_WIDTH)
    held = _at_rest(grip, command, limits.held_gap, np.inf, limits)
    thin = _at_rest(grip, command, limits.empty_gap, limits.held_gap, limits)
    holding = held if held.any() else thin
    if not holding.any():
        return None
    pick, rest = int(np.argmax(holding)), int(len(holding) - np.argmax(holding[::-1]))
    unsure = "" if held.any() else "the jaws were almost closed: a thin item, or none"
    # The command may open slowly; what counts is the time before it began to.
    shut = command >= float(np.median(command)) - limits.held_gap
    gone = shut & (command - grip <= limits.empty_gap)
    gone &= grip >= float(np.median(grip[holding])) + limits.slump_rise
    slump = next((at for at, end in _runs(gone) if at >= pick and _long(end - at) >= limits.slump_s), None)
    if slump is not None and held.any():
        kind: Literal["release", "drop"] = "drop"
        at = first + slump
    elif last < len(grid.time_s):
        kind, at = "release", last
        if _long(len(grid.time_s) - last) < limits.plateau_s:
            unsure = "the record ends with the release"
        elif _long(int(np.flatnonzero(shut)[-1]) - rest) > limits.hold_s:
            unsure = "the grip was not at rest before the release"
    else:
        return None
    if float(grid.age_s[first : at + 1].max()) > limits.max_gap_s:
        unsure = "samples are missing"
    return OutcomeCandidate(
        kind, float(grid.time_s[at]), float(grid.time_s[first + pick]), _at(grid, first + pick), _at(grid, at), unsure
    )


def _at_rest(grip: Floats, command: Floats, low: float, high: float, limits: Thresholds) -> Bools:
    """Return the moments within plateaus whose gap to the command is in a band: jaws on their way are not at rest."""
    width = max(2, round(limits.plateau_s * GRID_HZ))
    result = np.zeros(len(grip), dtype=bool)
    if len(grip) >= width:
        windows = np.lib.stride_tricks.sliding_window_view(grip, width)
        gap = np.median(np.lib.stride_tricks.sliding_window_view(command - grip, width), axis=1)
        still = (windows.max(axis=1) - windows.min(axis=1) <= limits.ripple) & (gap > low) & (gap < high)
        for start in np.flatnonzero(still & (np.median(windows, axis=1) > limits.held_low)):
            result[start : start + width] = True
    return result


def _at(grid: TimeGrid, index: int) -> tuple[float, float]:
    """Return the position at a moment: the median of a fifth of a second around it."""
    around = grid.position_m[max(0, index - 3) : index + 4]
    known = around[np.isfinite(around).all(axis=1)]
    return (float(np.median(known[:, 0])), float(np.median(known[:, 1]))) if len(known) else (np.nan, np.nan)


def _runs(mask: Bools) -> Iterator[tuple[int, int]]:
    """Yield (first, one past the last) of every stretch of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    yield from ((int(first), int(last)) for first, last in edges.reshape(-1, 2))


def _long(samples: int) -> float:
    """Seconds of so many samples; half a sample is granted, for edges fall between samples."""
    return (samples + 0.5) / GRID_HZ
