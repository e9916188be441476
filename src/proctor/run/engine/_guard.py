"""Time spent in policy and environment, and the limit on a policy's answer.

Two lines of defence: an alarm signal interrupts Python code in this process; a heartbeat in shared memory lets the
parent see a call that the alarm cannot interrupt, and end the whole worker.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn, Protocol

POLICY, ENV = 0, 1


class PolicyTimeout(BaseException):
    """Raised inside a policy call that takes too long. No `Exception`, which policies catch and ignore."""


class Beat(Protocol):
    """Two numbers that another process can read."""

    def __setitem__(self, index: int, value: float, /) -> None: ...


class Guard:
    """Times a worker's calls. ``beat`` holds, for policy and environment, when the running call began, else 0.

    Only the main thread has an alarm. ``interrupted`` says that it rang inside the policy, whose state is then unknown.
    """

    def __init__(self, policy_limit_s: float, beat: Beat | None = None) -> None:
        self.policy_limit_s = policy_limit_s
        self.policy_s = 0.0
        self.env_s = 0.0
        self.interrupted = False
        self._beat: Beat = [0.0, 0.0] if beat is None else beat
        self._alarm = threading.current_thread() is threading.main_thread()

    def restart(self) -> None:
        """Set the clocks to zero for a new episode."""
        self.policy_s = self.env_s = 0.0
        self.interrupted = False

    @contextlib.contextmanager
    def policy(self) -> Iterator[None]:
        """Time a policy call and raise `PolicyTimeout` when it exceeds the limit, even if it returns in the end."""
        began = time.monotonic()
        self._beat[POLICY] = began
        try:
            with self._armed():
                yield
        except PolicyTimeout:
            self.interrupted = True
            raise
        finally:
            self._beat[POLICY] = 0.0
            self.policy_s += time.monotonic() - began
        if time.monotonic() - began > self.policy_limit_s:
            # With an alarm the policy has caught it and gone on, who knows how.
            self.interrupted = self._alarm
            raise PolicyTimeout

    @contextlib.contextmanager
    def env(self) -> Iterator[None]:
        began = time.monotonic()
        self._beat[ENV] = began
        try:
            yield
        finally:
            self._beat[ENV] = 0.0
            self.env_s += time.monotonic() - began

    @contextlib.contextmanager
    def _armed(self) -> Iterator[None]:
        if not self._alarm:
            yield
            return
        previous = signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, self.policy_limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, previous)


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise PolicyTimeout
