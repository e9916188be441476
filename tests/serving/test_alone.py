"""The server of the single-file template: whatever a client sends and a policy does, the others are served."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np
import pytest
import zmq
from serving_support import PATIENCE_S, episode, remote, seen, until

from proctor.policies.wire import RefusedError, Router, decode
from proctor.serving import StandAloneServer


class Fragile:
    """Fails where its instruction says so."""

    def __init__(self) -> None:
        self.told: dict[str, str] = {}

    def spec(self) -> dict[str, Any]:
        return {"name": "fragile", "cameras": ("agentview",), "image_size": 32}

    def begin(self, session: str, instruction: str, episode: dict[str, Any]) -> None:
        self.told[session] = instruction
        if instruction == "begin":
            raise RuntimeError("no " * 1_000_000)

    def act_batch(self, sessions: list[str], observations: list[Any]) -> list[Any]:
        if any(self.told[session] == "act" for session in sessions):
            raise RuntimeError("a lone surrogate \udce9")
        return [np.zeros((9_000_000 if self.told[s] == "huge" else 1, 7)) for s in sessions]

    def end(self, session: str) -> None:
        if self.told.pop(session) == "end":
            raise RuntimeError("cannot forget")


@contextlib.contextmanager
def standing(policy: Any) -> Iterator[tuple[str, StandAloneServer]]:
    router = Router("tcp://127.0.0.1:0")
    server, stop = StandAloneServer(router, "", 16), threading.Event()
    server.load(lambda: policy)
    thread = threading.Thread(target=server.serve, args=(stop,))
    thread.start()
    try:
        yield f"proctor://127.0.0.1:{router.port}", server
        assert thread.is_alive(), "the server died"
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        router.close()


def one_step(policy: Any, instruction: str) -> None:
    policy.reset(instruction, episode())
    policy.act(seen())


@pytest.mark.parametrize(
    ("where", "words"),
    [("begin", "RuntimeError: no no"), ("act", "RuntimeError: a lone surrogate"), ("huge", "cannot be sent")],
)
def test_a_policy_that_fails_costs_its_episode_only(where: str, words: str) -> None:
    with standing(Fragile()) as (url, _), remote(url) as policy, remote(url) as neighbour:
        neighbour.reset("pick", episode())
        with pytest.raises(RefusedError, match=words):
            one_step(policy, where)
        assert neighbour.act(seen()).shape == (1, 7)
        policy.reset("pick", episode())
        assert policy.act(seen()).shape == (1, 7)


def test_a_policy_that_cannot_forget_loses_one_session() -> None:
    with standing(Fragile()) as (url, server), remote(url) as neighbour:
        neighbour.reset("pick", episode())
        with remote(url) as policy:
            policy.reset("end", episode())
        until(lambda: len(server.clients) == 1)
        assert neighbour.act(seen()).shape == (1, 7)


@pytest.mark.parametrize(
    "frames",
    [
        [msgpack.packb({"v": b"\xff" * 900_000, "t": "hello", "id": 1})],
        [msgpack.packb({"v": 1, "t": "act", "id": 1, "a": [["state", "<f8", [0, *[1 << 26] * 7]]]}), b""],
        [msgpack.packb({"v": 1, "t": "bye", "id": 1, "session": ["x"] * 1000})],
    ],
)
def test_nonsense_is_answered_in_a_line(frames: list[bytes]) -> None:
    with standing(Fragile()) as (url, _), zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.connect(url.replace("proctor", "tcp"))
        dealer.send_multipart(frames)
        assert dealer.poll(PATIENCE_S * 1000)
        answer = decode(dealer.recv_multipart())
        assert (answer.type, len(answer.fields["reason"]) <= 500) == ("error", True)


def test_clients_that_died_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Fragile()
    with standing(policy) as (url, server), remote(url) as silent:
        silent.reset("pick", episode())
        monkeypatch.setattr("proctor.serving._alone.FORGET_S", 0.2)
        time.sleep(0.3)
        with remote(url) as other:
            other.reset("pick", episode())
            assert (len(server.clients), len(server.blocks), len(policy.told)) == (1, 1, 1)
            with pytest.raises(RefusedError, match=r"unknown session|none was agreed on"):
                silent.act(seen())
