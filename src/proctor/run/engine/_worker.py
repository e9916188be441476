"""A worker process: its messages, and its environment slots that run the episodes it was handed."""

from __future__ import annotations

import contextlib
import logging
import mmap
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from proctor.core import (
    BatchPolicy,
    Env,
    EnvSpec,
    EpisodeSpec,
    FittingPolicy,
    Policy,
    PolicySpec,
    ProctorError,
    require_compatible,
)
from proctor.policies import (
    PolicyLoadError,
    SingleSession,
    Together,
    describe_exception,
    import_object,
    is_url,
    load_policy,
    policy_spec,
)
from proctor.results import Episode

from ._episode import Beat, EpisodeOptions, Guard, run_episode

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """First message to a worker: what to build, and ``slots``: how many episodes it runs at a time."""

    env: str
    env_args: dict[str, Any]
    policy: str
    policy_args: dict[str, Any]
    options: EpisodeOptions = field(default_factory=EpisodeOptions)
    slots: int = 1


@dataclass(frozen=True, slots=True)
class Assignment:
    """An episode to run."""

    spec: EpisodeSpec
    attempt: int


@dataclass(frozen=True, slots=True)
class Lease:
    """Episodes for a worker, each with the number by which both sides know it."""

    items: tuple[tuple[int, Assignment], ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The worker shall give back what it has not begun: others are free."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The numbers of the episodes that a worker gives back."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has built its environment and policy, and they fit."""

    policy: PolicySpec
    env: EnvSpec


@dataclass(frozen=True, slots=True)
class Refused:
    """The worker cannot be built or cannot write; running more of them would not help."""

    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """An episode's row. ``retire``: the policy was interrupted half-way, so the worker ends and is replaced."""

    number: int
    row: Episode
    retire: bool


Report: TypeAlias = Ready | Refused | Done | Returned


@dataclass(frozen=True, slots=True)
class Fitting:
    """An environment and a policy that fit together."""

    env: Env
    policy: Policy
    policy_spec: PolicySpec
    env_spec: EnvSpec


def build(job: Job, policy: Policy) -> Fitting:
    """Build an environment for ``policy`` and compare the two; raises `ProctorError`."""
    factory = import_object(job.env, what="environment")
    try:
        env: Env = factory(**job.env_args)
        given = env.spec()
    except ProctorError:
        raise
    except Exception as error:
        raise ProctorError(f"environment {job.env!r} could not be built: {describe_exception(error)}") from error
    if isinstance(policy, FittingPolicy):
        policy.fit(given)
    asked = policy_spec(job.policy, policy)
    require_compatible(asked, given)
    missing = [camera for camera in job.options.video_cameras if camera not in given.cameras]
    if missing:
        raise ProctorError(f"no camera {missing[0]!r} for the video: {given.name} has {', '.join(given.cameras)}")
    if asked.privileged:
        bind = getattr(policy, "bind", None)
        if not callable(bind):
            raise PolicyLoadError(f"policy {job.policy!r} says privileged=True but has no method bind(env)")
        try:
            bind(env)
        except ProctorError:
            raise
        except Exception as error:
            raise PolicyLoadError(f"policy {job.policy!r} failed in bind(): {describe_exception(error)}") from error
    fingerprint = asked.fingerprint or "without a fingerprint"
    _LOG.info("policy %s (%s), environment %s, cameras %s", asked.name, fingerprint, given.name, asked.cameras)
    return Fitting(env, policy, asked, given)


# A worker process: some environment slots, each an environment and a policy, that run the episodes it was handed.
#
# It talks to its parent over one inherited connection; whatever policy or simulator print goes to the worker's log. It
# never writes rows.
#
# One slot runs in the main thread, where an alarm can interrupt a policy. Several run in threads of their own, so that
# one's environment goes on while another's policy is being asked: physics, rendering, sockets and models all let go of
# the interpreter. Each builds its environment in its own thread, because a GL context belongs to one.

# Numbers of a slot that its parent can read: since when policy and environment are at work, and the episode it runs.
BEATS = 3
RUNNING = 2
# A remote policy keeps to --policy-timeout itself: its error names the server, and nothing need be interrupted. The
# alarm comes so much later.
_HEAD_START_S = 2.0
Send: TypeAlias = Callable[[Report], None]


class Inbox:
    """The episodes that this worker holds and no slot has begun."""

    def __init__(self) -> None:
        self._items: deque[tuple[int, Assignment]] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def add(self, items: Iterable[tuple[int, Assignment]]) -> None:
        with self._changed:
            self._items.extend(items)
            self._changed.notify_all()

    def take(self) -> tuple[int, Assignment] | None:
        """Return the next, once there is one; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._closed)
            return None if self._closed else self._items.popleft()

    def give_back(self) -> tuple[int, ...]:
        """Empty it and return the numbers of what was in it."""
        with self._changed:
            numbers = tuple(number for number, _ in self._items)
            self._items.clear()
            return numbers

    def close(self) -> None:
        """Let nobody begin another."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def main(connection: Connection, beat_fd: int) -> None:
    """Serve one parent until it closes the connection."""
    job: Job = connection.recv()
    beat = memoryview(mmap.mmap(beat_fd, job.slots * BEATS * 8)).cast("d")
    inbox, lock = Inbox(), threading.Lock()

    def send(report: Report) -> None:
        with lock:
            connection.send(report)

    try:
        policies = _policies(job)
        slots = [_Slot(job, beat[i * BEATS : (i + 1) * BEATS], inbox, send) for i in range(job.slots)]
        if job.slots == 1:
            slots[0].build(policies)
        else:
            _start(slots, policies)
    except ProctorError as error:
        send(Refused(str(error)))
        return
    fitting = slots[0].fitting
    assert fitting is not None
    send(Ready(fitting.policy_spec, fitting.env_spec))
    threading.Thread(target=_listen, args=(connection, inbox, send), daemon=True).start()
    if job.slots == 1:
        slots[0].work()
    else:
        for slot in slots:
            slot.go()
        for slot in slots:
            slot.join()


def _listen(connection: Connection, inbox: Inbox, send: Send) -> None:
    while True:
        try:
            message: Lease | Recall = connection.recv()
            if isinstance(message, Recall):
                send(Returned(inbox.give_back()))
            else:
                inbox.add(message.items)
        except (EOFError, OSError):
            inbox.close()
            return


def _policies(job: Job) -> Callable[[], Policy]:
    """Return what makes the policy of a slot.

    One behind a URL has a connection for each slot; one that acts for many sessions answers those that wait together.
    Any other policy in this process has one episode at a time.
    """

    def for_many() -> BatchPolicy:
        policy = load_policy(job.policy, job.policy_args)
        if isinstance(policy, SingleSession):
            return policy.inner
        raise PolicyLoadError(
            f"--envs-per-worker {job.slots}: policy {job.policy!r} has one episode at a time; serve it and name its "
            f"URL, give it act_batch(), or use --workers"
        )

    if is_url(job.policy):
        remote = {"timeout": job.options.policy_timeout_s, **job.policy_args}
        return lambda: load_policy(job.policy, remote)
    if job.slots == 1:
        return lambda: load_policy(job.policy, job.policy_args)
    return Together(for_many).session


def _start(slots: list[_Slot], policies: Callable[[], Policy]) -> None:
    """Let each slot build in its thread; raises what the first to fail said, or that they differ."""
    for slot in slots:
        slot.start(policies)
    for slot in slots:
        slot.built.wait()
    for slot in slots:
        if slot.problem is not None:
            raise slot.problem
    first = slots[0].fitting
    for slot in slots[1:]:
        assert first is not None
        assert slot.fitting is not None
        if (slot.fitting.policy_spec, slot.fitting.env_spec) != (first.policy_spec, first.env_spec):
            raise PolicyLoadError("the policy's spec is another for each connection: start again")


class _Slot:
    """One environment and one policy; runs what it takes from the inbox."""

    def __init__(self, job: Job, beat: Beat, inbox: Inbox, send: Send) -> None:
        self._job, self._beat, self._inbox, self._send = job, beat, inbox, send
        self.fitting: Fitting | None = None
        self.problem: ProctorError | None = None
        self.built = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    def build(self, policies: Callable[[], Policy]) -> None:
        self.fitting = build(self._job, policies())

    def start(self, policies: Callable[[], Policy]) -> None:
        """Build, and later work, in a thread of its own."""
        self._thread = threading.Thread(target=self._main, args=(policies,), daemon=True)
        self._thread.start()

    def go(self) -> None:
        """Begin to work; every slot has been built."""
        self._ready.set()

    def join(self) -> None:
        """Wait for the slot to be done with its last episode."""
        assert self._thread is not None
        self._thread.join()

    def _main(self, policies: Callable[[], Policy]) -> None:
        try:
            self.build(policies)
        except ProctorError as error:
            self.problem = error
        finally:
            self.built.set()
        self._ready.wait()
        self.work()

    def work(self) -> None:
        """Run episodes until there are no more, the disk is full, or the policy had to be interrupted."""
        fitting, options = self.fitting, self._job.options
        assert fitting is not None
        limit = options.policy_timeout_s + (_HEAD_START_S if is_url(self._job.policy) else 0.0)
        guard = Guard(limit, self._beat)
        while (item := self._inbox.take()) is not None:
            number, assignment = item
            self._beat[RUNNING] = number
            try:
                row = run_episode(
                    fitting.env,
                    fitting.policy,
                    assignment.spec,
                    options,
                    policy_spec=fitting.policy_spec,
                    env_spec=fitting.env_spec,
                    guard=guard,
                    attempt=assignment.attempt,
                )
            except ProctorError as error:
                self._send(Refused(str(error)))
                self._inbox.close()
                break
            sys.stdout.flush()
            self._send(Done(number, row, guard.interrupted))
            self._beat[RUNNING] = 0.0
            if guard.interrupted:
                self._inbox.close()
        fitting.env.close()
        goodbye = getattr(fitting.policy, "close", None)
        if callable(goodbye):
            with contextlib.suppress(Exception):
                goodbye()
