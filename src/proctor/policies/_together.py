"""One policy for many sessions, and the sessions in threads of this process: those who wait are answered together."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from proctor.core import BatchPolicy, EpisodeSpec, Observation, PolicySpec

from ._batch import SingleSession, as_spec, begin_batch
from ._batching import SILENCE_S, Batching

MAX_BATCH = 16
Actions: TypeAlias = NDArray[np.floating[Any]]


class Together:
    """Runs a `BatchPolicy` in a thread of its own, which alone ever calls it; see `Batching` for when.

    Models that keep something per thread (compiled graphs, streams) are thereby built and called in the same one.
    """

    def __init__(self, policy: Callable[[], BatchPolicy], max_batch: int = MAX_BATCH) -> None:
        self._batching = Batching(max_batch)
        self._errands: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._waiting: deque[tuple[str, Observation, float, Future[Actions]]] = deque()
        self._seen: dict[str, float] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="policy", daemon=True).start()
        self.policy: BatchPolicy = self.do(policy)
        self._names = count()

    def session(self) -> Session:
        return Session(self, f"seat-{next(self._names)}")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        with self._changed:
            self._seen[session] = time.monotonic()
        self.do(lambda: begin_batch(self.policy, session, instruction, episode))

    def act(self, session: str, observation: Observation) -> Actions:
        """Wait for the actions of ``session``; raises what the policy raised."""
        future: Future[Actions] = Future()
        with self._changed:
            self._waiting.append((session, observation, time.monotonic(), future))
            self._changed.notify()
        return future.result()

    def do(self, call: Callable[[], Any]) -> Any:
        """Return what ``call`` returns in the policy's thread."""
        future: Future[Any] = Future()
        with self._changed:
            self._errands.append((call, future))
            self._changed.notify()
        return future.result()

    def _run(self) -> None:
        while True:
            batch = self._next()
            if not batch:
                call, future = self._errands.popleft()
                try:
                    future.set_result(call())
                except BaseException as error:
                    future.set_exception(error)
                continue
            began = time.monotonic()
            self._forward(batch)
            ended = time.monotonic()
            self._batching.ran(began, ended, [session for session, *_ in batch])

    def _next(self) -> list[tuple[str, Observation, float, Future[Actions]]]:
        """Wait for a batch that is due and return it; nothing if there is an errand, which goes first."""
        with self._changed:
            while not self._errands:
                wait_s: float | None = None
                if self._waiting:
                    now = time.monotonic()
                    waiting = {session for session, *_ in self._waiting}
                    live = sum(name in waiting or now - seen < SILENCE_S for name, seen in self._seen.items())
                    wait_s = self._batching.wait_s(now, waiting, self._waiting[0][2], live)
                    if wait_s == 0.0:
                        size = min(len(self._waiting), self._batching.max_batch)
                        return [self._waiting.popleft() for _ in range(size)]
                self._changed.wait(wait_s)
            return []

    def _forward(self, batch: list[tuple[str, Observation, float, Future[Actions]]]) -> None:
        try:
            answers = list(self.policy.act_batch([item[0] for item in batch], [item[1] for item in batch]))
            if len(answers) != len(batch):
                raise ValueError(f"act_batch() returned {len(answers)} answers for {len(batch)} sessions")
        except BaseException as error:
            for *_, future in batch:
                future.set_exception(error)
            return
        finally:
            ended = time.monotonic()
            with self._changed:
                self._seen.update((session, ended) for session, *_ in batch)
        for (*_, future), answer in zip(batch, answers, strict=True):
            future.set_result(answer)


class Session(SingleSession):
    """One session of several as a `Policy`, for one thread."""

    def __init__(self, together: Together, name: str) -> None:
        super().__init__(together.policy)
        self._together, self._name = together, name

    def spec(self) -> PolicySpec:
        spec: PolicySpec = as_spec(self._together.do(self.inner.spec))
        return spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self._together.begin(self._name, instruction, episode)

    def act(self, observation: Observation) -> Actions:
        """Wait to be answered, together with others."""
        return self._together.act(self._name, observation)
