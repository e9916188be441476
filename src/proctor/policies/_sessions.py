"""One policy for several episodes at a time: copies that share the model, or answers to all that wait together."""

from __future__ import annotations

import copy
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict
from itertools import count
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from proctor.core import BatchPolicy, EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import FrameError, spec_from_map

from ._batching import SILENCE_S, Batching

# Larger arrays are taken for weights.
SHARED_ARRAY_BYTES = 1 << 20
_CONTAINERS = (list, tuple, set, frozenset, deque)
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, str, bytes, int, float, complex)


def episode_copy(policy: Any) -> Any:
    """Return a copy of a policy for an episode beside others of it.

    Objects, lists, maps, random generators and arrays up to 1 MiB are copied, however deep, so that what an episode
    assigns or appends stays its own. Tensors, larger arrays, functions, and whatever cannot be copied (locks, sockets,
    sessions of inference engines) are shared: weights are never copied, and must not be changed by an episode.
    """
    return _copied(policy, {})


def _copied(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    if value is None or isinstance(value, _SHARED):
        return value
    known = done.get(id(value))
    if known is not None:
        return known[1]
    if isinstance(value, np.ndarray):
        made: Any = value.copy() if value.nbytes <= SHARED_ARRAY_BYTES and value.dtype != object else value
    elif isinstance(value, np.random.Generator | np.random.RandomState | random.Random):
        made = copy.deepcopy(value)
    elif isinstance(value, dict) or type(value) in _CONTAINERS:
        return _container(value, done)
    else:
        return _object(value, done)
    # The original is kept beside its copy: as long as it lives, no other object has its id.
    done[id(value)] = (value, made)
    return made


def _container(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    if type(value) in (tuple, frozenset):
        return type(value)(_copied(item, done) for item in value)
    made = copy.copy(value)
    done[id(value)] = (value, made)
    made.clear()
    if isinstance(made, dict):
        for key, item in value.items():
            made[key] = _copied(item, done)
    elif isinstance(made, set):
        made.update(_copied(item, done) for item in value)
    else:
        made.extend(_copied(item, done) for item in value)
    return made


def _object(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    kind = type(value)
    # A tensor of any library offers its memory; a class with __del__ would free twice what it holds once.
    if hasattr(kind, "__dlpack__") or hasattr(kind, "__del__") or not hasattr(value, "__dict__"):
        return value
    try:
        made = copy.copy(value)
    except Exception:
        # What says that it cannot be copied is shared.
        return value
    done[id(value)] = (value, made)
    for name, item in vars(value).items():
        # Past __setattr__: modules of a network register what is assigned to them.
        made.__dict__[name] = _copied(item, done)
    return made


# Policies made for servers, in a run of their own: one session, and specs given as plain maps.

BATCH_METHODS = ("spec", "begin", "act_batch", "end")
_SESSION = "run"


def is_batch(policy: Any) -> bool:
    """Return whether ``policy`` acts for many sessions at once."""
    return all(callable(getattr(policy, name, None)) for name in BATCH_METHODS)


def as_spec(value: Any) -> Any:
    """Return a map with the names of `PolicySpec` as one; anything else unchanged, for the caller to judge."""
    if not isinstance(value, Mapping):
        return value
    unknown = [name for name in value if name not in PolicySpec.__dataclass_fields__]
    if unknown:
        raise ValueError(f"spec() has {unknown[0]!r}, which PolicySpec has not")
    try:
        return spec_from_map(PolicySpec, value)
    except FrameError as error:
        raise ValueError(str(error)) from None


def begin_batch(policy: BatchPolicy, session: str, instruction: str, episode: EpisodeSpec) -> None:
    """Begin an episode. Adapters know nothing of ours (their spec is a map): they get the episode as a map too."""
    plain = isinstance(policy.spec(), Mapping)
    policy.begin(session, instruction, asdict(episode) if plain else episode)  # type: ignore[arg-type]


class SingleSession:
    """A `BatchPolicy` as a `Policy`: the only session of its own."""

    def __init__(self, policy: BatchPolicy) -> None:
        self._policy = policy

    @property
    def inner(self) -> BatchPolicy:
        return self._policy

    def spec(self) -> PolicySpec:
        spec: PolicySpec = as_spec(self._policy.spec())
        return spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        begin_batch(self._policy, _SESSION, instruction, episode)

    def act(self, observation: Observation) -> NDArray[np.floating[Any]]:
        (actions,) = self._policy.act_batch([_SESSION], [observation])
        return actions


# One policy for many sessions, and the sessions in threads of this process: those who wait are answered together.

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

    def session(self) -> BatchSession:
        return BatchSession(self, f"seat-{next(self._names)}")

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


class BatchSession(SingleSession):
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
