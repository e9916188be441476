"""Feetech's half-duplex packets (protocol 0), as bytes.

    FF FF  id  length  instruction  parameters...  checksum      (to a servo)
    FF FF  id  length  error        parameters...  checksum      (from a servo)

``length`` counts what follows it. ``checksum`` is the complement of the low byte of the sum from ``id`` up to it.
Values of two bytes are little-endian.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final

HEADER: Final = b"\xff\xff"
BROADCAST: Final = 0xFE
# A length byte of 0xFF would look like a header; the vendor's library stops at 250.
MAX_LENGTH: Final = 250


class Instruction(IntEnum):
    """The instructions that the station uses."""

    PING = 0x01
    READ = 0x02
    WRITE = 0x03
    SYNC_READ = 0x82
    SYNC_WRITE = 0x83


class ServoFault(IntFlag):
    """The bits of a status packet's error byte."""

    VOLTAGE = 0x01
    ANGLE_SENSOR = 0x02
    OVERHEAT = 0x04
    OVERCURRENT = 0x08
    OVERLOAD = 0x20


def fault_names(error: int) -> tuple[str, ...]:
    """Name the bits of an error byte; a bit without a name appears as its number."""
    known = tuple(flag.name.lower().replace("_", " ") for flag in ServoFault if error & flag and flag.name)
    unknown = error & ~sum(ServoFault)
    return (*known, *((f"bit mask 0x{unknown:02x}",) if unknown else ()))


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet. ``code`` is the instruction on the way out and the error byte on the way back."""

    servo: int
    code: int
    parameters: bytes = b""

    def encode(self) -> bytes:
        length = len(self.parameters) + 2
        if length > MAX_LENGTH:
            raise ValueError(f"{len(self.parameters)} parameter bytes do not fit a packet")
        body = bytes((self.servo, length, self.code)) + self.parameters
        return HEADER + body + bytes((checksum(body),))


def checksum(body: bytes) -> int:
    """Return the checksum of everything between header and checksum."""
    return ~sum(body) & 0xFF


class PacketReader:
    """Cuts packets out of a stream. Garbage is skipped; a packet with a wrong checksum is counted and dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.corrupt = 0

    def feed(self, data: bytes) -> list[Packet]:
        """Take bytes as they come and return the packets that are now complete."""
        self._buffer += data
        found: list[Packet] = []
        while (packet := self._next()) is not None:
            found.append(packet)
        return found

    @property
    def pending(self) -> int:
        """How many bytes wait for the rest of their packet."""
        return len(self._buffer)

    def clear(self) -> None:
        self._buffer.clear()

    def _next(self) -> Packet | None:
        while True:
            start = self._buffer.find(HEADER)
            if start < 0:
                # A trailing 0xFF may be the first half of a header.
                del self._buffer[: len(self._buffer) - (self._buffer[-1:] == b"\xff")]
                return None
            del self._buffer[:start]
            if len(self._buffer) < 4:
                return None
            servo, length = self._buffer[2], self._buffer[3]
            if servo == 0xFF or not 2 <= length <= MAX_LENGTH:
                del self._buffer[0]
                continue
            if len(self._buffer) < 4 + length:
                return None
            whole = bytes(self._buffer[: 4 + length])
            if checksum(whole[2:-1]) != whole[-1]:
                self.corrupt += 1
                # Not the whole packet: if the length byte was hit, a good packet may start inside.
                del self._buffer[:2]
                continue
            del self._buffer[: 4 + length]
            return Packet(servo, whole[4], whole[5:-1])


def ping(servo: int) -> Packet:
    return Packet(servo, Instruction.PING)


def read(servo: int, address: int, size: int) -> Packet:
    return Packet(servo, Instruction.READ, bytes((address, size)))


def write(servo: int, address: int, data: bytes) -> Packet:
    return Packet(servo, Instruction.WRITE, bytes((address,)) + data)


def sync_read(servos: Sequence[int], address: int, size: int) -> Packet:
    """Ask several servos for the same registers; they answer one after the other, in this order."""
    return Packet(BROADCAST, Instruction.SYNC_READ, bytes((address, size, *servos)))


def sync_write(data: Mapping[int, bytes], address: int) -> Packet:
    """Write the same registers of several servos at once; nobody answers."""
    (size,) = {len(part) for part in data.values()}
    body = b"".join(bytes((servo,)) + part for servo, part in data.items())
    return Packet(BROADCAST, Instruction.SYNC_WRITE, bytes((address, size)) + body)
