"""A policy behind Proctor's own wire, on one server or on several replicas."""

from __future__ import annotations

import contextlib
import logging
import math
import random
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import (
    Connection,
    FrameError,
    Message,
    RefusedError,
    WireError,
    as_received,
    endpoint_of,
    is_loopback,
    observation_arrays,
    spec_from_map,
    spec_to_map,
    split_address,
    token_from_environment,
)

from .._exchange import is_traced, note_answer, note_sent
from ._url import PolicyUrl, parse_url

_LOG = logging.getLogger(__name__)

_ASK_AGAIN_S = 0.2
_STATUS_S = 2.0
_AVOID_S = 30.0


class RemotePolicy:
    """Asks a server; a fault of the server is a `WireError` that names it.

    ``jpeg`` compresses pictures (quality 95). ``shm`` sends arrays through shared memory where server and client find
    that they share a host. ``timeout`` limits each answer, ``wait`` the time for a server to load its model, both in
    seconds. The token comes from the environment (``PROCTOR_TOKEN``) unless given.

    With several hosts each episode goes to the replica with the fewest episodes under way; one that cannot be reached
    before an episode is passed over, one that fails within an episode ends that episode.
    """

    def __init__(
        self,
        url: PolicyUrl | str,
        *,
        token: str = "",
        jpeg: bool = False,
        shm: bool = True,
        timeout: float = 50.0,
        wait: float = 300.0,
    ) -> None:
        self._url = parse_url(url) if isinstance(url, str) else url
        if timeout <= 0 or wait < 0:
            raise WireError(f"policy {self._url.text!r}: timeout and wait are seconds, above 0")
        self._token = token or token_from_environment()
        self._jpeg, self._timeout, self._wait = bool(jpeg), timeout, wait
        self._hosts = [
            _Host(self._url.scheme, host, self._token, shm and _is_here(host), timeout) for host in self._url.hosts
        ]
        self._spec: PolicySpec | None = None
        self._instruction = ""
        try:
            self._greet_all()
        except BaseException:
            self.close()
            raise
        self._host = self._hosts[0]

    def _greet_all(self) -> None:
        """Meet every replica once, so that a run is refused now and not in its middle."""
        problems = []
        for host in self._hosts:
            try:
                self._greet(host)
            except RefusedError:
                raise
            except WireError as error:
                problems.append(error)
        if len(problems) == len(self._hosts):
            raise problems[0]

    def _greet(self, host: _Host) -> None:
        spec = host.hello(self._wait, self._jpeg)
        if self._spec is not None and spec != self._spec:
            raise RefusedError(
                f"{host.name} serves {spec.name!r} ({spec.fingerprint}), another replica {self._spec.name!r} "
                f"({self._spec.fingerprint}): replicas must serve the same policy"
            )
        self._spec = spec
        _LOG.info("%s serves %s (%s), chunks of %d", host.name, spec.name, spec.fingerprint, spec.chunk)

    def spec(self) -> PolicySpec:
        assert self._spec is not None
        return self._spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Choose a replica and begin the episode there."""
        fields = {"instruction": instruction, "episode": spec_to_map(episode)}
        problem: WireError | None = None
        for host in self._by_load():
            try:
                if not host.session:
                    self._greet(host)
                host.ask("reset", fields)
            except WireError as error:
                host.drop()
                problem = error
                _LOG.info("passed over: %s", error)
                # A replica that says no to the episode itself (an exception in the policy) would say so anywhere.
                if isinstance(error, RefusedError) and error.code not in ("stopping", "session"):
                    raise
                continue
            if host is not self._host:
                self._host.leave()
            self._host, self._instruction = host, instruction
            return
        assert problem is not None
        raise problem

    def _by_load(self) -> list[_Host]:
        if len(self._hosts) == 1:
            return self._hosts
        loads = [(host.load(), random.random(), index) for index, host in enumerate(self._hosts)]
        return [self._hosts[index] for _, _, index in sorted(loads)]

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Send the observation and return the server's actions [H, D]."""
        fields: dict[str, Any] = {"step": observation.step}
        if observation.instruction != self._instruction:
            fields["instruction"] = observation.instruction
        try:
            arrays = observation_arrays(observation)
            if is_traced():
                sent = {name: as_received(array) for name, array in arrays.items()} if self._jpeg else arrays
                note_sent(self._host.name, {**sent, **fields, "instruction": observation.instruction})
            answer = self._host.ask("act", fields, arrays, jpeg=self._jpeg)
            note_answer(answer.arrays.get("actions"))
            return self._actions(answer)
        except WireError:
            self._host.drop()
            raise

    def _actions(self, answer: Message) -> NDArray[np.float64]:
        name, spec = self._host.name, self.spec()
        actions = answer.arrays.get("actions")
        if answer.type != "actions" or actions is None:
            raise WireError(f"{name} answered 'act' with {answer.type!r} and no array 'actions'")
        if actions.ndim != 2 or actions.shape[1] != spec.action_dim or not 1 <= len(actions) <= spec.chunk:
            raise WireError(
                f"{name} sent actions of shape {actions.shape}, its spec says (1..{spec.chunk}, {spec.action_dim})"
            )
        # One infinite or undefined number makes the sum so; this is cheaper than looking at each.
        if not math.isfinite(np.add.reduce(actions, axis=None, dtype=np.float64)):
            raise WireError(f"{name} sent actions that are not finite numbers")
        return actions.astype(np.float64)

    def close(self) -> None:
        """Say goodbye to every server."""
        for host in self._hosts:
            host.close()


