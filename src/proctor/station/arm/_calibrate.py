"""Calibration of an arm by hand: zero pose, then a sweep of every joint from stop to stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from . import registers
from ._arm import So101Arm
from ._calibration import (
    DEGREES_PER_TICK,
    FULL_TURN,
    JOINTS,
    MAX_TICK,
    SERVO_IDS,
    ZERO_TICK,
    Calibration,
    JointCalibration,
    homing_offset_for,
)
from ._errors import CalibrationError

# A joint that turned less was forgotten, not swept.
LEAST_SWEEP_DEG = 20.0


@dataclass(slots=True)
class Sweep:
    """What a sweep has seen so far, in ticks."""

    low: dict[str, int]
    high: dict[str, int]
    now: dict[str, int]
    moved_s: float

    def width_deg(self, joint: str) -> float:
        """How far ``joint`` has been turned in all, in degrees."""
        return (self.high[joint] - self.low[joint]) * DEGREES_PER_TICK

    @property
    def missing(self) -> list[str]:
        """Joints that have hardly been moved."""
        return [joint for joint in JOINTS if joint != FULL_TURN and self.width_deg(joint) < LEAST_SWEEP_DEG]


def set_zero(arm: So101Arm) -> dict[str, int]:
    """Take the present pose as the zero pose: write the homing offsets, after which every joint reads 2047."""
    arm.clear_calibration()
    offsets = {joint: homing_offset_for(tick) for joint, tick in arm.ticks().items()}
    for joint, offset in offsets.items():
        arm.bus.write(SERVO_IDS[joint], registers.HOMING_OFFSET, offset)
    return offsets


def record_sweep(
    arm: So101Arm, done: Callable[[Sweep], bool], show: Callable[[Sweep], None] | None = None, interval_s: float = 0.01
) -> Sweep:
    """Follow the joints while they are moved by hand until ``done`` says so."""
    start = arm.ticks()
    sweep = Sweep(dict(start), dict(start), dict(start), time.monotonic())
    while True:
        ticks = arm.ticks()
        if any(abs(ticks[joint] - sweep.now[joint]) > 2 for joint in JOINTS):
            sweep.moved_s = time.monotonic()
        sweep.now = ticks
        for joint, tick in ticks.items():
            if abs(tick - ZERO_TICK) < ZERO_TICK - 20 or joint == FULL_TURN:
                sweep.low[joint] = min(sweep.low[joint], tick)
                sweep.high[joint] = max(sweep.high[joint], tick)
            else:
                raise CalibrationError(
                    f"{joint} ran past the end of its encoder: the zero pose was not in the middle of its range: "
                    f"start again and hold the zero pose as the guide shows"
                )
        if show is not None:
            show(sweep)
        if done(sweep):
            return sweep
        time.sleep(interval_s)


def finish(arm: So101Arm, offsets: dict[str, int], sweep: Sweep, name: str = "calibration") -> Calibration:
    """Make the calibration, write it into the servos and return it."""
    if sweep.missing:
        raise CalibrationError(
            f"{', '.join(sweep.missing)} turned less than {LEAST_SWEEP_DEG:g} degrees: sweep every joint to both stops"
        )
    joints = {
        joint: JointCalibration(
            id=servo,
            drive_mode=0,
            homing_offset=offsets[joint],
            range_min=0 if joint == FULL_TURN else sweep.low[joint],
            range_max=MAX_TICK if joint == FULL_TURN else sweep.high[joint],
        )
        for joint, servo in SERVO_IDS.items()
    }
    calibration = Calibration(joints, name)
    arm.write_calibration(calibration)
    return calibration
