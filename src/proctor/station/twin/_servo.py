"""One emulated STS3215 servo: its registers. The twin's clock and MuJoCo move the joint."""

from __future__ import annotations

import math
from typing import Final

from proctor.station.arm import MAX_TICK, TICKS_PER_TURN
from proctor.station.arm import registers as reg

RADIANS_PER_TICK: Final = 2 * math.pi / TICKS_PER_TURN
_POWER_ON: Final = {
    reg.FIRMWARE_MAJOR: 3,
    reg.FIRMWARE_MINOR: 10,
    reg.MODEL_NUMBER: reg.STS3215_MODEL,
    reg.RETURN_DELAY: 250,
    reg.MIN_POSITION: 0,
    reg.MAX_POSITION: MAX_TICK,
    reg.MAX_TORQUE: 1000,
    reg.P_GAIN: 32,
    reg.D_GAIN: 32,
    reg.PROTECTION_CURRENT: 500,
    reg.OVERLOAD_TORQUE: 80,
}


class Servo:
    """Registers of one servo, and the two directions between a joint's angle and its ticks.

    ``zero_tick`` is what the bare encoder reads at the joint's zero: it differs from arm to arm, because the horn is
    screwed on in any position. The servo reports that minus the homing offset, modulo a turn.
    """

    def __init__(self, servo_id: int, zero_tick: int, backlash_rad: float = 0.0) -> None:
        self.zero_tick = zero_tick
        self.backlash_rad = backlash_rad
        self.memory = bytearray(reg.TABLE_SIZE)
        for register, value in _POWER_ON.items():
            self.set(register, value)
        self.set(reg.SERVO_ID, servo_id)
        self._eeprom = bytes(self.memory[: reg.EEPROM_END])
        self.error = 0
        self._held_rad = 0.0
        self._goal_is_new = False
        self.power_on()

    def power_on(self) -> None:
        """Start as after a loss of power: the permanent memory as it was saved, torque off."""
        self.memory[: reg.EEPROM_END] = self._eeprom
        self.memory[reg.EEPROM_END :] = bytes(reg.TABLE_SIZE - reg.EEPROM_END)
        self.set(reg.LOCK, 1)
        self.set(reg.TORQUE_LIMIT, self.get(reg.MAX_TORQUE))
        self.set(reg.PRESENT_VOLTAGE, 121)
        self.set(reg.PRESENT_TEMPERATURE, 31)
        self.error = 0
        self._goal_is_new = False

    def get(self, register: reg.Register) -> int:
        return register.decode(bytes(self.memory[register.address : register.address + register.size]))

    def set(self, register: reg.Register, value: int) -> None:
        """Set a register, also one that the bus may only read."""
        self.memory[register.address : register.address + register.size] = register.encode(value)

    def read(self, address: int, size: int) -> bytes:
        """Return bytes as the bus sees them; beyond the table there are zeros."""
        return bytes(self.memory[address : address + size]).ljust(size, b"\0")

    def write(self, address: int, data: bytes) -> None:
        """Write bytes from the bus. Read-only registers stay; permanent memory is saved only while unlocked."""
        was_on = self.torque_on
        for offset, value in enumerate(data):
            if address + offset in _WRITABLE:
                self.memory[address + offset] = value
        self._goal_is_new |= address <= reg.GOAL_POSITION.address < address + len(data)
        if self.torque_on and not was_on and not self._goal_is_new:
            # Torque that comes on without a goal holds the joint where it is.
            self.set(reg.GOAL_POSITION, self.get(reg.PRESENT_POSITION))
        if not self.torque_on and was_on:
            self._goal_is_new = False
        if not self.get(reg.LOCK):
            self._eeprom = bytes(self.memory[: reg.EEPROM_END])

    @property
    def id(self) -> int:
        """The id that the servo answers to; it can be changed over the bus."""
        return self.get(reg.SERVO_ID)

    @property
    def torque_on(self) -> bool:
        """Whether the servo holds its joint."""
        return bool(self.get(reg.TORQUE_ENABLE))

    def observe(self, angle_rad: float, velocity_rad_s: float, torque_share: float) -> None:
        """Take over what the joint does: position, speed, load (-1..1 of full torque) and current."""
        raw = self.zero_tick + angle_rad / RADIANS_PER_TICK
        self.set(reg.PRESENT_POSITION, round(raw - self.get(reg.HOMING_OFFSET)) % TICKS_PER_TURN)
        self.set(reg.PRESENT_VELOCITY, max(-32767, min(32767, round(velocity_rad_s / RADIANS_PER_TICK))))
        self.set(reg.PRESENT_LOAD, max(-1000, min(1000, round(1000 * torque_share))))
        self.set(reg.PRESENT_CURRENT, round(400 * torque_share))
        self.set(reg.MOVING, int(abs(velocity_rad_s) > 0.02))
        self.set(reg.STATUS, self.error)

    def goal_rad(self) -> float:
        """Return the joint angle that the goal asks for, within the position limits, behind the backlash."""
        low, high = self.get(reg.MIN_POSITION), self.get(reg.MAX_POSITION)
        goal = min(max(self.get(reg.GOAL_POSITION), low), high)
        ticks = goal + self.get(reg.HOMING_OFFSET) - self.zero_tick
        # The nearest turn to the joint's zero: no joint turns further than half a turn from there.
        half = TICKS_PER_TURN // 2
        ticks = (ticks + half) % TICKS_PER_TURN - half
        wanted = ticks * RADIANS_PER_TICK
        self._held_rad = min(max(self._held_rad, wanted - self.backlash_rad), wanted + self.backlash_rad)
        return self._held_rad


_WRITABLE: Final = frozenset(
    address
    for address in range(reg.TABLE_SIZE)
    if not any(
        register.address <= address < register.address + register.size and not register.writable
        for register in reg.REGISTERS
    )
)
