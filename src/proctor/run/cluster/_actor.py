"""What Ray runs on the nodes: an environment worker, and a server of the policy.

Both are thin. An environment actor drives the same `Pool` as a run on one host, with one worker process, so that a
policy that hangs or crashes has the same row on a cluster as anywhere else; a policy actor serves as ``proctor serve``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proctor import __version__
from proctor.core import EnvSpec, PolicySpec, ProctorError, start_python
from proctor.policies import describe_exception
from proctor.policies.wire import TOKEN_VARIABLE
from proctor.results import Episode
from proctor.run.engine import Assignment, Job, Pool, RunOptions, WakeupPipe

from ._files import Finished, TaskFile, TaskFiles

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# An answer without rows is given after so long, one with files when they have come to so much.
ANSWER_S = 1.0
ANSWER_BYTES = 32 * 2**20
SERVE_PATIENCE_S = 600.0


def versions() -> dict[str, str]:
    """Return what must be the same on every node for a run to begin."""
    try:
        mujoco = version("mujoco")
    except PackageNotFoundError:
        mujoco = ""
    return {"proctor": __version__, "mujoco": mujoco}


@dataclass(frozen=True, slots=True)
class Began:
    """What an environment actor is, or why it cannot be."""

    host: str
    versions: dict[str, str]
    specs: tuple[PolicySpec, EnvSpec] | None
    failure: str


class EnvironmentActor:
    """One worker process with its environments, on the node where Ray put it."""

    def __init__(self, job: Job, options: RunOptions, variables: Mapping[str, str], folder: str) -> None:
        os.environ.update(variables)
        if os.path.isdir(folder):
            os.chdir(folder)
        self._scratch = Path(tempfile.mkdtemp(prefix="proctor-ray-"))
        episode = replace(options.episode, out=self._scratch)
        self._options = replace(options, workers=1, episode=episode)
        self._job = replace(job, options=episode)
        self._tasks = TaskFiles(self._scratch / "tasks")
        self._todo: deque[Assignment] = deque()
        self._rows: deque[Episode] = deque()
        self._specs: tuple[PolicySpec, EnvSpec] | None = None
        self._failure = ""
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._wakeup = WakeupPipe()
        self._thread = threading.Thread(target=self._main, name="pool", daemon=True)

    def begin(self) -> Began:
        """Start the worker; return once it has built its environment and policy."""
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._specs is not None or self._failure)
        return Began(socket.gethostname(), versions(), self._specs, self._failure)

    def exchange(self, assignments: Sequence[Assignment], tasks: Mapping[str, TaskFile]) -> tuple[list[Finished], str]:
        """Take episodes to run; return those that have ended, after a moment at the latest, and what went wrong."""
        self._tasks.add(tasks)
        self._todo.extend(map(self._tasks.localise, assignments))
        self._wakeup.wake()
        with self._changed:
            self._changed.wait_for(lambda: self._rows or self._failure, timeout=ANSWER_S)
        answer: list[Finished] = []
        size = 0
        while self._rows and size < ANSWER_BYTES:
            answer.append(Finished.collect(self._rows.popleft(), self._scratch))
            size += answer[-1].size
        return answer, self._failure

    def close(self) -> None:
        """End the worker and remove what it wrote."""
        self._stopping.set()
        self._wakeup.wake()
        self._thread.join()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _main(self) -> None:
        failure = ""
        try:
            with Pool(self._job, self._options, self._scratch / "logs", self._built, wakeup=self._wakeup) as pool:
                for rows in pool.run(self._next(), sys.maxsize, self._stopping.is_set):
                    with self._changed:
                        self._rows.extend(rows)
                        self._changed.notify_all()
        except ProctorError as error:
            failure = str(error)
        except Exception as error:
            failure = describe_exception(error)
        with self._changed:
            self._failure = failure
            self._changed.notify_all()

    def _next(self) -> Iterator[Assignment | None]:
        while True:
            yield self._todo.popleft() if self._todo else None

    def _built(self, policy: PolicySpec, env: EnvSpec) -> None:
        with self._changed:
            self._specs = (policy, env)
            self._changed.notify_all()


class PolicyActor:
    """One server of the policy, on the node (and the GPU) that Ray gave it."""

    def __init__(self, policy: str, arguments: Mapping[str, Any], token: str, folder: str) -> None:
        if os.path.isdir(folder):
            os.chdir(folder)
        self._scratch = tempfile.TemporaryDirectory(prefix="proctor-serve-")
        self._ready = Path(self._scratch.name) / "url"
        given = (policy, json.dumps(dict(arguments)), _address(), str(self._ready))
        # The token is not for lists of processes.
        environ = {**os.environ, TOKEN_VARIABLE: token}
        self._server = start_python(serve_policy, *given, log=Path(self._scratch.name) / "log", environ=environ)

    def url(self) -> tuple[str, str]:
        """Return where the policy is served once it is loaded, or nothing and why it is not."""
        deadline = time.monotonic() + SERVE_PATIENCE_S
        while not self._ready.exists():
            if not self._server.alive:
                return "", self._server.last_words() or self._server.how_it_ended()
            if time.monotonic() > deadline:
                return "", f"it was not loaded within {SERVE_PATIENCE_S:g} s"
            time.sleep(0.05)
        return self._ready.read_text(encoding="utf-8").strip(), ""

    def wait(self) -> str:
        """Return the server's last line when it has ended."""
        while not self._server.wait(ANSWER_S):
            pass
        return self._server.last_words() or self._server.how_it_ended()

    def close(self) -> None:
        self._server.signal(signal.SIGTERM)
        self._server.end(patience_s=2.0)
        self._scratch.cleanup()


def serve_policy(connection: Connection, policy: str, arguments: str, host: str, ready: str) -> None:
    """Serve a policy until SIGTERM, in a process of its own."""
    from proctor.serving import ServeOptions, run_server

    given = [f"{key}={json.dumps(value)}" for key, value in json.loads(arguments).items()]
    options = ServeOptions(host=host, port=0, token=os.environ[TOKEN_VARIABLE], ready_file=Path(ready))
    try:
        run_server(policy, given, options, print)
    except ProctorError as error:
        sys.exit(str(error))


def _address() -> str:
    import ray

    return str(ray.util.get_node_ip_address())
