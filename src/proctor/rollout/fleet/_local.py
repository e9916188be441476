"""Agents of this host: the same command that other hosts run."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from .._pool import WorkerError
from ._address import TOKEN_VARIABLE

MAX_DEATHS = 3
_PATIENCE_S = 5.0


def agent_command(where: str, workers: int, *extra: str) -> list[str]:
    """Return the command of an agent; its token travels by `TOKEN_VARIABLE`, where no list of processes shows it."""
    return [sys.executable, "-m", "proctor", "worker", where, "--workers", str(workers), *extra]


class LocalAgent:
    """One agent process with ``workers`` workers, replaced if it dies; it does not outlive the run."""

    def __init__(self, workers: int, log: Path) -> None:
        self._workers, self._log = workers, log
        self._process: subprocess.Popen[bytes] | None = None
        self._where = ("", "")
        self._deaths = 0

    def start(self, address: str, token: str) -> None:
        """Start the agent."""
        self._where = (address, token)
        command = agent_command(address, self._workers, "--parent", str(os.getpid()))
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, TOKEN_VARIABLE: token},
                start_new_session=True,
            )

    def tend(self) -> str:
        """Start it again if it has died."""
        if self._process is None or self._process.poll() is None:
            return ""
        self._deaths += 1
        if self._deaths >= MAX_DEATHS:
            raise WorkerError(f"the local agent died {MAX_DEATHS} times; see {self._log}")
        self.start(*self._where)
        return ""

    def stop(self) -> None:
        """Wait for the agent to end, a moment only."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            # Its workers die with it.
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(OSError):
            self._log.unlink()
