"""The parent's side of one worker process."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

from ._guard import ENV, POLICY
from ._worker import BEAT_BYTES, Assignment, Job, Report

# One physics step is far too small to share between threads; without this each worker would start one thread per core.
_SINGLE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "LP_NUM_THREADS",
)


class WorkerProcess:
    """A running worker and the assignment it holds.

    Workers are started by ``python -c``, not by multiprocessing, so that nothing of the caller's main module is
    imported again, and in a session of their own, so that Ctrl-C reaches only the parent.
    """

    def __init__(self, job: Job, log: Path) -> None:
        self.log = log
        self.ready = False
        self.assignment: Assignment | None = None
        self.connection: Connection
        self.connection, theirs = Pipe(duplex=True)
        with tempfile.TemporaryFile() as file:
            file.truncate(BEAT_BYTES)
            self._map = mmap.mmap(file.fileno(), BEAT_BYTES)
            self._beat = memoryview(self._map).cast("d")
            fds = (theirs.fileno(), file.fileno())
            environment = {**dict.fromkeys(_SINGLE_THREAD, "1"), **os.environ}
            with log.open("ab") as output:
                self.process = subprocess.Popen(
                    [sys.executable, "-u", "-P", "-c", f"from proctor.rollout._worker import main; main{fds}"],
                    pass_fds=fds,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=environment,
                    start_new_session=True,
                )
        theirs.close()
        self.connection.send(job)

    def assign(self, assignment: Assignment) -> None:
        """Hand an episode to the worker."""
        self.assignment = assignment
        # A worker that has just died is noticed by the closed connection, with the assignment still in its name.
        with contextlib.suppress(OSError):
            self.connection.send(assignment)

    def receive(self) -> Report | None:
        """Return the worker's next report, None if the worker has died."""
        try:
            report: Report = self.connection.recv()
        except (EOFError, OSError):
            return None
        return report

    def stuck(self, policy_limit_s: float, env_limit_s: float) -> str:
        """Return ``policy`` or ``env`` if a call of that side has run for longer than its limit, else ``""``."""
        now = time.monotonic()
        for index, side, limit in ((POLICY, "policy", policy_limit_s), (ENV, "env", env_limit_s)):
            began = self._beat[index]
            if began and now - began > limit:
                return side
        return ""

    def end(self, *, patience_s: float = 0.0) -> str:
        """End the worker and all it started; return how it died (``signal SIGSEGV``, ``exit code 3``).

        With ``patience_s`` the worker may close its environment first.
        """
        self.connection.close()
        try:
            self.process.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        with contextlib.suppress(OSError):
            if self.log.stat().st_size == 0:
                self.log.unlink()
        code = self.process.returncode
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def last_words(self) -> str:
        """Return the last line of the worker's log."""
        with contextlib.suppress(OSError):
            lines = self.log.read_bytes()[-2000:].decode(errors="replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""
