"""Units of joint positions, and the way from each to encoder ticks and back.

A joint vector is six numbers that mean nothing without their unit, so the unit is part of the value. With a the tick
that the servo reports (zero pose = 2047), min and max the ends of the sweep, and s = -1 for an inverted drive:

| unit | body joints | gripper | anchored at |
|---|---|---|---|
| ``TICKS`` | a | a | - |
| ``TRUE_DEGREES`` (ours) | s (a - 2047) 360/4096 | the same | zero pose |
| ``LEROBOT_DEGREES`` | (a - (min+max)/2) 360/4095 | 100 (a - min)/(max - min) | middle of the sweep |
| ``LEROBOT_RANGE`` | 200 (a - min)/(max - min) - 100 | 100 (a - min)/(max - min) | both ends of the sweep |
| ``PAPER`` (Eq. 1-3) | (a - 2047) 180/r, r = (max - min)/2 | the same | zero pose, scaled by the sweep |

LeRobot clips its ranges to the sweep, does not clip degrees and ignores the drive mode there; all of that is kept.
Eq. 2 of VLA-REPLICA calls its unit degrees. It is not: half of each joint's own sweep becomes 180, whatever its angle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proctor.core import did_you_mean

from ._calibration import DEGREES_PER_TICK, GRIPPER, JOINTS, MAX_TICK, ZERO_TICK, Calibration, JointCalibration
from ._errors import ArmError, UnitMismatchError


class Unit(StrEnum):
    """What six joint numbers mean. The text is what goes into files."""

    TICKS = "ticks"
    TRUE_DEGREES = "true_degrees"
    LEROBOT_DEGREES = "lerobot_degrees"
    LEROBOT_RANGE = "lerobot_range"
    PAPER = "vla_replica_eq2"

    @classmethod
    def parse(cls, text: str) -> Unit:
        """Return the unit of this name; a wrong name is answered with the nearest."""
        try:
            return cls(text)
        except ValueError:
            names = [unit.value for unit in cls]
            raise ArmError(f"no unit {text!r}{did_you_mean(text, names)} (there are {', '.join(names)})") from None


class Mode(StrEnum):
    """LeRobot's normalisation of one motor (`MotorNormMode`), and the two that are not LeRobot's."""

    RANGE_M100_100 = "range_m100_100"
    RANGE_0_100 = "range_0_100"
    DEGREES = "degrees"
    TRUE_DEGREES = "true_degrees"
    PAPER = "paper"
    TICKS = "ticks"


_BODY: Final = {
    Unit.TICKS: Mode.TICKS,
    Unit.TRUE_DEGREES: Mode.TRUE_DEGREES,
    Unit.LEROBOT_DEGREES: Mode.DEGREES,
    Unit.LEROBOT_RANGE: Mode.RANGE_M100_100,
    Unit.PAPER: Mode.PAPER,
}


def mode_of(unit: Unit, joint: str) -> Mode:
    """Return how ``unit`` writes ``joint``: under both of LeRobot's units the gripper goes from 0 to 100."""
    if joint == GRIPPER and unit in {Unit.LEROBOT_DEGREES, Unit.LEROBOT_RANGE}:
        return Mode.RANGE_0_100
    return _BODY[unit]


@dataclass(frozen=True, slots=True)
class JointVector:
    """Six joint positions in bus order, with their unit."""

    values: tuple[float, ...]
    unit: Unit

    def __post_init__(self) -> None:
        if len(self.values) != len(JOINTS):
            raise ArmError(f"a joint vector has {len(JOINTS)} values ({', '.join(JOINTS)}), not {len(self.values)}")

    @classmethod
    def of(cls, values: Mapping[str, float] | NDArray[np.floating] | tuple[float, ...], unit: Unit) -> JointVector:
        """Make a vector from numbers in bus order, or from a map by joint name (LeRobot's ``.pos`` is accepted)."""
        if isinstance(values, Mapping):
            plain = {str(key).removesuffix(".pos"): float(value) for key, value in values.items()}
            if missing := [joint for joint in JOINTS if joint not in plain]:
                raise ArmError(f"the joint vector lacks {missing[0]!r}")
            return cls(tuple(plain[joint] for joint in JOINTS), unit)
        return cls(tuple(float(value) for value in values), unit)

    def array(self, unit: Unit) -> NDArray[np.float64]:
        """Return the numbers for a reader who expects ``unit``; any other unit is refused."""
        require_unit(self.unit, unit, "the joint vector", "its reader")
        return np.array(self.values)

    def named(self) -> dict[str, float]:
        return dict(zip(JOINTS, self.values, strict=True))

    @property
    def finite(self) -> bool:
        """Whether no value is NaN or infinite."""
        return all(math.isfinite(value) for value in self.values)


