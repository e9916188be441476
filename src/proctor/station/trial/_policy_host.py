"""Runs a policy and answers load, reset and act. Runs in a process of its own, or in a thread.

The process calls `main` with a connection that it inherited, never a socket that others could reach. When the station
goes away the process ends, whatever the policy is doing.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from proctor.core import EpisodeSpec, Observation, Policy, PolicySpec, ProctorError
from proctor.policies import describe_exception, load_policy, policy_spec


@dataclass(frozen=True, slots=True)
class Load:
    """Build the policy of this name."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reset:
    """Begin an episode."""

    episode: EpisodeSpec


@dataclass(frozen=True, slots=True)
class Act:
    """Answer an observation."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class HostAnswer:
    """What came out: a value, or one line of text about what went wrong; and the seconds it took."""

    value: Any
    problem: str
    seconds: float


class PolicyHost:
    """One policy and what is asked of it, one question after the other."""

    def __init__(self, policy: Policy | None = None, name: str = "policy") -> None:
        self._policy = policy
        self._name = name

    def handle(self, question: Load | Reset | Act) -> HostAnswer:
        """Answer; an exception of the policy becomes a line of text."""
        began = time.monotonic()
        try:
            value, problem = self._do(question), ""
        except ProctorError as error:
            value, problem = None, str(error)
        except Exception as error:
            value, problem = None, describe_exception(error)
        return HostAnswer(value, problem, time.monotonic() - began)

    def _do(self, question: Load | Reset | Act) -> Any:
        if isinstance(question, Load):
            if self._policy is None:
                self._name = question.name
                self._policy = load_policy(question.name, question.args)
            spec: PolicySpec = policy_spec(self._name, self._policy)
            return spec
        assert self._policy is not None
        if isinstance(question, Reset):
            return self._policy.reset(question.episode.instruction_sent, question.episode)
        return self._policy.act(question.observation)


def main(connection: Connection) -> None:
    """Answer questions from the pipe, in order; end with it."""
    # What these log names the policy, and the operator must not learn which it is.
    logging.getLogger("proctor.policies").setLevel(logging.WARNING)
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                questions.put(connection.recv())
        except (EOFError, OSError):
            # The station has gone: a policy in the middle of a computation must not outlive it.
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    host = PolicyHost()
    while True:
        number, question = questions.get()
        answer = host.handle(question)
        try:
            connection.send((number, answer))
        except (TypeError, ValueError, AttributeError) as error:
            connection.send((number, HostAnswer(None, f"the answer cannot be sent: {error}", answer.seconds)))
