"""What the detector reads: commanded and measured grip, and where the gripper was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError

Floats = NDArray[np.float64]
GRID_HZ = 30.0
# True degrees of the SO-101's gripper: its jaws touch at the first (a block of 25 mm stops them at 2), and a gripper as
# wide as the second is open for everything that fits between them.
CLOSED_DEG, OPEN_DEG = -10.0, 30.0


@dataclass(frozen=True, slots=True)
class TrialTelemetry:
    """Samples at ``time_s``, which need not be even. Grip is 0 for open and 1 for closed (PhAIL's sense).

    ``position_m`` [N, 2] is the gripper on the table. A value that was not recorded is NaN: recording is best effort.
    """

    time_s: Floats
    target_grip: Floats
    grip: Floats
    position_m: Floats

    def __post_init__(self) -> None:
        n = len(self.time_s)
        if self.target_grip.shape != (n,) or self.grip.shape != (n,) or self.position_m.shape != (n, 2):
            raise ProctorError("telemetry needs time, target grip and grip [N] and positions [N, 2] of one length")


@dataclass(frozen=True, slots=True)
class TimeGrid:
    """Telemetry on an even grid: each value holds until the next sample. ``age_s``: since the last whole sample."""

    time_s: Floats
    target_grip: Floats
    grip: Floats
    position_m: Floats
    age_s: Floats


def to_grid(telemetry: TrialTelemetry, hz: float = GRID_HZ) -> TimeGrid:
    """Return the samples on an even grid; grip is the median of three, which a single spike does not move."""
    order = np.argsort(telemetry.time_s, kind="stable")
    order = order[np.isfinite(telemetry.time_s[order])]
    times = telemetry.time_s[order]
    if len(times) < 2:
        empty = np.empty(0)
        return TimeGrid(empty, empty, empty, np.empty((0, 2)), empty)
    grid = times[0] + np.arange(int((times[-1] - times[0]) * hz + 1e-6) + 1) / hz
    command, _ = _held(grid, times, telemetry.target_grip[order])
    grip, seen = _held(grid, times, telemetry.grip[order])
    _, commanded = _held(grid, times, telemetry.target_grip[order])
    place = np.column_stack([_held(grid, times, telemetry.position_m[order, axis])[0] for axis in (0, 1)])
    return TimeGrid(grid, command, median_filter(grip, 3), place, grid - np.minimum(seen, commanded))


def _held(grid: Floats, times: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return for each moment the latest value that is a number, and when it was taken (-inf before the first)."""
    good = np.isfinite(values)
    if not good.any():
        return np.full(len(grid), np.nan), np.full(len(grid), -np.inf)
    taken, kept = times[good], values[good]
    index = np.searchsorted(taken, grid + 1e-9, side="right") - 1
    known = index >= 0
    index = np.maximum(index, 0)
    return np.where(known, kept[index], np.nan), np.where(known, taken[index], -np.inf)


def median_filter(values: Floats, width: int) -> Floats:
    """Return the running median over an odd number of samples."""
    padded = np.pad(values, width // 2, mode="edge")
    result: Floats = np.median(np.lib.stride_tricks.sliding_window_view(padded, width), axis=-1)
    return result


def read_telemetry(path: str | Path) -> TrialTelemetry:
    """Read a trial's ``telemetry.parquet`` (true degrees of the SO-101); positions come from the arm's kinematics.

    Needs MuJoCo, for the model of the arm. The box frame's x and y are the table.
    """
    import pyarrow.parquet as pq

    from proctor.station.arm import JOINTS, JointVector, Unit
    from proctor.station.twin import Reach

    names = ["time_s", "command.gripper", "measured.gripper", *(f"measured.{joint}" for joint in JOINTS[:5])]
    try:
        table = pq.read_table(path, columns=names)
    except (OSError, ValueError, KeyError) as error:
        raise ProctorError(f"cannot read {path}: {str(error).splitlines()[0]}") from None
    values = {name: table.column(name).to_numpy(zero_copy_only=False).astype(np.float64) for name in names}
    reach = Reach()
    poses = np.column_stack([values[f"measured.{joint}"] for joint in JOINTS[:5]])
    places = [reach.point(JointVector((*map(float, pose), 0.0), Unit.TRUE_DEGREES))[:2] for pose in poses]
    return TrialTelemetry(
        values["time_s"],
        _grip(values["command.gripper"]),
        _grip(values["measured.gripper"]),
        np.array(places, dtype=np.float64).reshape(-1, 2),
    )


def _grip(degrees: Floats) -> Floats:
    result: Floats = np.clip((OPEN_DEG - degrees) / (OPEN_DEG - CLOSED_DEG), 0, 1)
    return result
