"""Child processes: started, spoken with, ended with all they started; they die with their parent.

`start_python` runs a function of ours in a new interpreter (not by multiprocessing, so that nothing of the caller's
main module is imported again), with a connection to it:

    child = start_python(main, "argument")      # def main(connection: Connection, argument: str) -> None
    child.connection.send(...)
    child.end(patience_s=3.0)
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LOG = logging.getLogger(__name__)
_PR_SET_PDEATHSIG = 1
_TAIL_BYTES = 20_000
_STDERR = 2
_POLL_S = 0.05


class ChildProcess:
    """A running program.

    Args:
        command: The program and its arguments.
        pass_fds: Descriptors of ours that it inherits.
        environ: All of its environment; None for ours.
        log: File to which what it prints is appended; None for our standard error.
        own_session: Put it in a session of its own: Ctrl-C does not reach it, and `end` ends all that it started.
        stdin_pipe: Give it a standard input that ends when we do, instead of none.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        pass_fds: Sequence[int] = (),
        environ: Mapping[str, str] | None = None,
        log: Path | None = None,
        own_session: bool = True,
        stdin_pipe: bool = False,
    ) -> None:
        self.log = log
        self._own_session = own_session
        with contextlib.ExitStack() as files:
            output: Any = _STDERR if log is None else files.enter_context(log.open("ab"))
            self._process: subprocess.Popen[bytes] = _SPAWNER.run(
                lambda: subprocess.Popen(
                    list(command),
                    pass_fds=tuple(pass_fds),
                    stdin=subprocess.PIPE if stdin_pipe else subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=None if environ is None else dict(environ),
                    start_new_session=own_session,
                )
            )
        _LOG.debug("started process %d: %s", self.pid, command[-1])

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def wait(self, limit_s: float) -> bool:
        """Wait for its end; return whether it came in time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(limit_s)
            return True
        return False

    def how_it_ended(self) -> str:
        """Return ``signal SIGSEGV`` or ``exit code 3``; ``running`` before the end."""
        code = self._process.poll()
        if code is None:
            return "running"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def signal(self, number: int) -> None:
        """Send a signal to the process alone."""
        self._process.send_signal(number)

    def end(self, *, patience_s: float = 0.0) -> str:
        """Give it ``patience_s`` to end by itself, then kill it and its session; return how it ended."""
        if not self.wait(patience_s):
            with contextlib.suppress(ProcessLookupError):
                if self._own_session:
                    os.killpg(self.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        _LOG.debug("process %d ended: %s", self.pid, self.how_it_ended())
        return self.how_it_ended()

    def tail(self) -> str:
        """Return the end of its log."""
        with contextlib.suppress(OSError):
            if self.log is not None:
                with self.log.open("rb") as file:
                    file.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
                    return file.read().decode(errors="replace")
        return ""

    def last_words(self) -> str:
        """Return the last line of its log, for an error message."""
        return next((line.strip() for line in reversed(self.tail().split("\n")) if line.strip()), "")

    def wait_for_line(self, start: str, limit_s: float) -> str | None:
        """Return the rest of the first line in its log that begins with ``start``; None if it ends, or after a time."""
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            alive = self.alive
            for line in self.tail().split("\n")[:-1]:
                if line.startswith(start):
                    return line.removeprefix(start).strip()
            if not alive:
                return None
            time.sleep(_POLL_S)
        return None


class PythonChild(ChildProcess):
    """A function that runs in a new interpreter; ``connection`` leads to it. See `start_python`."""

    def __init__(self, connection: Connection, command: Sequence[str], **how: Any) -> None:
        self.connection = connection
        super().__init__(command, **how)

    def end(self, *, patience_s: float = 0.0) -> str:
        """Close the connection, at which it should end, then as `ChildProcess.end`."""
        self.connection.close()
        return super().end(patience_s=patience_s)


def start_python(
    main: Callable[..., None],
    *args: int | float | str,
    log: Path | None = None,
    environ: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> PythonChild:
    """Run ``main(connection, *args)`` in a new interpreter that dies with this process.

    ``main`` is a function at the top of an importable module. Descriptors in ``pass_fds`` keep their numbers.
    """
    from multiprocessing.connection import Pipe

    if "." in main.__qualname__ or main.__module__ == "__main__":
        raise ValueError(f"{main.__module__}.{main.__qualname__} cannot be imported by another process")
    ours, theirs = Pipe(duplex=True)
    level = logging.getLogger("proctor").level
    # What a child with a log file logs is for whoever reads our log; its file is for what it prints.
    said = _duplicate(_STDERR) if level and log is not None else _STDERR
    given = () if said == _STDERR else (said,)
    told = (main.__module__, main.__qualname__, os.getpid(), level, said, theirs.fileno(), *args)
    code = f"from {run_child.__module__} import {run_child.__qualname__}; {run_child.__qualname__}{told!r}"
    command = [sys.executable, "-u", "-P", "-c", code]
    try:
        return PythonChild(ours, command, pass_fds=(theirs.fileno(), *given, *pass_fds), environ=environ, log=log)
    finally:
        theirs.close()
        for descriptor in given:
            os.close(descriptor)


def _duplicate(descriptor: int) -> int:
    try:
        return os.dup(descriptor)
    except OSError:
        return descriptor


def run_child(module: str, name: str, parent: int, level: int, said: int, descriptor: int, *args: Any) -> None:
    """Begin in the new interpreter. What ``proctor.*`` logs goes to the parent's standard error, at its level."""
    from multiprocessing.connection import Connection

    die_with(parent)
    handler = logging.StreamHandler(os.fdopen(said, "w", buffering=1, closefd=False))
    handler.setFormatter(logging.Formatter(f"%(asctime)s %(levelname)s %(name)s [{os.getpid()}]: %(message)s"))
    logging.getLogger("proctor").addHandler(handler)
    logging.getLogger("proctor").setLevel(level)
    getattr(importlib.import_module(module), name)(Connection(descriptor), *args)


def die_with(parent: int) -> None:
    """End this process when ``parent`` does: by signal where the system offers that, else within a second."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    # The parent may have died before.
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


class _Spawner:
    """Starts processes from a thread that lives as long as this process.

    Linux sends the signal of `die_with` when the *thread* ends that started the child, and policies are started from
    threads that end with a trial or with a replica.
    """

    def __init__(self) -> None:
        self.reset()
        # A forked process has none of our threads.
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Begin without a thread."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()

    def run(self, start: Callable[[], Any]) -> Any:
        """Return what ``start`` returns, called in that thread."""
        done: Future[Any] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="spawner", daemon=True)
                self._thread.start()
        self._asked.put((done, start))
        return done.result()

    def _serve(self) -> None:
        while True:
            done, start = self._asked.get()
            try:
                done.set_result(start())
            except BaseException as error:
                done.set_exception(error)


_SPAWNER = _Spawner()
