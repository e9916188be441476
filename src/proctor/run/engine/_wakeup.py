"""Wakes a loop that waits on file descriptors from another thread."""

from __future__ import annotations

import contextlib
import os


class WakeupPipe:
    """A pipe that is readable from `wake` until `clear`; any number of calls in between count once."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def fileno(self) -> int:
        return self._out

    def wake(self) -> None:
        """Make the pipe readable; a full one is already."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._in, b"!")

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._out, 4096)
