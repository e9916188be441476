"""A run whose episodes are carried out by Ray actors; this process, the driver, hands out specs and keeps the rows.

Ray finds nodes for the actors and says when one is lost. The driver then asks Ray for another actor, wherever there is
room, and hands the episodes that were out to those that are there; a row counts only from the actor that holds its
episode, so each is on record once. What is out at a time is bounded, and rows are small; what environments see never
passes through Ray: each actor asks the policy's servers itself.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from proctor.core import EnvSpec, PolicySpec
from proctor.policies import is_url
from proctor.policies.wire import TOKEN_VARIABLE
from proctor.results import Episode, make_row
from proctor.run.engine import Assignment, Job, Pace, RunOptions, WorkerError

from ._actor import Began, EnvironmentActor, PolicyActor, versions
from ._files import Finished, TaskFile, keep_files

_LOG = logging.getLogger(__name__)

# An episode that was lost with so many actors is at fault itself.
MAX_LOSSES = 3
# So many actors in turn may be lost before their worker was built.
MAX_FAILURES = 3
# The least that Ray accepts for a cluster of its own on this host.
_OBJECT_STORE_BYTES = 80 * 2**20
_POLL_S = 0.2
_PATIENCE_S = 5.0


def _silence(text: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class RayOptions:
    """``address``: ``local`` (a cluster of this host alone, for this run), ``auto`` or Ray's own.

    ``replicas``: how many servers of the policy Ray shall place, each on a GPU of its own where the cluster has any; 0
    where each worker loads the policy itself or asks a URL. ``say`` hears how the cluster stands, ``note`` what
    happened to it, a line each.
    """

    address: str = "local"
    replicas: int = 0
    say: Callable[[str], None] = _silence
    note: Callable[[str], None] = _silence


@dataclass(slots=True, eq=False)
class _Slot:
    """One actor, as the driver sees it: what it holds, and whether it has been asked and not answered."""

    actor: Any
    host: str = ""
    ready: bool = False
    asked: bool = False
    held: dict[str, Assignment] = field(default_factory=dict)
    tasks: set[str] = field(default_factory=set)


class RayWorkers:
    """Runs assignments on actors, ``options.workers`` of them, or one for every CPU of the cluster. A `Source`."""

    def __init__(
        self,
        job: Job,
        options: RunOptions,
        logs: Path,
        on_ready: Callable[[PolicySpec, EnvSpec], None],
        *,
        cluster: RayOptions,
    ) -> None:
        self._job, self._options, self._out, self._on_ready = job, options, logs.parent, on_ready
        self._cluster = cluster
        self._ray: Any = None
        self._ours = False
        self._slots: list[_Slot] = []
        self._servers: list[Any] = []
        # Whose answer each call is; None for a server, which answers when it has ended.
        self._calls: dict[Any, _Slot | None] = {}
        self._variables = {name: os.environ[name] for name in (TOKEN_VARIABLE,) if name in os.environ}
        self._back: deque[Assignment] = deque()
        self._todo: Iterator[Assignment] = iter(())
        self._losses: dict[str, int] = {}
        self._failures = 0
        self._specs: tuple[PolicySpec, EnvSpec] | None = None
        self._pace = Pace()

    def __enter__(self) -> RayWorkers:
        if self._cluster.replicas < 0:
            raise WorkerError(f"--replicas is {self._cluster.replicas}: it must be at least 0")
        self._connect()
        return self

    def __exit__(self, *_: Any) -> None:
        ray = self._ray
        # Those that have not been placed would be waited for in vain.
        actors = [*(slot.actor for slot in self._slots if slot.host), *self._servers]
        if actors:
            ray.wait([actor.close.remote() for actor in actors], num_returns=len(actors), timeout=_PATIENCE_S)
        for actor in [*(slot.actor for slot in self._slots), *self._servers]:
            ray.kill(actor)
        if self._ours:
            ray.shutdown()

    def run(self, todo: Iterator[Assignment], count: int, stop: Callable[[], bool]) -> Iterator[list[Episode]]:
        """Yield a row for each of the ``count`` assignments, in groups that came together, until ``stop()``."""
        self._todo = todo
        if self._cluster.replicas and not self._serve(stop):
            return
        free = int(self._ray.available_resources().get("CPU", 0))
        self._slots = [self._place() for _ in range(min(self._options.workers or max(1, free), count))]
        left = count
        while left and not stop():
            done, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=_POLL_S)
            if done:
                done, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            rows: list[Episode] = []
            for reference in done:
                rows += self._hear(reference)
            left -= len(rows)
            # More work goes out before the rows are written: the disk is slower than the actors.
            self._feed(left)
            self._say()
            if rows:
                yield rows

    def _connect(self) -> None:
        try:
            import ray
        except ImportError:
            raise WorkerError("--ray needs Ray, which is not installed: pip install 'proctor[ray]'") from None
        self._ray = ray
        if ray.is_initialized():
            return
        # Ray would otherwise hide the GPUs from actors that ask for none, whose policy may well use one.
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        started: dict[str, Any] = {"address": self._cluster.address}
        if self._cluster.address == "local":
            cpus = max(self._options.workers + self._cluster.replicas, os.cpu_count() or 1)
            started |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES}
        try:
            ray.init(**started, log_to_driver=False, logging_level="error")
        except Exception as error:
            raise WorkerError(f"--ray {self._cluster.address}: {_line(error)}") from None
        self._ours = True
        _LOG.info("connected to Ray at %s", self._cluster.address)

    def _serve(self, stop: Callable[[], bool]) -> bool:
        """Let Ray place servers of the policy; workers ask those in its place. Return False if stopped meanwhile."""
        if is_url(self._job.policy):
            raise WorkerError(f"--replicas: policy {self._job.policy!r} is served already: leave the option out")
        gpus = int(self._ray.cluster_resources().get("GPU", 0) >= 1)
        kind = self._ray.remote(PolicyActor).options(num_cpus=1, num_gpus=gpus, max_concurrency=3)
        token = secrets.token_urlsafe(18)
        given = (self._job.policy, self._job.policy_args, token, os.getcwd())
        self._servers = [kind.remote(*given) for _ in range(self._cluster.replicas)]
        waiting = calls = [server.url.remote() for server in self._servers]
        while waiting:
            if stop():
                return False
            _, waiting = self._ray.wait(waiting, num_returns=len(waiting), timeout=_POLL_S)
        try:
            urls = self._ray.get(calls)
        except self._ray.exceptions.RayError as error:
            raise WorkerError(f"a server of the policy cannot be started on Ray: {_line(error)}") from None
        problem = next((line for url, line in urls if not url), "")
        if problem:
            raise WorkerError(f"a server of the policy cannot be started on Ray: {problem}")
        hosts = ",".join(url.partition("://")[2] for url, _ in urls)
        self._job = replace(self._job, policy=f"proctor://{hosts}", policy_args={})
        self._variables[TOKEN_VARIABLE] = token
        self._calls |= {server.wait.remote(): None for server in self._servers}
        self._cluster.note(
            f"the policy is served by {_count(len(urls), 'server')}, on {'a GPU each' if gpus else 'CPUs'}"
        )
        return True

    def _place(self) -> _Slot:
        """Ask Ray for an actor; it is placed as soon as a node has room."""
        kind = self._ray.remote(EnvironmentActor).options(num_cpus=1, max_concurrency=2, scheduling_strategy="SPREAD")
        slot = _Slot(kind.remote(self._job, self._options, self._variables, os.getcwd()))
        self._calls[slot.actor.begin.remote()] = slot
        return slot

    def _hear(self, reference: Any) -> list[Episode]:
        """Take what an actor has answered."""
        slot = self._calls.pop(reference)
        try:
            answer = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise WorkerError(f"an actor failed: {_line(error)}") from None
        except self._ray.exceptions.RayError as error:
            if slot is None:
                raise WorkerError(f"a server of the policy is lost: {_line(error)}") from None
            return self._replace(slot, error)
        if slot is None:
            raise WorkerError(f"a server of the policy has ended: {answer}")
        if isinstance(answer, Began):
            self._welcome(slot, answer)
            return []
        slot.asked = False
        finished, failure = answer
        if failure:
            raise WorkerError(f"{slot.host}: {failure}")
        return self._accept(slot, finished)

    def _accept(self, slot: _Slot, finished: list[Finished]) -> list[Episode]:
        rows = []
        for item in finished:
            if slot.held.pop(item.row.episode_id, None) is None:
                continue
            keep_files(item.files, self._out)
            self._pace.note(item.row.timing.wall_s)
            rows.append(item.row)
        return rows

    def _welcome(self, slot: _Slot, began: Began) -> None:
        """Let an actor take part if it runs the same code."""
        here = versions()
        slot.host = began.host
        for name, theirs in began.versions.items():
            if theirs != here[name]:
                raise WorkerError(
                    f"{began.host} has {name} {theirs or 'not installed'}, this host has {here[name] or 'none'}: "
                    f"install the same version on every node"
                )
        if began.specs is None:
            raise WorkerError(f"{began.host}: {began.failure}")
        if self._specs is None:
            self._specs = began.specs
            self._on_ready(*began.specs)
        elif self._specs != began.specs:
            raise WorkerError(f"{began.host} {_unlike(self._specs, began.specs)}: install the same code on every node")
        slot.ready, self._failures = True, 0

    def _replace(self, slot: _Slot, error: Exception) -> list[Episode]:
        """Give what a lost actor held to others and ask for one in its place; return what was lost too often."""
        if getattr(error, "actor_init_failed", False):
            raise WorkerError(f"an actor cannot be built: {_line(error)}")
        if slot.ready:
            held = _count(len(slot.held), "episode")
            self._cluster.note(f"a worker on {slot.host} is lost; its {held} go to others")
        else:
            self._failures += 1
            if self._failures >= MAX_FAILURES:
                raise WorkerError(f"{MAX_FAILURES} actors were lost before they could begin: {_line(error)}")
        rows = []
        for identity, assignment in slot.held.items():
            self._losses[identity] = self._losses.get(identity, 0) + 1
            if self._losses[identity] < MAX_LOSSES:
                self._back.append(Assignment(assignment.spec, assignment.attempt + 1))
                continue
            assert self._specs is not None, "no actor holds an episode before one was ready"
            text = f"lost with {MAX_LOSSES} workers on Ray, the last on {slot.host}"
            rows.append(
                make_row(assignment.spec, *self._specs, status="infra_error", error=text, attempt=assignment.attempt)
            )
        self._ray.kill(slot.actor)
        self._slots[self._slots.index(slot)] = self._place()
        return rows

    def _feed(self, left: int) -> None:
        """Hand episodes to the actors that await some: one ahead of what they run while there are plenty."""
        seats = self._options.envs_per_worker
        for slot in self._slots:
            if not slot.ready or slot.asked:
                continue
            waiting = left - sum(len(other.held) for other in self._slots)
            ahead = 2 if waiting > seats * len(self._slots) else 1
            items = []
            for _ in range(min(waiting, self._pace.room(ahead * seats, len(slot.held)))):
                assignment = self._back.popleft() if self._back else next(self._todo, None)
                if assignment is None:
                    break
                items.append(assignment)
            if not items and not slot.held:
                continue
            slot.held |= {item.spec.episode_id: item for item in items}
            slot.asked = True
            self._calls[slot.actor.exchange.remote(items, self._tasks_for(slot, items))] = slot

    def _tasks_for(self, slot: _Slot, items: list[Assignment]) -> dict[str, TaskFile]:
        """Return the task files that the actor has not seen."""
        new = {item.spec.task_path for item in items} - slot.tasks
        slot.tasks |= new
        return {path: file for path in new if (file := TaskFile.read(path)) is not None}

    def _say(self) -> None:
        ready = [slot for slot in self._slots if slot.ready]
        text = f"{_count(len(ready), 'worker')} on {_count(len({slot.host for slot in ready}), 'host')}"
        missing = len(self._slots) - len(ready)
        self._cluster.say(f"{text}, {missing} more not there yet" if missing else text)


def _unlike(first: tuple[PolicySpec, EnvSpec], other: tuple[PolicySpec, EnvSpec]) -> str:
    """Say in what two pairs of specs differ."""
    for what, one, two in (("policy", first[0], other[0]), ("environment", first[1], other[1])):
        was, now = asdict(one), asdict(two)
        for name in was:
            if was[name] != now[name]:
                return f"builds another {what} ({name} is {now[name]!r}, elsewhere {was[name]!r})"
    raise AssertionError("they are equal")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _line(error: Exception) -> str:
    """Return the end of an error's text on one line: Ray puts the traceback of the other side before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[-1:])[:300] or type(error).__name__
