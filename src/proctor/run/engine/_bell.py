"""Wakes a loop that waits on file descriptors from another thread."""

from __future__ import annotations

import contextlib
import os


class Bell:
    """A pipe that is readable from `ring` until `still`; any number of rings in between count once."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self._out

    def ring(self) -> None:
        """Wake whoever waits; a full pipe rings already."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._in, b"!")

    def still(self) -> None:
        """Stop ringing."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._out, 4096)

    def close(self) -> None:
        """Free the pipe."""
        os.close(self._in)
        os.close(self._out)
