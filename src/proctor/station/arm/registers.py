"""The STS3215's control table, as far as the station needs it: address, size, sign, memory.

Signed values are sign and magnitude, not two's complement: the top bit named in ``sign_bit`` is the sign. The homing
offset has 11 bits of magnitude, so only -2047..2047 can be written. Addresses below 40 are EEPROM: while ``Lock`` is 1
what is written there is forgotten at the next power-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ._errors import ArmError

STS3215_MODEL: Final = 777
EEPROM_END: Final = 40
TABLE_SIZE: Final = 128


@dataclass(frozen=True, slots=True)
class Register:
    """One entry of the control table."""

    name: str
    address: int
    size: int
    sign_bit: int | None = None
    writable: bool = True

    @property
    def eeprom(self) -> bool:
        """Whether the register survives power-off (when unlocked)."""
        return self.address < EEPROM_END

    def encode(self, value: int) -> bytes:
        """Return the register's bytes for ``value``; what does not fit is refused, never wrapped."""
        raw = value if self.sign_bit is None else encode_sign_magnitude(value, self.sign_bit, self.name)
        if not 0 <= raw < 1 << 8 * self.size:
            raise ArmError(f"{self.name} cannot hold {value}: it has {self.size} byte(s) and no sign")
        return raw.to_bytes(self.size, "little")

    def decode(self, data: bytes) -> int:
        raw = int.from_bytes(data, "little")
        return raw if self.sign_bit is None else decode_sign_magnitude(raw, self.sign_bit)


def encode_sign_magnitude(value: int, sign_bit: int, name: str = "the register") -> int:
    """Return the raw number whose bit ``sign_bit`` is the sign and whose lower bits are the magnitude."""
    largest = (1 << sign_bit) - 1
    if abs(value) > largest:
        raise ArmError(f"{name} cannot hold {value}: its magnitude has {sign_bit} bits, at most {largest}")
    return abs(value) | (value < 0) << sign_bit


def decode_sign_magnitude(raw: int, sign_bit: int) -> int:
    magnitude = raw & (1 << sign_bit) - 1
    return -magnitude if raw >> sign_bit & 1 else magnitude


FIRMWARE_MAJOR: Final = Register("Firmware_Major_Version", 0, 1, writable=False)
FIRMWARE_MINOR: Final = Register("Firmware_Minor_Version", 1, 1, writable=False)
MODEL_NUMBER: Final = Register("Model_Number", 3, 2, writable=False)
SERVO_ID: Final = Register("ID", 5, 1)
BAUD_RATE: Final = Register("Baud_Rate", 6, 1)
RETURN_DELAY: Final = Register("Return_Delay_Time", 7, 1)
MIN_POSITION: Final = Register("Min_Position_Limit", 9, 2)
MAX_POSITION: Final = Register("Max_Position_Limit", 11, 2)
MAX_TORQUE: Final = Register("Max_Torque_Limit", 16, 2)
P_GAIN: Final = Register("P_Coefficient", 21, 1)
D_GAIN: Final = Register("D_Coefficient", 22, 1)
I_GAIN: Final = Register("I_Coefficient", 23, 1)
PROTECTION_CURRENT: Final = Register("Protection_Current", 28, 2)
HOMING_OFFSET: Final = Register("Homing_Offset", 31, 2, sign_bit=11)
OPERATING_MODE: Final = Register("Operating_Mode", 33, 1)
OVERLOAD_TORQUE: Final = Register("Overload_Torque", 36, 1)
TORQUE_ENABLE: Final = Register("Torque_Enable", 40, 1)
ACCELERATION: Final = Register("Acceleration", 41, 1)
GOAL_POSITION: Final = Register("Goal_Position", 42, 2, sign_bit=15)
GOAL_VELOCITY: Final = Register("Goal_Velocity", 46, 2, sign_bit=15)
TORQUE_LIMIT: Final = Register("Torque_Limit", 48, 2)
LOCK: Final = Register("Lock", 55, 1)
PRESENT_POSITION: Final = Register("Present_Position", 56, 2, sign_bit=15, writable=False)
PRESENT_VELOCITY: Final = Register("Present_Velocity", 58, 2, sign_bit=15, writable=False)
PRESENT_LOAD: Final = Register("Present_Load", 60, 2, sign_bit=10, writable=False)
PRESENT_VOLTAGE: Final = Register("Present_Voltage", 62, 1, writable=False)
PRESENT_TEMPERATURE: Final = Register("Present_Temperature", 63, 1, writable=False)
STATUS: Final = Register("Status", 65, 1, writable=False)
MOVING: Final = Register("Moving", 66, 1, writable=False)
PRESENT_CURRENT: Final = Register("Present_Current", 69, 2, sign_bit=15, writable=False)
MAX_ACCELERATION: Final = Register("Maximum_Acceleration", 85, 1)

REGISTERS: Final = tuple(value for value in list(globals().values()) if isinstance(value, Register))
