"""Ray as a launcher: it places agents on nodes, and places them anew when a node is lost. Nothing else goes through it.

Each agent is an actor that asks for as many CPUs as it has workers, so Ray's own scheduler spreads them by what nodes
have free; ``max_restarts=-1`` makes Ray start an actor again, wherever there is room, when its node dies. The actor
starts ``proctor worker`` as a process: rows, files and observations never touch the object store.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from proctor.wire import TOKEN_VARIABLE as SHARED_TOKEN_VARIABLE

from .._pool import WorkerError
from ._address import TOKEN_VARIABLE
from ._errors import FleetError
from ._local import agent_command

# The least that Ray accepts; we put nothing into it.
_OBJECT_STORE_BYTES = 80 * 2**20
_PATIENCE_S = 10.0
MAX_FAILURES = 3


class _Place:
    """The actor: one agent process on the node where Ray put it. The process dies with the actor."""

    def __init__(self, command: list[str], variables: dict[str, str], folder: str) -> None:
        # The interpreter of this node, which need not lie where the run's does.
        line = [sys.executable, *command[1:], "--parent", str(os.getpid())]
        self._process = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **variables},
            cwd=folder if os.path.isdir(folder) else None,
        )

    def wait(self) -> tuple[int, str]:
        """Return the agent's exit code and last line, once it has ended."""
        assert self._process.stderr is not None
        said = self._process.stderr.read().decode(errors="replace").strip().splitlines()
        return self._process.wait(), said[-1] if said else ""


class RayAgents:
    """Agents on a Ray cluster: ``address`` is ``local`` (a fresh one-node cluster on this host) or Ray's own.

    ``workers`` is the total; 0 means every CPU of the cluster.
    """

    def __init__(self, address: str, workers: int = 0) -> None:
        self._address, self._workers = address, workers
        self._ray: Any = None
        # What each pending wait() belongs to: the actor and its number of workers.
        self._waits: dict[Any, tuple[Any, int]] = {}
        self._where = ("", "")
        self._failures = 0
        self._note = ""

    def connect(self) -> None:
        """Join or start the cluster; raises `FleetError` before anything has run if that cannot be done."""
        try:
            import ray
        except ImportError:
            raise FleetError("--ray needs Ray, which is not installed: pip install 'proctor[ray]'") from None
        # Ray would otherwise unset the GPUs of actors that ask for none; whether a policy uses one is not its business.
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        started: dict[str, Any] = {"address": self._address}
        if self._address == "local":
            started |= {"include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES}
            started |= {"num_cpus": max(self._workers, os.cpu_count() or 1)}
        try:
            ray.init(**started, log_to_driver=False, logging_level="error")
        except Exception as error:
            raise FleetError(f"--ray {self._address}: {' '.join(str(error).split())[:300]}") from None
        self._ray = ray

    def start(self, address: str, token: str) -> None:
        """Place the agents."""
        if self._ray is None:
            self.connect()
        self._where = (address, token)
        for size in self._bundles():
            self._place(size)

    def tend(self) -> str:
        """Look after agents that have ended; return how many are not placed yet."""
        done, _ = (
            self._ray.wait(list(self._waits), num_returns=len(self._waits), timeout=0) if self._waits else ([], [])
        )
        for reference in done:
            actor, size = self._waits.pop(reference)
            self._bury(reference, actor, size)
        return self._note

    def stop(self) -> None:
        """Leave the cluster once the agents have ended; those that have not within a moment end with their actors."""
        if self._ray is None:
            return
        if self._waits:
            self._ray.wait(list(self._waits), num_returns=len(self._waits), timeout=_PATIENCE_S)
        self._ray.shutdown()

    def _bundles(self) -> list[int]:
        """Return the sizes of the agents: each fits on the smallest node, and together they are all workers."""
        cpus = sorted(int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"])
        cpus = [count for count in cpus if count]
        if not cpus:
            raise FleetError(f"--ray {self._address}: no node of the cluster has a CPU to offer")
        total = self._workers or sum(cpus)
        size = max(1, min(cpus[0], -(-total // len(cpus))))
        whole, rest = divmod(total, size)
        return [size] * whole + [rest] * bool(rest)

    def _place(self, size: int) -> None:
        address, token = self._where
        kind = self._ray.remote(_Place).options(
            num_cpus=size, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD"
        )
        shared = os.environ.get(SHARED_TOKEN_VARIABLE)
        variables = {TOKEN_VARIABLE: token, **({} if shared is None else {SHARED_TOKEN_VARIABLE: shared})}
        actor = kind.remote(agent_command(address, size), variables, os.getcwd())
        self._waits[actor.wait.remote()] = (actor, size)

    def _bury(self, reference: Any, actor: Any, size: int) -> None:
        """Replace an agent that ended before the run did; Ray has already replaced those whose node was lost."""
        try:
            code, line = self._ray.get(reference)
        except Exception as error:
            code, line = 1, " ".join(str(error).split())[:300]
        self._ray.kill(actor)
        if code == 0:
            return
        self._failures += 1
        self._note = f"an agent on Ray failed: {line}" if line else ""
        if self._failures >= MAX_FAILURES:
            raise WorkerError(f"{MAX_FAILURES} agents on Ray failed, the last with: {line or f'exit code {code}'}")
        self._place(size)
