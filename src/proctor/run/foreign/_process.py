"""The process of a foreign simulator, seen from ours: start, ask, notice its death.

It is started by path with the Python of its own virtual environment, in our process group, and talks over a socket
file in a folder that only this user can enter. What it prints is kept in that folder; if it dies, its last line is
quoted and the rest goes to our own standard error, which is the worker's log.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import zmq
from numpy.typing import NDArray

from proctor.policies.wire import MAX_MESSAGE_BYTES, FrameError, Message, decode, encode

from ._errors import ForeignEnvError

SERVER = Path(__file__).parent / "side" / "_server.py"
# Below the pool's own limit on environment calls, so that the row can say which simulator was silent.
TIMEOUT_S = 300.0
_POLL_S = 0.2
_LAST_BYTES = 20_000


class Simulator:
    """A running server of environment ``name`` (a file in ``side/``) under ``python``."""

    def __init__(self, name: str, python: Path, environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> None:
        self.name, self.timeout_s = name, timeout_s
        self._number = 0
        self._folder = Path(tempfile.mkdtemp(prefix="proctor-env-"))
        self._log = self._folder / "log"
        endpoint = f"ipc://{self._folder / 'socket'}"
        self._socket: Any = zmq.Context.instance().socket(zmq.PAIR)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        self._socket.bind(endpoint)
        with self._log.open("wb") as output:
            self._process = subprocess.Popen(
                [str(python), "-u", str(SERVER), name, endpoint],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                # What it leaves in the temporary folder goes with ours.
                env={**_environment(environ), "TMPDIR": str(self._folder)},
            )

    @property
    def pid(self) -> int:
        """The process id of the simulator."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(
        self, type_: str, fields: Mapping[str, Any] | None = None, arrays: Mapping[str, NDArray[Any]] | None = None
    ) -> Message:
        """Send a request and return the answer; a dead, silent or babbling process is ended and named."""
        self._number += 1
        self._socket.send_multipart(encode(type_, self._number, fields, arrays))
        deadline = time.monotonic() + self.timeout_s
        while not self._socket.poll(int(_POLL_S * 1000)):
            # An answer sent just before death still counts, hence the second look.
            if not self.alive and not self._socket.poll(0):
                raise ForeignEnvError(f"the process of {self.name} died ({self._how()}) in {type_}{self._burial()}")
            if time.monotonic() > deadline:
                said = self._burial()
                raise ForeignEnvError(f"{self.name} did not answer {type_} within {self.timeout_s:g} s{said}")
        try:
            answer = decode([bytes(part) for part in self._socket.recv_multipart()])
            if answer.id != self._number:
                raise FrameError(f"request {self._number} was answered as {answer.id}")
        except FrameError as error:
            self.end()
            raise ForeignEnvError(f"{self.name} answered {type_} with something else: {error}") from None
        if answer.type == "error":
            blame = "" if answer.fields.get("mistake") else f"{self.name} failed in {type_}: "
            raise ForeignEnvError(f"{blame}{answer.fields.get('message')}")
        return answer

    def close(self) -> None:
        """Let the simulator end by itself, within two seconds."""
        if self.alive:
            with contextlib.suppress(zmq.ZMQError):
                self._socket.send_multipart(encode("env_close"), zmq.NOBLOCK)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(2.0)
        self.end()

    def end(self) -> None:
        """End the process at once and remove its folder."""
        if self.alive:
            self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _how(self) -> str:
        code = self._process.wait()
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def _burial(self) -> str:
        """End the process, pass on what it said, and return its last words as ``: words``."""
        text = ""
        with contextlib.suppress(OSError):
            text = self._log.read_bytes()[-_LAST_BYTES:].decode(errors="replace")
        self.end()
        sys.stderr.write(text)
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        return f": {lines[-1]}" if lines else ""


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return our environment without what would lead the other Python to our packages."""
    ours = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    return {**{key: value for key, value in os.environ.items() if key not in ours}, **extra}
