"""Two pipes beside a shared block: a message that is small by itself goes past ZeroMQ and its threads.

Where arrays lie in shared memory, only a header travels. ZeroMQ hands it from thread to thread on both sides; a pipe
wakes the reader at once, which halves what a request costs and lets eight clients keep a batch full. The client makes
both pipes with every hello and names them by descriptor; the server opens them through ``/proc`` as it did the block,
whose mark proves that they are this client's own.

A client has one question under way, so a pipe holds one message at most, and a message of up to `BELL_BYTES` is written
in one piece. Whatever is longer, or has frames, goes through ZeroMQ; `LOOK` then tells the client to look there.

Stand-alone like ``_frames.py``.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import weakref
from typing import Any

# Linux writes so many bytes in one piece or not at all.
BELL_BYTES = 4096
# No header: a map of msgpack is longer.
LOOK = b"\0"
# A descriptor that turns out to be a terminal must not become ours.
_HOW = os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Bell:
    """The client's ends. ``None`` from `create` where there are no such pipes."""

    def __init__(self, asked: tuple[int, int], told: tuple[int, int]) -> None:
        self._write, self._read = asked[1], told[0]
        self.offer = [asked[0], told[1]]
        self._theirs, self._ours = list(self.offer), [asked[1], told[0]]
        for ends in (self._theirs, self._ours):
            weakref.finalize(self, _shut, ends)
        os.set_blocking(self._write, False)
        self._poll = select.poll()
        self._poll.register(self._read, select.POLLIN)

    @classmethod
    def create(cls) -> Bell | None:
        """Make both pipes, or return None where descriptors have run out."""
        try:
            asked = os.pipe()
        except OSError:
            return None
        try:
            return cls(asked, os.pipe())
        except OSError:
            _shut(list(asked))
            return None

    def agreed(self) -> None:
        """Give up the server's ends, which it has opened: from now on its death ends the pipes."""
        _shut(self._theirs)

    def ask(self, frames: list[Any]) -> bool:
        """Send a message; return whether it could go this way."""
        return _written(self._write, frames)

    def hear(self, timeout_ms: int) -> bytes | None:
        """Return a message, None when nothing came in time; raises `EOFError` when the server is gone."""
        if not self._poll.poll(timeout_ms):
            return None
        found = os.read(self._read, BELL_BYTES)
        if not found:
            raise EOFError
        return found

    def close(self) -> None:
        _shut(self._theirs)
        _shut(self._ours)


class OpenedBell:
    """The server's ends. ``asked`` is the descriptor to wait for."""

    def __init__(self, asked: int, told: int) -> None:
        self.asked, self._told = asked, told
        # The client waits at the pipe, so that its answer is due there.
        self.waits = False

    def take(self) -> bytes | None:
        """Return the message that lies there, ``b""`` when the client is gone, None when there is none."""
        try:
            found = os.read(self.asked, BELL_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self.waits = bool(found)
        return found

    def tell(self, frames: list[Any]) -> bool:
        """Send a message; return whether it could go this way."""
        return _written(self._told, frames)

    def close(self) -> None:
        _shut([self.asked, self._told])


def open_bell(offer: Any) -> OpenedBell | None:
    """Return the pipes of a client whose block was found (see `open_block`), None where there are none."""
    named = offer.get("bell") if isinstance(offer, dict) else None
    if not isinstance(named, list) or len(named) != 2 or not all(type(one) is int and one >= 0 for one in named):
        return None
    opened: list[int] = []
    for number, way in zip(named, (os.O_RDONLY, os.O_WRONLY), strict=True):
        try:
            descriptor = os.open(f"/proc/{offer.get('pid')}/fd/{number}", way | _HOW)
        except OSError:
            break
        opened.append(descriptor)
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            break
    else:
        return OpenedBell(*opened)
    _shut(opened)
    return None


def _written(descriptor: int, frames: list[Any]) -> bool:
    if len(frames) != 1 or len(frames[0]) > BELL_BYTES:
        return False
    try:
        return os.write(descriptor, frames[0]) == len(frames[0])
    except OSError:
        return False


def _shut(descriptors: list[int]) -> None:
    """Close each, once: its number may be another file's the next moment."""
    while descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptors.pop())
