"""The SO-101 arm: its bus, its units, its calibration, and a control loop with limits. Works without MuJoCo.

from proctor.station.arm import So101Arm, ControlLoop, JointVector, Unit, load_calibration

with So101Arm.connect("/dev/ttyACM0", load_calibration("arm.json")) as arm, ControlLoop(arm) as loop:
    loop.move_to(JointVector((0, 0, 0, 0, 0, 0), Unit.TRUE_DEGREES))
    loop.wait()
"""

from . import registers
from ._arm import So101Arm, Telemetry
from ._bus import Bus
from ._calibrate import Sweep, finish, record_sweep, set_zero
from ._calibration import (
    BODY_JOINTS,
    DEGREES_PER_TICK,
    GRIPPER,
    JOINTS,
    MAX_TICK,
    MECHANICAL_RANGE_DEG,
    SERVO_IDS,
    TICKS_PER_TURN,
    ZERO_TICK,
    Calibration,
    JointCalibration,
    homing_offset_for,
    load_calibration,
    parse_calibration,
    save_calibration,
)
from ._doctor import JointFinding, PairFinding, compare_arms, examine, worst
from ._errors import (
    ArmError,
    BusError,
    BusLostError,
    CalibrationError,
    ChecksumError,
    EmergencyStopError,
    OverloadError,
    PortError,
    ServoFaultError,
    ServoTimeoutError,
    UnitMismatchError,
    WrongIdError,
)
from ._limits import Limiter, Limits
from ._loop import ControlLoop, Cycle, LoopEvent, LoopReport, LoopState, ramp, ramp_seconds
from ._packets import BROADCAST, Instruction, Packet, PacketReader, ServoFault, checksum, fault_names
from ._stream import BAUD_RATE, ByteStream, SerialStream, open_port
from ._unit_record import UnitRecord, load_unit, save_unit
from ._units import JointVector, Mode, Unit, convert, from_tick, from_ticks, mode_of, require_unit, to_tick, to_ticks

__all__ = [
    "BAUD_RATE",
    "BODY_JOINTS",
    "BROADCAST",
    "DEGREES_PER_TICK",
    "GRIPPER",
    "JOINTS",
    "MAX_TICK",
    "MECHANICAL_RANGE_DEG",
    "SERVO_IDS",
    "TICKS_PER_TURN",
    "ZERO_TICK",
    "ArmError",
    "Bus",
    "BusError",
    "BusLostError",
    "ByteStream",
    "Calibration",
    "CalibrationError",
    "ChecksumError",
    "ControlLoop",
    "Cycle",
    "EmergencyStopError",
    "Instruction",
    "JointCalibration",
    "JointFinding",
    "JointVector",
    "Limiter",
    "Limits",
    "LoopEvent",
    "LoopReport",
    "LoopState",
    "Mode",
    "OverloadError",
    "Packet",
    "PacketReader",
    "PairFinding",
    "PortError",
    "SerialStream",
    "ServoFault",
    "ServoFaultError",
    "ServoTimeoutError",
    "So101Arm",
    "Sweep",
    "Telemetry",
    "Unit",
    "UnitMismatchError",
    "UnitRecord",
    "WrongIdError",
    "checksum",
    "compare_arms",
    "convert",
    "examine",
    "fault_names",
    "finish",
    "from_tick",
    "from_ticks",
    "homing_offset_for",
    "load_calibration",
    "load_unit",
    "mode_of",
    "open_port",
    "parse_calibration",
    "ramp",
    "ramp_seconds",
    "record_sweep",
    "registers",
    "require_unit",
    "save_calibration",
    "save_unit",
    "set_zero",
    "to_tick",
    "to_ticks",
    "worst",
]
