"""One copy of the policy: collects requests by the rule, runs them together, hands out answers.

It has a thread of its own, or is driven by the thread of a front-end, which saves two changes of thread per request.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError
from proctor.policies import SILENCE_S, Batching, describe_exception

from ._device import Actions, Device, DeviceError, DeviceLostError
from ._metrics import Metrics

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class EngineError(ProctorError):
    """The engine cannot do what was asked. ``code`` as in `proctor.policies.wire.RefusedError`."""

    def __init__(self, text: str, code: str = "policy") -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an observation: actions [H, D], seconds it waited and was computed, requests in its batch."""

    actions: Actions
    queue_s: float
    compute_s: float
    batch: int


@dataclass(slots=True)
class Request:
    """An observation that waits."""

    session: str
    observation: Observation
    future: Future[Answer]
    arrived: float


@dataclass(slots=True)
class Place:
    """What a replica knows of a session."""

    seen: float
    episode: bool = False
    waiting: bool = False


@dataclass(slots=True)
class _Errand:
    """A call of the device that is no act."""

    call: Callable[[], None]
    future: Future[None] = field(default_factory=Future)


class Replica:
    """Owns a device, which only ever sees one thread: its own after `start`, else that of `load` and `step`.

    The other methods may be called from any thread.
    """

    def __init__(self, number: int, device: Device, max_batch: int, metrics: Metrics) -> None:
        self.number = number
        self.spec: PolicySpec | None = None
        self.problem = ""
        self.ready = False
        self._device, self._metrics = device, metrics
        self._batching = Batching(max_batch)
        self._places: dict[str, Place] = {}
        self._waiting: deque[Request] = deque()
        self._errands: deque[_Errand] = deque()
        self._changed = threading.Condition()
        self._stopped = False
        self._running = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Load the policy and serve, in a thread of the replica's own."""
        self._thread = threading.Thread(target=self._run, name=f"replica-{self.number}", daemon=True)
        self._thread.start()

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> Future[None]:
        errand = _Errand(lambda: self._device.begin(session, instruction, episode))
        with self._changed:
            if not self.ready:
                return _failed(errand.future, "the policy is being loaded again: ask a moment later", "stopping")
            self._places[session] = Place(time.monotonic(), episode=True)
            self._errands.append(errand)
            self._changed.notify()
        return errand.future

    def act(self, session: str, observation: Observation) -> Future[Answer]:
        future: Future[Answer] = Future()
        now = time.monotonic()
        with self._changed:
            place = self._places.get(session)
            if place is None:
                return _failed(future, "the episode is void: the policy was loaded again", "session")
            if place.waiting:
                return _failed(future, "the session has a request under way already: one at a time", "policy")
            place.seen, place.waiting = now, True
            self._waiting.append(Request(session, observation, future, now))
            self._changed.notify()
        return future

    def end(self, session: str) -> None:
        """Forget a session; a request of it that waits is dropped."""
        with self._changed:
            if self._places.pop(session, None) is None:
                return
            dropped = [request for request in self._waiting if request.session == session]
            for request in dropped:
                self._waiting.remove(request)
            self._errands.append(_Errand(lambda: self._device.end(session)))
            self._changed.notify()
        for request in dropped:
            _failed(request.future, "the session was closed", "session")

    def live(self, now: float) -> int:
        """Count the sessions in an episode that wait or were heard of lately."""
        places = list(self._places.values())
        return sum(place.episode and (place.waiting or now - place.seen < SILENCE_S) for place in places)

    def outstanding(self) -> int:
        """Count the requests that wait or are being computed."""
        return len(self._waiting) + self._running

    def stop(self) -> None:
        """End the thread after what is running now; what waits is refused."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=10.0)
        else:
            self._finish()

    def step(self) -> float | None:
        """Do everything that is due; return after how many seconds more will be, None if only a call brings more."""
        while True:
            with self._changed:
                errand, batch, wait_s = self._due()
            if errand is None and not batch:
                return wait_s
            self._perform(errand, batch)

    def _run(self) -> None:
        if not self.load():
            return
        while not self._stopped:
            with self._changed:
                errand, batch, wait_s = self._due()
                if errand is None and not batch and not self._stopped:
                    self._changed.wait(wait_s)
            self._perform(errand, batch)
        self._finish()

    def _finish(self) -> None:
        self._fail_all("the server has stopped", "stopping")
        self._device.close()

    def load(self) -> bool:
        """Build the policy; ``problem`` says why it could not be."""
        try:
            spec = self._device.load()
        except (ProctorError, DeviceError) as error:
            self.problem = str(error)
        except Exception as error:
            self.problem = f"the policy could not be built: {describe_exception(error)}"
        else:
            self.spec, self.ready = spec, True
            _LOG.info("policy %s (%s) is loaded", spec.name, spec.fingerprint)
            return True
        self._fail_all(self.problem, "policy")
        return False

    def _due(self) -> tuple[_Errand | None, list[Request], float | None]:
        """Return an errand, or a batch that is due, or how long to wait for one."""
        if self._stopped:
            return None, [], None
        if self._errands:
            return self._errands.popleft(), [], None
        if not self._waiting:
            return None, [], None
        now = time.monotonic()
        sessions = [request.session for request in self._waiting]
        wait_s = self._batching.wait_s(now, sessions, self._waiting[0].arrived, self.live(now))
        if wait_s > 0.0:
            return None, [], wait_s
        count = min(len(self._waiting), self._batching.max_batch)
        self._running = count
        return None, [self._waiting.popleft() for _ in range(count)], None

    def _perform(self, errand: _Errand | None, batch: list[Request]) -> None:
        if errand is not None:
            self._do(errand)
        elif batch:
            self._forward(batch)

    def _do(self, errand: _Errand) -> None:
        try:
            errand.call()
        except DeviceLostError as error:
            _failed(errand.future, str(error), "policy")
            self._reload(str(error))
        except Exception as error:
            self._metrics.error("begin")
            text = str(error) if isinstance(error, DeviceError) else describe_exception(error)
            _failed(errand.future, text, "policy")
        else:
            errand.future.set_result(None)

    def _forward(self, batch: list[Request]) -> None:
        began = time.monotonic()
        lost = ""
        try:
            results = self._device.act([r.session for r in batch], [r.observation for r in batch])
        except DeviceError as error:
            results = [str(error)] * len(batch)
            lost = str(error) if isinstance(error, DeviceLostError) else ""
        except Exception as error:
            results = [f"the policy failed: {describe_exception(error)}"] * len(batch)
        ended = time.monotonic()
        self._batching.ran(began, ended, [request.session for request in batch])
        with self._changed:
            self._running = 0
            for request in batch:
                place = self._places.get(request.session)
                if place is not None:
                    place.seen, place.waiting = ended, False
        for request, result in zip(batch, results, strict=True):
            if isinstance(result, str):
                self._metrics.error("act")
                _failed(request.future, result, "policy")
            else:
                request.future.set_result(Answer(result, began - request.arrived, ended - began, len(batch)))
        # Counted last: clients wait for the answers, nobody for the numbers.
        self._metrics.batch([began - r.arrived for r in batch], ended - began)
        if lost:
            self._reload(lost)

    def _reload(self, reason: str) -> None:
        """Build the policy again after its process died; every episode on it is lost."""
        self.ready = False
        self._fail_all(reason, "policy")
        with self._changed:
            self._places.clear()
        if not self.load():
            with self._changed:
                self._stopped = True

    def _fail_all(self, text: str, code: str) -> None:
        with self._changed:
            requests, errands = list(self._waiting), list(self._errands)
            self._waiting.clear()
            self._errands.clear()
        for request in requests:
            _failed(request.future, text, code)
        for errand in errands:
            _failed(errand.future, text, code)


def _failed(future: Future[T], text: str, code: str) -> Future[T]:
    future.set_exception(EngineError(text, code))
    return future
