"""The twin's serial port: a pseudo-terminal that answers as the servos do, in Feetech's protocol."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import shutil
import tempfile
import threading
import time
import tty
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from proctor.core import ProctorError
from proctor.station.arm import BROADCAST, JOINTS, Instruction, Packet, PacketReader, ServoFault

from ._faults import TwinFaults
from ._servo import Servo


class ServoPort:
    """Answers for the servos on a pseudo-terminal.

    ``path`` stays the same when the cable is pulled and put back, as ``/dev/ttyACM0`` does: it is a link to the
    pseudo-terminal of the moment. ``refresh`` is called before a request is answered.
    """

    def __init__(
        self, servos: list[Servo], faults: TwinFaults, lock: threading.RLock, refresh: Callable[[], None]
    ) -> None:
        self._servos = servos
        self._faults = faults
        self._lock = lock
        self._refresh = refresh
        self.requests: Counter[str] = Counter()
        self._folder = Path(tempfile.mkdtemp(prefix="proctor-twin-"))
        self.path = self._folder / "arm"
        self._master = -1
        self._slave = -1
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def plug(self) -> None:
        """Connect: from now on ``path`` can be opened."""
        if self._thread is not None:
            return
        try:
            self._master, self._slave = pty.openpty()
        except OSError as error:
            raise ProctorError(
                f"cannot make a pseudo-terminal ({error.strerror}): the twin needs Linux or macOS"
            ) from error
        # Without our own open end the first user who closes the port would end it for all.
        tty.setraw(self._slave)
        # Nobody has to read the answers; then they are lost, as on a wire.
        os.set_blocking(self._master, False)
        beside = self._folder / "next"
        beside.symlink_to(os.ttyname(self._slave))
        os.replace(beside, self.path)
        self._ending.clear()
        self._thread = threading.Thread(target=self._serve, name="twin-port", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pull the cable: whoever has the port open loses it."""
        if self._thread is None:
            return
        self._ending.set()
        self._thread.join()
        self._thread = None
        self.path.unlink(missing_ok=True)
        for end in (self._slave, self._master):
            os.close(end)

    def close(self) -> None:
        self.unplug()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _serve(self) -> None:
        reader = PacketReader()
        while not self._ending.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.02)
            if not ready:
                continue
            try:
                data = os.read(self._master, 4096)
            except OSError:
                return
            for packet in reader.feed(data):
                with self._lock:
                    self._refresh()
                    answers = self._handle(packet)
                self._send(answers)

    def _handle(self, packet: Packet) -> list[Packet]:
        try:
            instruction = Instruction(packet.code)
        except ValueError:
            self.requests["unknown"] += 1
            return []
        self.requests[instruction.name.lower()] += 1
        body = packet.parameters
        if instruction is Instruction.PING:
            return [self._answer(servo) for servo in self._servos if packet.servo in {servo.id, BROADCAST}]
        if instruction is Instruction.READ and len(body) == 2:
            return [self._answer(s, s.read(body[0], body[1])) for s in self._servos if s.id == packet.servo]
        if instruction is Instruction.WRITE and len(body) > 1:
            return self._write(packet.servo, body)
        if instruction is Instruction.SYNC_READ and len(body) > 2:
            known = {servo.id: servo for servo in self._servos}
            return [self._answer(known[i], known[i].read(body[0], body[1])) for i in body[2:] if i in known]
        if instruction is Instruction.SYNC_WRITE and len(body) > 2:
            self._sync_write(body)
        return []

    def _write(self, target: int, body: bytes) -> list[Packet]:
        written = [servo for servo in self._servos if target in {servo.id, BROADCAST}]
        for servo in written:
            servo.write(body[0], body[1:])
        # Nobody answers a broadcast. A servo whose id was just changed answers with the new one.
        return [] if target == BROADCAST else [self._answer(servo) for servo in written]

    def _sync_write(self, body: bytes) -> None:
        address, size = body[0], body[1]
        known = {servo.id: servo for servo in self._servos}
        for start in range(2, len(body) - size, size + 1):
            if (servo := known.get(body[start])) is not None:
                servo.write(address, body[start + 1 : start + 1 + size])

    def _answer(self, servo: Servo, data: bytes = b"") -> Packet:
        joint = JOINTS[self._servos.index(servo)]
        servo.error = int(ServoFault.OVERLOAD) if joint in self._faults.overload else 0
        return Packet(servo.id, servo.error, data)

    def _send(self, answers: list[Packet]) -> None:
        dead = {self._servos[JOINTS.index(joint)].id for joint in self._faults.dead}
        data = b""
        for answer in answers:
            if answer.servo in dead or self._faults.drops():
                continue
            encoded = bytearray(answer.encode())
            if self._faults.corrupts():
                encoded[-1] ^= 0x5A
            data += encoded
        if not data:
            return
        if self._faults.latency_s > 0:
            time.sleep(self._faults.latency_s)
        with contextlib.suppress(OSError):
            os.write(self._master, data)