class _Host:
    """One server: its connection and our session there."""

    def __init__(self, scheme: str, address: str, token: str, shm: bool, timeout_s: float) -> None:
        self.name = f"{scheme}://{address}"
        self.session = ""
        self._token, self._shm = token, shm
        self._not_before = 0.0
        self._connection = Connection(endpoint_of(address), name=self.name, timeout_s=timeout_s)

    def hello(self, wait_s: float, jpeg: bool) -> PolicySpec:
        """Open a session; wait while the server loads its model."""
        block = self._connection.offer_block() if self._shm and not jpeg else None
        fields: dict[str, Any] = {"token": self._token}
        if block is not None:
            fields["block"] = block
        deadline = time.monotonic() + wait_s
        while True:
            answer = self._connection.request("hello", fields)
            if answer.type != "loading":
                break
            if time.monotonic() > deadline:
                raise WireError(f"{self.name} is still loading its model after {wait_s:g} s: wait, or give wait=")
            time.sleep(_ASK_AGAIN_S)
        session = answer.fields.get("session")
        if answer.type != "welcome" or not isinstance(session, str) or not session:
            raise WireError(f"{self.name} answered 'hello' with {answer.type!r}, not with a welcome")
        self._connection.use_block(answer.fields.get("block") is True, answer.fields.get("bell") is True)
        try:
            spec = spec_from_map(PolicySpec, answer.fields.get("spec"))
        except FrameError as error:
            raise WireError(f"{self.name} sent no spec that can be understood: {error}") from None
        self.session = session
        return spec

    def ask(self, type_: str, fields: dict[str, Any], arrays: Any = None, *, jpeg: bool = False) -> Message:
        return self._connection.request(type_, {"session": self.session, **fields}, arrays, jpeg=jpeg)

    def load(self) -> float:
        """Return the number of episodes under way, infinity for a server that does not answer or takes no more."""
        if time.monotonic() < self._not_before:
            return float("inf")
        try:
            answer = self._connection.request("status", {"token": self._token}, timeout_s=_STATUS_S)
        except WireError:
            self.drop()
            # Waiting for a replica that is gone would cost every episode as much.
            self._not_before = time.monotonic() + _AVOID_S
            return float("inf")
        count = answer.fields.get("episodes")
        ready = answer.fields.get("status") == "ready" and isinstance(count, int)
        return float(count) - (1.0 if self.session else 0.0) if ready and isinstance(count, int) else float("inf")

    def drop(self) -> None:
        """Forget the session, and every answer that may still come."""
        self.session = ""
        self._connection.reconnect()

    def leave(self) -> None:
        if self.session:
            with contextlib.suppress(WireError):
                self.ask("bye", {})
        self.session = ""

    def close(self) -> None:
        """End the session and the connection."""
        self.leave()
        self._connection.close()


def _is_here(address: str) -> bool:
    return address.startswith("/") or is_loopback(split_address(address)[0])
