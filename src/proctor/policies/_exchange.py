"""One request to a policy as it really passed: what left this process and what came back, for traces.

The engine opens an `Exchange` around ``act``. A policy that sends the observation on, over a wire, notes there what it
sent and what the server answered; of any other policy it keeps the observation and the value that ``act`` returned.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from proctor.core import Observation

_OPEN: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


@dataclass(slots=True)
class Exchange:
    """What was asked and answered once."""

    server: str = ""
    """Address of the server that was asked; empty if the policy acts in this process."""
    sent: Mapping[str, Any] = field(default_factory=dict)
    """The request: pictures, state, text, by the names that they have there."""
    answer: Any = None
    """The answer as it came, before any conversion."""
    latency_s: float = 0.0
    """From question to answer."""


@contextlib.contextmanager
def exchanging(observation: Observation) -> Iterator[Exchange]:
    """Open an exchange for this thread; until somebody notes more, what is sent is the observation."""
    exchange = Exchange()
    token = _OPEN.set(exchange)
    values = {f"images/{camera}": picture for camera, picture in observation.images.items()}
    note_sent("", {**values, "state": observation.state, "text": observation.instruction, "step": observation.step})
    try:
        yield exchange
    finally:
        _OPEN.reset(token)


def is_traced() -> bool:
    """Return whether anybody listens."""
    return _OPEN.get() is not None


def note_sent(server: str, values: Mapping[str, Any]) -> None:
    """Note what leaves for ``server``, just before it is encoded; arrays are copied."""
    exchange = _OPEN.get()
    if exchange is not None:
        exchange.server, exchange.sent = server, _copied(values)


def note_answer(value: Any) -> None:
    """Note what came back, decoded and not yet converted."""
    exchange = _OPEN.get()
    if exchange is not None:
        exchange.answer = _copied(value)


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(item) for key, item in value.items()}
    return np.array(value) if isinstance(value, np.ndarray) else value
