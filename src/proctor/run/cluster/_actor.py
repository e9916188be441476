"""What Ray runs on the nodes: an environment worker, and a server of the policy.

Both are thin. An environment actor drives the same `Pool` as a run on one host, with one worker process, so that a
policy that hangs or crashes has the same row on a cluster as anywhere else; a policy actor starts ``proctor serve``.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from proctor import __version__
from proctor.core import EnvSpec, PolicySpec, ProctorError
from proctor.policies import describe_exception
from proctor.results import Episode
from proctor.run.engine import Assignment, Job, Pool, RunOptions, WakeupPipe

from ._files import Finished, TaskFile, TaskFiles

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
        given = [word for key, value in arguments.items() for word in ("--policy-arg", f"{key}={json.dumps(value)}")]
        self._log = Path(self._scratch.name) / "log"
        host = _address()
        command = [sys.executable, "-m", "proctor", "serve", policy, "--host", host, "--port", "0", *given]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--ready-file", str(self._ready)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PROCTOR_TOKEN": token},
            )

    def url(self) -> tuple[str, str]:
        """Return where the policy is served once it is loaded, or nothing and why it is not."""
        deadline = time.monotonic() + SERVE_PATIENCE_S
        while not self._ready.exists():
            if self._process.poll() is not None:
                return "", self._last_line()
            if time.monotonic() > deadline:
                return "", f"it was not loaded within {SERVE_PATIENCE_S:g} s"
            time.sleep(0.05)
        return self._ready.read_text(encoding="utf-8").strip(), ""

    def wait(self) -> str:
        """Return the server's last line when it has ended."""
        self._process.wait()
        return self._last_line()

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        try:
            self._process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._scratch.cleanup()

    def _last_line(self) -> str:
        lines = self._log.read_bytes()[-4000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}"


def _address() -> str:
    import ray

    return str(ray.util.get_node_ip_address())
