"""The pipes beside a shared block: whole messages or none, only a client's own, and nothing left open."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proctor.policies.wire import (
    BELL_BYTES,
    LOOK,
    MAX_BELLS,
    Bell,
    Connection,
    Router,
    WireError,
    decode,
    encode,
    open_bell,
    open_block,
)


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture
def bell() -> Iterator[Bell]:
    made = Bell.create()
    assert made is not None
    yield made
    made.close()


def _offer(bell: Bell) -> dict[str, Any]:
    return {"pid": os.getpid(), "bell": bell.offer}


def test_a_question_and_an_answer(bell: Bell) -> None:
    opened = open_bell(_offer(bell))
    assert opened is not None
    bell.agreed()
    assert opened.take() is None
    assert bell.ask([b"question"])
    assert not opened.waits
    assert opened.take() == b"question"
    assert opened.waits
    assert bell.hear(0) is None
    assert opened.tell([b"answer"])
    assert bell.hear(0) == b"answer"
    opened.close()


@pytest.mark.parametrize("frames", [[b"x" * (BELL_BYTES + 1)], [b"a", b"b"], []])
def test_what_is_no_small_message_goes_another_way(bell: Bell, frames: list[bytes]) -> None:
    assert not bell.ask(frames)
    assert bell.ask([b"x" * BELL_BYTES])


def test_either_end_hears_of_the_other_s_death(bell: Bell) -> None:
    opened = open_bell(_offer(bell))
    assert opened is not None
    bell.agreed()
    opened.close()
    with pytest.raises(EOFError):
        bell.hear(1000)
    assert not bell.ask([b"anybody?"])
    other = Bell.create()
    assert other is not None
    opened = open_bell(_offer(other))
    assert opened is not None
    other.close()
    assert opened.take() == b""
    assert not opened.tell([b"anybody?"])
    opened.close()


@pytest.mark.parametrize(
    "change",
    [
        {"bell": None},
        {"bell": [0]},
        {"bell": [-1, 0]},
        {"bell": ["../../fd/0", 1]},
        {"bell": [True, True]},
        {"bell": [99999, 99999]},
        {"pid": 1 << 30},
        {"pid": "self/root"},
    ],
)
def test_an_offer_that_cannot_be_opened_is_declined_and_leaves_nothing_open(bell: Bell, change: dict) -> None:
    before = _descriptors()
    assert open_bell({**_offer(bell), **change}) is None
    assert open_bell(None) is None
    assert _descriptors() == before


def test_a_file_is_no_pipe(bell: Bell, tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+b") as file:
        before = _descriptors()
        for named in ([file.fileno(), bell.offer[1]], [bell.offer[0], file.fileno()]):
            assert open_bell({"pid": os.getpid(), "bell": named}) is None
        assert _descriptors() == before
        assert file.tell() == 0


def test_a_forgotten_bell_closes_itself() -> None:
    gc.collect()
    before = _descriptors()
    made = Bell.create()
    assert _descriptors() == before + 4
    del made
    gc.collect()
    assert _descriptors() == before


class Rung:
    """A server that answers with the size it was asked for, and counts what came through a pipe."""

    def __init__(self) -> None:
        self.router = Router("tcp://127.0.0.1:0")
        self.slow_s = 0.0
        self.bells = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.router.wait(0.02)
            self.router.each(self._handle)
        self.router.close()

    def _handle(self, peer: bytes, frames: list[Any]) -> None:
        message = decode(frames)
        if message.type == "hello":
            offer = message.fields["block"]
            assert open_block(offer) is not None
            self.router.send(peer, encode("welcome", message.id, {"bell": self.router.hang(peer, offer)}))
            return
        self.bells += self.router._bells[peer].waits if peer in self.router._bells else 0
        time.sleep(self.slow_s)
        values = np.full(message.fields["size"], message.id, np.uint8)
        self.router.send(peer, encode("ok", message.id, None, {"values": values}))

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Rung]:
    made = Rung()
    yield made
    made.stop()


@contextlib.contextmanager
def _met(server: Rung) -> Iterator[Connection]:
    connection = Connection(server.router.endpoint)
    try:
        welcome = connection.request("hello", {"block": connection.offer_block()})
        connection.use_block(True, welcome.fields["bell"])
        yield connection
    finally:
        connection.close()


def test_every_size_of_question_and_answer_arrives(server: Rung) -> None:
    with _met(server) as connection:
        for asked in (0, 100, BELL_BYTES, 20_000):
            for told in (10, 1000, 5000, 200_000):
                answer = connection.request("give", {"size": told, "text": "x" * asked})
                assert len(answer.arrays["values"]) == told
                assert (answer.arrays["values"] == answer.id & 255).all()
        # Two sizes of question fit into a pipe, whatever the answer.
        assert server.bells == 8


def test_a_late_answer_is_not_taken_for_the_next_one(server: Rung) -> None:
    with _met(server) as connection:
        connection.request("give", {"size": 10})
        server.slow_s = 0.5
        with pytest.raises(WireError, match=r"did not answer 'give' within 0.1 s"):
            connection.request("give", {"size": 11}, timeout_s=0.1)
        server.slow_s = 0.0
        for size in (12, 13):
            assert len(connection.request("give", {"size": size}).arrays["values"]) == size


def test_a_server_that_ends_is_noticed_at_once(server: Rung) -> None:
    with _met(server) as connection:
        connection.request("give", {"size": 10})
        server.stop()
        began = time.monotonic()
        with pytest.raises(WireError, match=r"closed the connection|cannot be reached"):
            connection.request("give", {"size": 10}, timeout_s=60.0)
        assert time.monotonic() - began < 30.0


def test_clients_that_come_and_go_leave_nothing_behind(server: Rung) -> None:
    with _met(server) as connection:
        connection.request("give", {"size": 1})
    for _ in range(3):
        with _met(server) as connection:
            connection.request("give", {"size": 1})
    deadline = time.monotonic() + 30.0
    while server.router._bells and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not server.router._bells
    assert not server.router._ringers


def test_more_clients_than_bells_are_served_too(server: Rung) -> None:
    with contextlib.ExitStack() as stack:
        everyone = [stack.enter_context(_met(server)) for _ in range(MAX_BELLS + 2)]
        for size, connection in enumerate(everyone, 1):
            assert len(connection.request("give", {"size": size}).arrays["values"]) == size
        assert len(server.router._bells) == MAX_BELLS
        assert server.bells == MAX_BELLS


def test_garbage_through_a_pipe_is_answered_like_any_other(server: Rung) -> None:
    seen: list[Any] = []
    server.router.each = lambda handle, limit=1000: Router.each(  # type: ignore[method-assign]
        server.router, lambda peer, frames: (seen.append(frames), server.router.send(peer, [b"what?"]))[0]
    )
    bell = Bell.create()
    assert bell is not None
    assert server.router.hang(b"stranger", _offer(bell))
    bell.agreed()
    for text in (b"\xc1garbage", LOOK):
        assert bell.ask([text])
        assert bell.hear(10_000) == b"what?"
    assert seen == [[b"\xc1garbage"], [LOOK]]
    bell.close()
