"""Asks servos over the serial bus: sends a packet, waits for the answer, checks it, tries again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from . import _packets as packets
from ._calibration import SERVO_IDS
from ._errors import BusError, ChecksumError, OverloadError, ServoFaultError, ServoTimeoutError, WrongIdError
from ._packets import Packet, PacketReader, ServoFault, fault_names
from ._stream import ByteStream, open_port
from .registers import MODEL_NUMBER, Register

T = TypeVar("T")
_NAMES = {number: name for name, number in SERVO_IDS.items()}


class Bus:
    """A bus of Feetech servos over any byte stream. Safe to call from several threads; one transaction at a time.

    ``timeout_s`` is the wait for an answer, ``retries`` how often a lost or broken answer is asked for again. Reading
    is safe to repeat; so is writing, because registers are set, not incremented. A fault in the error byte is raised
    only when asked (``check=True``): telemetry has to be readable while a servo is in overload.
    """

    def __init__(self, stream: ByteStream, *, timeout_s: float = 0.05, retries: int = 2) -> None:
        self.stream = stream
        self.timeout_s = timeout_s
        self.retries = retries
        self.retried = 0
        self.last_error: dict[int, int] = {}
        self._reader = PacketReader()
        self._lock = threading.RLock()

    @classmethod
    def open(cls, port: str | Path, *, timeout_s: float = 0.05, retries: int = 2) -> Bus:
        return cls(open_port(port), timeout_s=timeout_s, retries=retries)

    def close(self) -> None:
        self.stream.close()

    def ping(self, servo: int) -> int:
        """Return the model number of a servo that is there; raise `ServoTimeoutError` when it is not."""
        self._ask(packets.ping(servo), [servo], check=False)
        return self.read(servo, MODEL_NUMBER, check=False)

    def scan(self, servos: Sequence[int] | None = None) -> dict[int, int]:
        """Return id to model number for the servos that answer."""
        found: dict[int, int] = {}
        for servo in servos or tuple(SERVO_IDS.values()):
            try:
                found[servo] = self.ping(servo)
            except (ServoTimeoutError, WrongIdError):
                continue
        return found

    def read(self, servo: int, register: Register, *, check: bool = True) -> int:
        """Return the value of a register."""
        request = packets.read(servo, register.address, register.size)
        (answer,) = self._ask(request, [servo], size=register.size, check=check)
        return register.decode(answer.parameters)

    def write(self, servo: int, register: Register, value: int, *, check: bool = True) -> None:
        """Set a register and wait for the servo's confirmation."""
        self._ask(packets.write(servo, register.address, register.encode(value)), [servo], check=check)

    def sync_read(self, register: Register, servos: Sequence[int], *, check: bool = False) -> dict[int, int]:
        """Return the same register of several servos with one request."""
        blocks = self.sync_read_block(register.address, register.size, servos, check=check)
        return {servo: register.decode(block) for servo, block in blocks.items()}

    def sync_read_block(
        self, address: int, size: int, servos: Sequence[int], *, check: bool = False
    ) -> dict[int, bytes]:
        """Return ``size`` bytes from ``address`` of several servos with one request."""
        request = packets.sync_read(servos, address, size)
        answers = self._ask(request, list(servos), size=size, check=check)
        return {answer.servo: answer.parameters for answer in answers}

    def sync_write(self, register: Register, values: Mapping[int, int]) -> None:
        """Set the same register of several servos at once. Nobody confirms, so nothing is raised but a lost bus."""
        data = {servo: register.encode(value) for servo, value in values.items()}
        with self._lock:
            self.stream.write(packets.sync_write(data, register.address).encode())

    def _ask(self, request: Packet, servos: list[int], *, size: int = 0, check: bool) -> list[Packet]:
        answers = self._retrying(lambda: self._transact(request, servos, size))
        for answer in answers:
            self.last_error[answer.servo] = answer.code
        if check:
            for answer in answers:
                _raise_fault(answer)
        return answers

    def _retrying(self, work: Callable[[], T]) -> T:
        for attempt in range(self.retries + 1):
            try:
                with self._lock:
                    return work()
            except (ServoTimeoutError, ChecksumError, WrongIdError):
                if attempt == self.retries:
                    raise
                self.retried += 1
        raise BusError("a bus needs retries >= 0")

    def _transact(self, request: Packet, servos: list[int], size: int) -> list[Packet]:
        self._reader.clear()
        self._reader.corrupt = 0
        self.stream.discard()
        self.stream.write(request.encode())
        waiting = list(servos)
        answers: list[Packet] = []
        deadline = time.monotonic() + self.timeout_s
        while waiting:
            data = self.stream.read(deadline)
            for answer in self._reader.feed(data):
                if answer.servo != waiting[0]:
                    raise WrongIdError(
                        f"{_who(answer.servo)} answered when {_who(waiting[0])} was asked: two servos may share an id, "
                        f"or a wire is loose; check the cables",
                        waiting[0],
                    )
                if len(answer.parameters) != size:
                    raise ChecksumError(
                        f"{_who(answer.servo)} sent {len(answer.parameters)} bytes instead of {size}: check the cables",
                        answer.servo,
                    )
                answers.append(answer)
                waiting.pop(0)
                if not waiting:
                    break
            if waiting and self._reader.corrupt:
                raise ChecksumError(
                    f"the answer of {_who(waiting[0])} has a wrong checksum: check the cables and keep them away from "
                    f"motors and power supplies",
                    waiting[0],
                )
            if waiting and not data and time.monotonic() >= deadline:
                raise ServoTimeoutError(
                    f"no answer from {_who(waiting[0])} within {self.timeout_s * 1000:.0f} ms: check that the arm has "
                    f"power, that the chain of cables reaches this servo, and that its id is set",
                    waiting[0],
                )
        return answers


def _who(servo: int) -> str:
    name = _NAMES.get(servo)
    return f"servo {servo} ({name})" if name else f"servo {servo}"


def _raise_fault(answer: Packet) -> None:
    if not answer.code:
        return
    faults = fault_names(answer.code)
    text = f"{_who(answer.servo)} reports {', '.join(faults)}"
    if answer.code & ServoFault.OVERLOAD:
        raise OverloadError(
            f"{text}: take the load off the joint, then switch its torque off and on", answer.servo, faults
        )
    raise ServoFaultError(f"{text}: switch the arm off, let it cool, check its 12 V supply", answer.servo, faults)
