"""One SO-101 arm: connect, check the servos, read telemetry, switch torque, calibrate. `ControlLoop` moves it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from . import registers
from ._bus import Bus
from ._calibration import GRIPPER, JOINTS, MAX_TICK, SERVO_IDS, Calibration, JointCalibration
from ._errors import ArmError, BusError, CalibrationError, ServoTimeoutError
from ._limits import Limits
from ._units import JointVector, Unit, from_ticks
from .registers import STS3215_MODEL, Register

_LOG = logging.getLogger(__name__)

_TELEMETRY: Final = (
    registers.PRESENT_POSITION,
    registers.PRESENT_VELOCITY,
    registers.PRESENT_LOAD,
    registers.PRESENT_VOLTAGE,
    registers.PRESENT_TEMPERATURE,
    registers.PRESENT_CURRENT,
)
_FIRST: Final = registers.PRESENT_POSITION.address
_SIZE: Final = registers.PRESENT_CURRENT.address + registers.PRESENT_CURRENT.size - _FIRST
_CURRENT_UNIT_A: Final = 0.0065
_IDS: Final = tuple(SERVO_IDS.values())


@dataclass(frozen=True, slots=True)
class Telemetry:
    """One reading of all six servos. ``time_s`` is `time.monotonic` of the moment the answers were complete.

    ``load`` is -1..1 of full torque with the direction as sign; ``faults`` is the error byte of each servo.
    """

    time_s: float
    ticks: Mapping[str, int]
    velocity_ticks_s: Mapping[str, int]
    load: Mapping[str, float]
    voltage_v: Mapping[str, float]
    temperature_c: Mapping[str, int]
    current_a: Mapping[str, float]
    faults: Mapping[str, int]


class So101Arm:
    """The six servos by joint name. Without a calibration only ticks can be read and nothing may move."""

    def __init__(self, bus: Bus, calibration: Calibration | None = None, limits: Limits | None = None) -> None:
        self.bus = bus
        self.limits = limits or Limits()
        self._calibration = calibration

    @classmethod
    def connect(
        cls, port: str | Path, calibration: Calibration | None = None, limits: Limits | None = None
    ) -> So101Arm:
        """Open the port, check that six STS3215 answer and, given a calibration, that it is the one in the servos."""
        arm = cls(Bus.open(port), calibration, limits)
        try:
            arm.handshake()
            if calibration is not None:
                arm.require_calibration()
        except BaseException:
            arm.bus.close()
            raise
        _LOG.info("arm on %s: six servos answer, %s", port, calibration.name if calibration else "no calibration")
        return arm

    def __enter__(self) -> So101Arm:
        return self

    def __exit__(self, *details: object) -> None:
        self.bus.close()

    @property
    def calibration(self) -> Calibration:
        """The calibration; an arm without one cannot convert positions."""
        if self._calibration is None:
            raise CalibrationError("this arm has no calibration: run `proctor station calibrate`, or give its file")
        return self._calibration

    def handshake(self) -> None:
        """Raise unless all six servos answer, are STS3215 and have the same firmware."""
        models = self.bus.scan(_IDS)
        missing = [joint for joint, servo in SERVO_IDS.items() if servo not in models]
        if len(missing) == len(JOINTS):
            raise ServoTimeoutError("no servo answers: check that the arm has 12 V and that this is its port")
        if missing:
            raise ServoTimeoutError(
                f"no answer from {', '.join(f'{joint} (servo {SERVO_IDS[joint]})' for joint in missing)}: check the "
                f"cable to the first of them, and the servo ids",
                SERVO_IDS[missing[0]],
            )
        for joint, servo in SERVO_IDS.items():
            if models[servo] != STS3215_MODEL:
                raise ArmError(f"servo {servo} ({joint}) is model {models[servo]}, not an STS3215 ({STS3215_MODEL})")
        firmware = {self._read_version(servo) for servo in _IDS}
        if len(firmware) > 1:
            versions = ", ".join(sorted(f"{major}.{minor}" for major, minor in firmware))
            raise ArmError(f"the servos have different firmware ({versions}): bring them to one with Feetech's tool")

    def _read_version(self, servo: int) -> tuple[int, int]:
        return (
            self.bus.read(servo, registers.FIRMWARE_MAJOR, check=False),
            self.bus.read(servo, registers.FIRMWARE_MINOR, check=False),
        )

    # --- calibration in the servos

    def read_calibration(self) -> Calibration:
        found = {
            joint: JointCalibration(
                id=servo,
                drive_mode=0,
                homing_offset=self.bus.read(servo, registers.HOMING_OFFSET),
                range_min=self.bus.read(servo, registers.MIN_POSITION),
                range_max=self.bus.read(servo, registers.MAX_POSITION),
            )
            for joint, servo in SERVO_IDS.items()
        }
        return Calibration(found, "the servos' memory")

    def require_calibration(self) -> None:
        """Raise unless the servos hold the same numbers as the file: another arm's file would move this one wrongly."""
        held = self.read_calibration()
        for joint, mine in self.calibration.items():
            for name in ("homing_offset", "range_min", "range_max"):
                if (a := getattr(mine, name)) != (b := getattr(held[joint], name)):
                    raise CalibrationError(
                        f"{self.calibration.name} is not the calibration in this arm's servos ({joint}.{name} is {a} "
                        f"in the file and {b} in the servo): use this arm's file, or run `proctor station calibrate`"
                    )

    def write_calibration(self, calibration: Calibration) -> None:
        """Write a calibration into the servos' permanent memory; torque goes off for it."""
        self.torque_off()
        for joint, values in calibration.items():
            servo = SERVO_IDS[joint]
            self.bus.write(servo, registers.HOMING_OFFSET, values.homing_offset)
            self.bus.write(servo, registers.MIN_POSITION, values.range_min)
            self.bus.write(servo, registers.MAX_POSITION, values.range_max)
        self._calibration = calibration

    def clear_calibration(self) -> None:
        """Set offsets to 0 and ranges to the whole turn, as the first step of a calibration; torque goes off."""
        self.torque_off()
        for servo in _IDS:
            self.bus.write(servo, registers.HOMING_OFFSET, 0)
            self.bus.write(servo, registers.MIN_POSITION, 0)
            self.bus.write(servo, registers.MAX_POSITION, MAX_TICK)
        self._calibration = None

    # --- settings and torque

    def configure(self) -> None:
        """Write the gains, delays and torque limits that the station uses (gains: LeRobot's). Torque goes off."""
        self.torque_off()
        for joint, servo in SERVO_IDS.items():
            settings: list[tuple[Register, int]] = [
                (registers.RETURN_DELAY, 0),
                (registers.MAX_ACCELERATION, 254),
                (registers.ACCELERATION, 254),
                (registers.OPERATING_MODE, 0),
                (registers.P_GAIN, 16),
                (registers.I_GAIN, 0),
                (registers.D_GAIN, 32),
                (registers.MAX_TORQUE, self.limits.torque[joint]),
                (registers.TORQUE_LIMIT, self.limits.torque[joint]),
            ]
            if joint == GRIPPER:
                settings += [(registers.PROTECTION_CURRENT, 250), (registers.OVERLOAD_TORQUE, 25)]
            for register, value in settings:
                self.bus.write(servo, register, value)

    def torque_off(self, joints: Iterable[str] = JOINTS) -> None:
        """Let joints go limp and unlock their permanent memory. The arm falls: support it first.

        Every joint is tried even if one does not answer; a servo in overload still obeys.
        """
        failed: BusError | None = None
        for joint in joints:
            try:
                self.bus.write(SERVO_IDS[joint], registers.TORQUE_ENABLE, 0, check=False)
                self.bus.write(SERVO_IDS[joint], registers.LOCK, 0, check=False)
            except BusError as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def torque_on(self, joints: Iterable[str] = JOINTS) -> None:
        """Hold joints where they are: the goal becomes the present position before torque comes on."""
        held = list(joints)
        self.write_goal({joint: tick for joint, tick in self.ticks().items() if joint in held})
        for joint in held:
            self.bus.write(SERVO_IDS[joint], registers.TORQUE_ENABLE, 1)
            self.bus.write(SERVO_IDS[joint], registers.LOCK, 1)

    # --- positions

    def ticks(self) -> dict[str, int]:
        found = self.bus.sync_read(registers.PRESENT_POSITION, _IDS)
        return {joint: found[servo] for joint, servo in SERVO_IDS.items()}

    def position(self, unit: Unit = Unit.TRUE_DEGREES) -> JointVector:
        return from_ticks(self.ticks(), self.calibration, unit)

    def write_goal(self, ticks: Mapping[str, int]) -> None:
        """Send goal positions as they are. No limit is applied here: motion goes through `ControlLoop`."""
        self.bus.sync_write(registers.GOAL_POSITION, {SERVO_IDS[joint]: tick for joint, tick in ticks.items()})

    def telemetry(self) -> Telemetry:
        """Read position, velocity, load, voltage, temperature and current of all servos with one request."""
        blocks = self.bus.sync_read_block(_FIRST, _SIZE, _IDS)
        now = time.monotonic()
        values = {joint: _decode(blocks[servo]) for joint, servo in SERVO_IDS.items()}

        def column(register: Register) -> dict[str, int]:
            return {joint: row[register.name] for joint, row in values.items()}

        return Telemetry(
            time_s=now,
            ticks=column(registers.PRESENT_POSITION),
            velocity_ticks_s=column(registers.PRESENT_VELOCITY),
            load={joint: value / 1000 for joint, value in column(registers.PRESENT_LOAD).items()},
            voltage_v={joint: value / 10 for joint, value in column(registers.PRESENT_VOLTAGE).items()},
            temperature_c=column(registers.PRESENT_TEMPERATURE),
            current_a={joint: value * _CURRENT_UNIT_A for joint, value in column(registers.PRESENT_CURRENT).items()},
            faults={joint: self.bus.last_error.get(servo, 0) for joint, servo in SERVO_IDS.items()},
        )


def _decode(block: bytes) -> dict[str, int]:
    return {
        register.name: register.decode(block[register.address - _FIRST :][: register.size]) for register in _TELEMETRY
    }
