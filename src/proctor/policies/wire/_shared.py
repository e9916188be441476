"""A block of memory that two processes on one host share, offered by the client in its hello.

The client makes an anonymous file (memfd), seals its size, writes a random mark at its beginning and names it by
process and descriptor; the server opens it through ``/proc``. Nothing is left behind however either side dies, and a
sealed file cannot shrink under the reader. On another host, in another container or without Linux the mark is not
found, and arrays travel as frames.

Stand-alone like ``_frames.py``.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import secrets
from typing import Any

MARK_BYTES = 64
BLOCK_BYTES = 8 << 20
MAX_BLOCK_BYTES = 256 << 20
_F_ADD_SEALS, _F_GET_SEALS, _F_SEAL_SEAL, _F_SEAL_SHRINK, _F_SEAL_GROW = 1033, 1034, 1, 2, 4
_SEALS = _F_SEAL_SHRINK | _F_SEAL_GROW
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD = -1, -2, -3


def keep_freed_memory() -> None:
    """Let the allocator keep what a batch of pictures frees, for the next one; does nothing without glibc.

    By default it goes back to the system and is faulted in again, page by page: 0.25 ms instead of 0.05 ms for an
    observation of two 256² pictures, which eight clients wait for one after the other.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    for parameter, size in ((_M_MMAP_THRESHOLD, 32 << 20), (_M_TRIM_THRESHOLD, 256 << 20), (_M_TOP_PAD, 16 << 20)):
        mallopt(parameter, size)


class SharedBlock:
    """A client's block: ``offer`` for the hello, ``view`` to write into. ``None`` from `create` where it cannot be."""

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor = descriptor
        self._map = mmap.mmap(descriptor, size)
        mark = secrets.token_bytes(MARK_BYTES)
        self._map[:MARK_BYTES] = mark
        self.view = memoryview(self._map)[MARK_BYTES:]
        self.offer: dict[str, Any] = {"pid": os.getpid(), "fd": descriptor, "size": size, "mark": mark}

    @classmethod
    def create(cls, size: int = BLOCK_BYTES) -> SharedBlock | None:
        """Make a block, or return None where the system has no such memory."""
        if not hasattr(os, "memfd_create"):
            return None
        try:
            descriptor = os.memfd_create("proctor-wire", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            return None
        try:
            os.ftruncate(descriptor, size)
            fcntl.fcntl(descriptor, _F_ADD_SEALS, _SEALS | _F_SEAL_SEAL)
            return cls(descriptor, size)
        except OSError:
            os.close(descriptor)
            return None

    def close(self) -> None:
        self.view.release()
        self._map.close()
        os.close(self._descriptor)


def open_block(offer: Any) -> memoryview | None:
    """Return the block that a client offers, for reading; None unless it is that very block.

    The numbers come from another process: only a sealed memfd that begins with the mark is accepted.
    """
    if not isinstance(offer, dict):
        return None
    pid, number, mark = (offer.get(key) for key in ("pid", "fd", "mark"))
    size: Any = offer.get("size")
    if not all(type(value) is int and value >= 0 for value in (pid, number, size)) or type(mark) is not bytes:
        return None
    if len(mark) != MARK_BYTES or not MARK_BYTES < size <= MAX_BLOCK_BYTES:
        return None
    try:
        descriptor = os.open(f"/proc/{pid}/fd/{number}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        sealed = fcntl.fcntl(descriptor, _F_GET_SEALS) & _SEALS == _SEALS
        if not sealed or os.fstat(descriptor).st_size != size:
            return None
        view = memoryview(mmap.mmap(descriptor, size, prot=mmap.PROT_READ))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return view[MARK_BYTES:] if view[:MARK_BYTES] == mark else None
