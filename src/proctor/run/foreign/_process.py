"""The process of a foreign simulator, seen from ours: start, ask, notice its death.

It is started by path with the Python of its own virtual environment, in our session, and talks over a socket
file in a folder that only this user can enter. What it prints is kept in that folder; if it dies, its last line is
quoted and the rest goes to our own standard error, which is the worker's log.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import zmq
from numpy.typing import NDArray

from proctor.core import ChildProcess
from proctor.policies.wire import MAX_MESSAGE_BYTES, FrameError, Message, decode, encode

from ._errors import ForeignEnvError

SERVER = Path(__file__).parent / "side" / "_server.py"
_LOG = logging.getLogger(__name__)
# Below the pool's own limit on environment calls, so that the row can say which simulator was silent.
TIMEOUT_S = 300.0
_POLL_S = 0.2


class Simulator:
    """A running server of environment ``name`` (a file in ``side/``) under ``python``."""

    def __init__(self, name: str, python: Path, environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> None:
        self.name, self.timeout_s = name, timeout_s
        self._number = 0
        self._folder = Path(tempfile.mkdtemp(prefix="proctor-env-"))
        endpoint = f"ipc://{self._folder / 'socket'}"
        self._socket: Any = zmq.Context.instance().socket(zmq.PAIR)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        self._socket.bind(endpoint)
        # It ends with its standard input. In our session, so that whoever kills ours kills it too. What it leaves in
        # the temporary folder goes with our folder.
        self._child = ChildProcess(
            [str(python), "-u", str(SERVER), name, endpoint],
            environ={**_environment(environ), "TMPDIR": str(self._folder)},
            log=self._folder / "log",
            own_session=False,
            stdin_pipe=True,
        )

        _LOG.info("simulator %s: process %d with %s", name, self.pid, python)

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._child.alive

    def ask(
        self, type_: str, fields: Mapping[str, Any] | None = None, arrays: Mapping[str, NDArray[Any]] | None = None
    ) -> Message:
        """Send a request and return the answer; a dead, silent or babbling process is ended and named."""
        self._number += 1
        deadline = time.monotonic() + self.timeout_s
        # A process that has died before it ever connected takes nothing.
        self._wait(type_, zmq.POLLOUT, deadline)
        self._socket.send_multipart(encode(type_, self._number, fields, arrays))
        self._wait(type_, zmq.POLLIN, deadline)
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

    def _wait(self, type_: str, ready: int, deadline: float) -> None:
        while not self._socket.poll(int(_POLL_S * 1000), ready):
            # An answer sent just before death still counts, hence the second look.
            if not self.alive and not self._socket.poll(0, ready):
                how = self._child.how_it_ended()
                raise ForeignEnvError(f"the process of {self.name} died ({how}) in {type_}{self._burial()}")
            if time.monotonic() > deadline:
                said = self._burial()
                raise ForeignEnvError(f"{self.name} did not answer {type_} within {self.timeout_s:g} s{said}")

    def close(self) -> None:
        """Let the simulator end by itself, within two seconds."""
        if self.alive:
            with contextlib.suppress(zmq.ZMQError):
                self._socket.send_multipart(encode("env_close"), zmq.NOBLOCK)
            self._child.wait(2.0)
        self.end()

    def end(self) -> None:
        """End the process at once and remove its folder."""
        self._child.end()
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _burial(self) -> str:
        """End the process, pass on what it said, and return its last words as ``: words``."""
        text, words = self._child.tail(), self._child.last_words()
        self.end()
        sys.stderr.write(text)
        return f": {words}" if words else ""


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return our environment without what would lead the other Python to our packages."""
    ours = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    return {**{key: value for key, value in os.environ.items() if key not in ours}, **extra}
