"""The engine behind every wire: sessions, replicas, and futures for what the policy will say."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from proctor.core import EpisodeSpec, Observation, Policy, PolicySpec

from ._device import Device, LocalDevice
from ._metrics import Metrics
from ._replica import Answer, EngineError, Replica

Status = Literal["loading", "ready", "draining", "failed"]
MAX_SESSIONS = 4096
# A session that was silent for so long is forgotten, so that clients that died cannot fill the table.
FORGET_S = 3600.0
_STEP_S = 0.02


@dataclass(slots=True)
class _Session:
    seen: float
    replica: Replica | None = None


class Engine:
    """Serves one policy to many sessions. Every method may be called from any thread; none of them blocks.

    ``policy_factory`` builds the policy (see `proctor.policies.load_policy`); it is called in the replica's own thread,
    which then makes every call of the policy. Pass ``devices`` instead to place the copies elsewhere, as
    `proctor.serving.process_devices` does.

    With ``threaded=False`` (one replica) there is no such thread: whoever calls `load` must call `step` from then on,
    which is fastest for a front-end that has nothing else to do (`wait` then needs another thread, as ever).
    """

    def __init__(
        self,
        policy_factory: Callable[[], Policy] | None = None,
        replicas: int = 1,
        max_batch: int = 16,
        *,
        name: str = "policy",
        devices: list[Device] | None = None,
        threaded: bool = True,
    ) -> None:
        if replicas < 1 or max_batch < 1:
            raise EngineError("--replicas and --max-batch must be at least 1")
        if devices is None:
            if policy_factory is None:
                raise EngineError("an engine needs a policy")
            devices = [LocalDevice(name, policy_factory) for _ in range(replicas)]
        self.metrics = Metrics()
        self._replicas = [Replica(i, device, max_batch, self.metrics) for i, device in enumerate(devices)]
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()
        self._draining = False
        self.threaded = threaded or len(self._replicas) > 1
        if self.threaded:
            for replica in self._replicas:
                replica.start()

    def load(self) -> None:
        """Build the policy in this thread, for an engine that is not threaded."""
        self._replicas[0].load()

    def step(self) -> float | None:
        """Do what is due, for an engine that is not threaded; return the seconds until more is, None for: nothing."""
        return self._replicas[0].step()

    @property
    def spec(self) -> PolicySpec:
        """What the policy needs and returns; raises `EngineError` before it is loaded."""
        for replica in self._replicas:
            if replica.spec is not None:
                return replica.spec
        raise EngineError("the policy is not loaded yet", "loading")

    @property
    def problem(self) -> str:
        """Why the policy could not be loaded, ``""`` if it could or may still be."""
        return next((replica.problem for replica in self._replicas if replica.problem), "")

    def status(self) -> Status:
        """Say whether episodes can begin."""
        if self._draining:
            return "draining"
        if self.problem:
            return "failed"
        return "ready" if all(replica.ready for replica in self._replicas) else "loading"

    def wait(self, timeout_s: float | None = None) -> PolicySpec:
        """Block until the policy is loaded and return its spec; raises `EngineError` if it cannot be loaded."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while (status := self.status()) == "loading":
            if deadline is not None and time.monotonic() > deadline:
                raise EngineError(f"the policy is not loaded after {timeout_s:g} s", "loading")
            time.sleep(_STEP_S)
        if status == "failed":
            raise EngineError(self.problem)
        return self.spec

    def open(self) -> str:
        """Make a session: a place for one episode at a time, with a name that cannot be guessed."""
        self._require_open()
        now = time.monotonic()
        with self._lock:
            full = len(self._sessions) >= MAX_SESSIONS
            silent = [name for name, session in self._sessions.items() if now - session.seen > FORGET_S]
        for name in silent:
            self.close(name)
        if full and not silent:
            raise EngineError(f"the server has {MAX_SESSIONS} sessions already", "full")
        session = secrets.token_hex(16)
        with self._lock:
            self._sessions[session] = _Session(now)
        return session

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> Future[None]:
        """Begin an episode on the replica with the fewest episodes under way."""
        try:
            self._require_open()
            place = self._find(session)
        except EngineError as error:
            return _refused(error)
        replica = self._choose(place)
        if place.replica is not None and place.replica is not replica:
            place.replica.end(session)
        place.replica = replica
        self.metrics.episode()
        return replica.begin(session, instruction, episode)

    def act(self, session: str, observation: Observation) -> Future[Answer]:
        """Ask for the actions of a session that has begun an episode."""
        try:
            place = self._find(session)
            if place.replica is None:
                raise EngineError("the session has not begun an episode", "session")
        except EngineError as error:
            return _refused(error)
        return place.replica.act(session, observation)

    def close(self, session: str) -> None:
        """Forget a session; one that is not known is ignored."""
        with self._lock:
            place = self._sessions.pop(session, None)
        if place is not None and place.replica is not None:
            place.replica.end(session)

    def knows(self, session: str) -> bool:
        return session in self._sessions

    def episodes(self) -> int:
        """Count the episodes under way, without those whose client has fallen silent."""
        now = time.monotonic()
        return sum(replica.live(now) for replica in self._replicas)

    def outstanding(self) -> int:
        """Count the requests that wait or are being computed."""
        return sum(replica.outstanding() for replica in self._replicas)

    def sessions(self) -> int:
        return len(self._sessions)

    def drain(self) -> None:
        """Refuse new sessions and episodes from now on; those under way go on."""
        self._draining = True

    def stop(self) -> None:
        """End every replica; what still waits is refused."""
        self._draining = True
        for replica in self._replicas:
            replica.stop()

    def metrics_text(self) -> str:
        return self.metrics.text(
            {
                "sessions": ("Open sessions.", self.sessions()),
                "episodes": ("Episodes under way.", self.episodes()),
                "outstanding": ("Requests that wait or are being computed.", self.outstanding()),
                "replicas": ("Replicas that are ready.", sum(replica.ready for replica in self._replicas)),
                "ready": ("1 if episodes can begin.", float(self.status() == "ready")),
            }
        )

    def _require_open(self) -> None:
        if self._draining:
            raise EngineError("the server is stopping and takes no new episodes: use another one", "stopping")
        if self.problem and not any(replica.ready for replica in self._replicas):
            raise EngineError(f"the server has no policy: {self.problem}", "policy")

    def _find(self, session: str) -> _Session:
        with self._lock:
            place = self._sessions.get(session)
        if place is None:
            raise EngineError("unknown session: the server was restarted, or the session was closed", "session")
        place.seen = time.monotonic()
        return place

    def _choose(self, place: _Session) -> Replica:
        ready = [replica for replica in self._replicas if replica.ready] or self._replicas
        if len(ready) == 1:
            return ready[0]
        now = time.monotonic()
        own = place.replica
        return min(ready, key=lambda replica: (replica.live(now) - (replica is own), replica.outstanding()))


def _refused(error: EngineError) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
