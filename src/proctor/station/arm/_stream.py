"""The serial port, and what else can stand in for it."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any, Protocol

from ._errors import BusLostError, PortError

BAUD_RATE = 1_000_000


class ByteStream(Protocol):
    """What the bus needs of a connection."""

    def write(self, data: bytes) -> None: ...

    def read(self, deadline_s: float) -> bytes:
        """Return whatever has come, waiting for something until ``time.monotonic()`` reaches ``deadline_s``."""
        ...

    def discard(self) -> None:
        """Throw away what has come and was not read."""
        ...

    def close(self) -> None: ...


class SerialStream:
    """A serial port through pyserial. A pulled cable becomes `BusLostError`."""

    def __init__(self, device: Any, name: str) -> None:
        self._device = device
        self._name = name

    def write(self, data: bytes) -> None:
        try:
            self._device.write(data)
        except (OSError, ValueError) as error:
            raise self._lost() from error

    def read(self, deadline_s: float) -> bytes:
        """Return whatever has come, waiting for something until the deadline."""
        try:
            self._device.timeout = max(0.0, deadline_s - time.monotonic())
            first: bytes = self._device.read(1)
            waiting = self._device.in_waiting if first else 0
            return first + (self._device.read(waiting) if waiting else b"")
        except (OSError, ValueError, TypeError) as error:
            raise self._lost() from error

    def discard(self) -> None:
        """Throw away what has come and was not read."""
        try:
            self._device.reset_input_buffer()
        except Exception as error:
            # Not only OSError: pyserial lets termios.error through here, which derives from nothing narrower.
            raise self._lost() from error

    def close(self) -> None:
        self._device.close()

    def _lost(self) -> BusLostError:
        return BusLostError(
            f"the connection to {self._name} is gone: check the USB cable, the arm's power, and that no other program "
            f"has the port; then reconnect"
        )


def open_port(port: str | Path, baud_rate: int = BAUD_RATE) -> SerialStream:
    """Open a serial port at 1 Mbaud; what is wrong with it is said in one line with the remedy."""
    name = str(port)
    try:
        import serial
    except ImportError as error:
        raise PortError("pyserial is missing: run `pip install 'proctor[station]'`") from error
    try:
        return SerialStream(serial.Serial(name, baud_rate, timeout=0, write_timeout=1.0, exclusive=True), name)
    except (OSError, ValueError) as error:
        raise PortError(_why(name, error)) from error


def _why(name: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT or not os.path.exists(name):
        there = ", ".join(sorted(str(path) for path in Path("/dev").glob("tty[AU][CS][MB]*"))) or "none"
        return f"there is no port {name}: plug in the arm's USB cable and see which one appears (now there: {there})"
    if number in {errno.EACCES, errno.EPERM} or not os.access(name, os.R_OK | os.W_OK):
        return f"not allowed to open {name}: run `sudo usermod -aG dialout $USER` and log in again"
    if number in {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK} or "lock" in str(error).lower():
        return f"{name} is in use by another program: close it (LeRobot, another console) and try again"
    return f"cannot open {name}: {error}"
