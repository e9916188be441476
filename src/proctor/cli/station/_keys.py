"""Keys typed in a terminal, without Enter and without waiting."""

from __future__ import annotations

import os
import select
import sys


class Keys:
    """Use as a context manager: inside, keys come one by one. Without a terminal, lines of the standard input do."""

    def __init__(self) -> None:
        self._fd = -1
        self._before: list[object] | None = None
        self._waiting = ""

    def __enter__(self) -> Keys:
        try:
            self._fd = sys.stdin.fileno()
        except (OSError, ValueError, AttributeError):
            return self
        if os.isatty(self._fd):
            import termios
            import tty

            self._before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd)
        return self

    def __exit__(self, *details: object) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]

    def typed(self) -> str:
        """Return what was typed since the last call, without the keys that `ended` looks for."""
        self._read()
        kept, self._waiting = self._waiting, "".join(key for key in self._waiting if key in "\nx")
        return "".join(key for key in kept if key not in "\nx")

    def ended(self) -> bool:
        """Whether Enter or x was typed since the last call."""
        self._read()
        found = any(key in self._waiting for key in "\nx")
        self._waiting = "".join(key for key in self._waiting if key not in "\nx")
        return found

    def _read(self) -> None:
        while self._fd >= 0 and select.select([self._fd], [], [], 0)[0]:
            data = os.read(self._fd, 256)
            if not data:
                # Nobody is there to type.
                self._fd = -1
            self._waiting += data.decode(errors="ignore").replace("\r", "\n")