def require_unit(given: Unit, wanted: Unit, giver: str, taker: str) -> None:
    """Raise `UnitMismatchError` naming both sides unless the units are the same."""
    if given != wanted:
        raise UnitMismatchError(
            f"{giver} is in {given.value!r}, {taker} works in {wanted.value!r}: convert it explicitly with the arm's "
            f"calibration, or use data of the same unit"
        )


def from_tick(tick: float, joint: JointCalibration, mode: Mode) -> float:
    return _FROM[mode](tick, joint)


def to_tick(value: float, joint: JointCalibration, mode: Mode) -> float:
    """Return the tick, not yet rounded, of ``value`` in ``mode``: the inverse of `from_tick`."""
    return _TO[mode](value, joint)


def from_ticks(ticks: Mapping[str, float], calibration: Calibration, unit: Unit) -> JointVector:
    values = tuple(from_tick(ticks[joint], calibration[joint], mode_of(unit, joint)) for joint in JOINTS)
    return JointVector(values, unit)


def to_ticks(vector: JointVector, calibration: Calibration) -> dict[str, int]:
    """Return the nearest tick of each joint, within 0..4095. A value that is not finite is refused.

    LeRobot truncates where we round, so the two may differ by one tick.
    """
    if not vector.finite:
        bad = next(joint for joint, value in vector.named().items() if not math.isfinite(value))
        raise ArmError(f"{bad} is {vector.named()[bad]}: a position must be a finite number")
    ticks = {
        joint: to_tick(value, calibration[joint], mode_of(vector.unit, joint))
        for joint, value in vector.named().items()
    }
    return {joint: min(max(round(tick), 0), MAX_TICK) for joint, tick in ticks.items()}


def convert(vector: JointVector, calibration: Calibration, unit: Unit) -> JointVector:
    """Return the same pose in another unit, without rounding to ticks in between."""
    if vector.unit == unit:
        return vector
    ticks = {
        joint: to_tick(value, calibration[joint], mode_of(vector.unit, joint))
        for joint, value in vector.named().items()
    }
    return from_ticks(ticks, calibration, unit)


def _clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


def _fraction(tick: float, joint: JointCalibration) -> float:
    along = (_clip(tick, joint.range_min, joint.range_max) - joint.range_min) / (joint.range_max - joint.range_min)
    return 1 - along if joint.drive_mode else along


def _at_fraction(fraction: float, joint: JointCalibration) -> float:
    along = _clip(1 - fraction if joint.drive_mode else fraction, 0.0, 1.0)
    return joint.range_min + along * (joint.range_max - joint.range_min)


_LEROBOT_TICK: Final = 360.0 / MAX_TICK

_FROM: Final[dict[Mode, Callable[[float, JointCalibration], float]]] = {
    Mode.TICKS: lambda tick, joint: float(tick),
    Mode.TRUE_DEGREES: lambda tick, joint: joint.sign * (tick - ZERO_TICK) * DEGREES_PER_TICK,
    Mode.DEGREES: lambda tick, joint: (tick - joint.mid) * _LEROBOT_TICK,
    Mode.RANGE_M100_100: lambda tick, joint: 200 * _fraction(tick, joint) - 100,
    Mode.RANGE_0_100: lambda tick, joint: 100 * _fraction(tick, joint),
    Mode.PAPER: lambda tick, joint: (tick - ZERO_TICK) * 180 / joint.half_range,
}

_TO: Final[dict[Mode, Callable[[float, JointCalibration], float]]] = {
    Mode.TICKS: lambda value, joint: value,
    Mode.TRUE_DEGREES: lambda value, joint: ZERO_TICK + joint.sign * value / DEGREES_PER_TICK,
    Mode.DEGREES: lambda value, joint: joint.mid + value / _LEROBOT_TICK,
    Mode.RANGE_M100_100: lambda value, joint: _at_fraction((value + 100) / 200, joint),
    Mode.RANGE_0_100: lambda value, joint: _at_fraction(value / 100, joint),
    Mode.PAPER: lambda value, joint: ZERO_TICK + value * joint.half_range / 180,
}
