"""Ctrl-C and SIGTERM as a flag."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def interrupt_flag() -> Iterator[threading.Event]:
    """Turn Ctrl-C and SIGTERM into a flag, so that neither can fall between the halves of a write."""
    flag = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield flag
        return

    def note(number: int, frame: FrameType | None) -> None:
        flag.set()

    previous = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
