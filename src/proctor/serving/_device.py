"""Where a policy runs: in this process, for as many sessions as there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, Policy, PolicySpec
from proctor.policies import SingleSession, begin_batch, describe_exception, policy_spec

Actions = NDArray[np.floating[Any]]
# The actions of one session, or the line that says why there are none.
Result = Actions | str


class DeviceError(Exception):
    """The policy failed; the text is one line."""


class DeviceLostError(DeviceError):
    """The process of the policy died."""


class Device(Protocol):
    """One copy of the policy. Every call comes from one thread."""

    def load(self) -> PolicySpec: ...

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        """Begin an episode; raises `DeviceError`."""
        ...

    def act(self, sessions: Sequence[str], observations: Sequence[Observation]) -> list[Result]:
        """Act for each session; raises `DeviceError` if none has an answer."""
        ...

    def end(self, session: str) -> None: ...

    def close(self) -> None: ...


class LocalDevice:
    """Runs in the caller's thread. A `BatchPolicy` is one object; a plain `Policy` has one object per session.

    Objects of sessions that ended are used again: a policy serves many episodes, one after the other.
    """

    def __init__(self, name: str, factory: Callable[[], Policy]) -> None:
        self._name, self._factory = name, factory
        self._batch: SingleSession | None = None
        self._free: list[Policy] = []
        self._of: dict[str, Policy] = {}
        self._spec: PolicySpec | None = None

    def load(self) -> PolicySpec:
        """Build the first object and read its spec."""
        policy = self._factory()
        spec = policy_spec(self._name, policy)
        if spec.privileged:
            raise DeviceError(
                f"policy {self._name!r} is privileged: it needs the environment itself, and has none here"
            )
        if isinstance(policy, SingleSession):
            self._batch = policy
        else:
            self._free.append(policy)
        self._spec = spec
        return spec

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        try:
            if self._batch is not None:
                begin_batch(self._batch.inner, session, instruction, episode)
                return
            if session not in self._of:
                self._of[session] = self._free.pop() if self._free else self._factory()
            self._of[session].reset(instruction, episode)
        except Exception as error:
            raise DeviceError(f"the policy failed in reset(): {describe_exception(error)}") from error

    def act(self, sessions: Sequence[str], observations: Sequence[Observation]) -> list[Result]:
        """Act for all sessions at once, or one by one where the policy is a plain one."""
        if self._batch is None:
            return [self._act_one(session, seen) for session, seen in zip(sessions, observations, strict=True)]
        try:
            values = list(self._batch.inner.act_batch(sessions, observations))
        except Exception as error:
            raise DeviceError(f"the policy failed in act_batch(): {describe_exception(error)}") from error
        if len(values) != len(sessions):
            raise DeviceError(f"act_batch() returned {len(values)} answers for {len(sessions)} sessions")
        return [self._checked(value) for value in values]

    def _act_one(self, session: str, observation: Observation) -> Result:
        try:
            return self._checked(self._of[session].act(observation))
        except Exception as error:
            return f"the policy failed in act(): {describe_exception(error)}"

    def _checked(self, value: Any) -> Result:
        assert self._spec is not None
        array = np.asarray(value)
        if array.ndim == 1:
            array = array.reshape(1, -1)
        if array.dtype.kind not in "fiu" or array.ndim != 2 or array.shape[1] != self._spec.action_dim:
            return f"the policy returned {array.dtype} {np.shape(value)}, expected (H, {self._spec.action_dim}) numbers"
        if not 1 <= len(array) <= self._spec.chunk:
            return f"the policy returned {len(array)} actions, its spec says chunk={self._spec.chunk}"
        return array.astype(np.float32) if array.dtype.kind != "f" else array

    def end(self, session: str) -> None:
        """Forget ``session``; its object becomes free."""
        if self._batch is not None:
            self._batch.inner.end(session)
        elif session in self._of:
            self._free.append(self._of.pop(session))

    def close(self) -> None:
        everyone: list[Any] = [*self._free, *self._of.values()]
        if self._batch is not None:
            everyone.append(self._batch.inner)
        for policy in everyone:
            closing = getattr(policy, "close", None)
            if callable(closing):
                closing()
