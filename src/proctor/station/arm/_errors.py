"""Errors of arm, bus and calibration. Each text is one line: what, where, what to do."""

from __future__ import annotations

from proctor.core import ProctorError


class ArmError(ProctorError):
    """Something about the arm; the base of everything here."""


class PortError(ArmError):
    """The serial port cannot be opened."""


class BusError(ArmError):
    """A transaction on the bus failed. ``servo`` is the id asked, or None for the whole bus."""

    def __init__(self, text: str, servo: int | None = None) -> None:
        super().__init__(text)
        self.servo = servo


class BusLostError(BusError):
    """The port went away: the cable was pulled or the adapter lost power."""


class ServoTimeoutError(BusError):
    """No answer, or not all of it, in time."""


class ChecksumError(BusError):
    """The answer's checksum does not fit its bytes."""


class WrongIdError(BusError):
    """Another servo answered than the one asked."""


class ServoFaultError(BusError):
    """The servo answered and reports a fault. ``faults`` names the bits of its error byte."""

    def __init__(self, text: str, servo: int, faults: tuple[str, ...]) -> None:
        super().__init__(text, servo)
        self.faults = faults


class OverloadError(ServoFaultError):
    """The servo protects itself from overload: it has cut its torque."""


class CalibrationError(ArmError):
    """A calibration is unreadable, impossible, or not the one in the servos."""


class UnitMismatchError(ArmError):
    """Joint values in one unit were handed to something that works in another; the text names both."""


class EmergencyStopError(ArmError):
    """The emergency stop is latched: nothing moves until it is released on purpose."""
