"""Runs a policy in a process of its own, so that a slow or hanging one never delays the arm."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from proctor.core import EpisodeSpec, Observation, Policy, PolicySpec, ProctorError, start_python

from ._policy_host import Act, HostAnswer, Load, PolicyHost, Reset, main
from ._types import TrialError

# An import path or URL with arguments, or a policy in this process.
PolicySource = tuple[str, Mapping[str, Any]] | Policy
_LOG = logging.getLogger(__name__)
_END_S = 2.0


class PolicyFaultError(ProctorError):
    """A policy failed. The text may name it; ``public`` does not."""

    def __init__(self, text: str, public: str) -> None:
        super().__init__(text)
        self.public = public


class _Channel(Protocol):
    def ask(self, question: Load | Reset | Act) -> Future[HostAnswer]: ...

    def close(self) -> None: ...


class PolicyProcess:
    """A loaded policy. Built from a name it has a process of its own, so that no computation can delay the bus."""

    def __init__(self, source: PolicySource, *, load_s: float = 300.0) -> None:
        self.name, self.args = ("", {}) if not isinstance(source, tuple) else (source[0], dict(source[1]))
        self._channel: _Channel = _ProcessChannel() if isinstance(source, tuple) else _ThreadChannel(source)
        try:
            self.spec = self._load(load_s)
        except BaseException:
            self._channel.close()
            raise
        # Neither name nor rate: the operator must not learn which policy it is.
        _LOG.info("policy loaded")

    def _load(self, limit_s: float) -> PolicySpec:
        answer = self._channel.ask(Load(self.name, self.args))
        spec: PolicySpec = value_of(answer, limit_s, "could not be loaded")
        self.name = self.name or spec.name
        return spec

    def reset(self, episode: EpisodeSpec, limit_s: float) -> None:
        """Begin an episode, and wait for it: the arm stands at home."""
        value_of(self._channel.ask(Reset(episode)), limit_s, "failed in reset()")

    def act(self, observation: Observation) -> Future[HostAnswer]:
        return self._channel.ask(Act(observation))

    def close(self) -> None:
        """End the policy; one that does not answer is ended all the same."""
        self._channel.close()


def value_of(answer: Future[HostAnswer], limit_s: float, what: str) -> Any:
    """Return what an answer holds; trouble and lateness are the policy's fault."""
    try:
        found = answer.result(limit_s)
    except TimeoutError:
        text = f"the policy gave no answer within {limit_s:g} s"
        raise PolicyFaultError(text, text) from None
    except TrialError as error:
        raise PolicyFaultError(str(error), "the policy's process ended") from None
    if found.problem:
        raise PolicyFaultError(f"the policy {what}: {found.problem}", f"the policy {what}")
    return found.value


class _ThreadChannel:
    """For a policy that is an object of this process."""

    def __init__(self, policy: Policy) -> None:
        self._host = PolicyHost(policy)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="policy")

    def ask(self, question: Load | Reset | Act) -> Future[HostAnswer]:
        return self._thread.submit(self._host.handle, question)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class _ProcessChannel:
    """For a policy by name: a process, and a thread that listens to it."""

    def __init__(self) -> None:
        self._child = start_python(main)
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[HostAnswer]] = {}
        self._number = 0
        self._gone = ""
        threading.Thread(target=self._listen, name="policy-answers", daemon=True).start()

    def ask(self, question: Load | Reset | Act) -> Future[HostAnswer]:
        future: Future[HostAnswer] = Future()
        with self._lock:
            if self._gone:
                future.set_exception(TrialError(self._gone))
                return future
            self._number += 1
            self._waiting[self._number] = future
            # The listening thread notices trouble too, and answers for everything that waits.
            with contextlib.suppress(OSError):
                self._child.connection.send((self._number, question))
        return future

    def _listen(self) -> None:
        try:
            while True:
                number, answer = self._child.connection.recv()
                with self._lock:
                    future = self._waiting.pop(number, None)
                if future is not None:
                    future.set_result(answer)
        except Exception as error:
            # Mostly the end of the pipe; an answer that cannot be read ends the conversation as well.
            why = "" if isinstance(error, (EOFError, OSError)) else f": {error}"
        with self._lock:
            self._gone = f"the policy's process ended ({self._child.how_it_ended()}){why}"
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.set_exception(TrialError(self._gone))

    def close(self) -> None:
        # Wakes both listening threads; closing the descriptor alone would not.
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._child.connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        self._child.end(patience_s=_END_S)
