"""A policy behind Proctor's wire: the same answers as without it, and a line that names the server for every fault."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgpack
import numpy as np
import pytest
import zmq
from serving_support import PATIENCE_S, Echo, episode, fronted, remote, seen, served

from proctor.core import PolicySpec, ProctorError
from proctor.policies import SingleSession, load_policy, parse_policy, policy_spec
from proctor.policies.remote import RemotePolicy
from proctor.policies.wire import (
    MAX_ARRAY_BYTES,
    Connection,
    RefusedError,
    Router,
    WireError,
    decode,
    encode,
    spec_to_map,
)
from proctor.serving import Engine

SPEC = Echo().spec()
Reply = Callable[[Any], list[Any] | None]


@contextlib.contextmanager
def imposter(act: Reply, hello: Reply | None = None) -> Iterator[str]:
    """A server that behaves until ``act``, whose frames are whatever the test wants."""
    router, stop = Router("tcp://127.0.0.1:0"), threading.Event()

    def handle(peer: bytes, frames: list[Any]) -> None:
        message = decode(frames)
        frames_out: list[Any] | None = encode("ok", message.id)
        if message.type == "hello":
            fields = {"session": "s", "spec": spec_to_map(SPEC)}
            frames_out = hello(message) if hello else encode("welcome", message.id, fields)
        elif message.type == "act":
            frames_out = act(message)
        if frames_out is not None:
            router.send(peer, frames_out)

    def run() -> None:
        while not stop.is_set():
            router.wait(0.05)
            router.each(handle)
        router.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield f"proctor://127.0.0.1:{router.port}"
    finally:
        stop.set()
        thread.join(PATIENCE_S)


@pytest.mark.parametrize("options", [{}, {"shm": False}, {"jpeg": True}], ids=["shared memory", "frames", "jpeg"])
@pytest.mark.parametrize("threaded", [False, True], ids=["alone", "threaded"])
def test_the_wire_changes_nothing(options: dict, threaded: bool) -> None:
    local = SingleSession(Echo())
    local.reset("pick", episode())
    with served(Echo(), threaded=threaded) as (url, _), remote(url, **options) as policy:
        assert policy.spec() == SPEC
        connection = policy._hosts[0]._connection
        assert (connection.shared, connection.rings) == (not options, not options)
        policy.reset("pick", episode())
        for step in range(4):
            # A grey picture survives JPEG exactly.
            observation = seen(step, value=step * 20)
            assert policy.act(observation) == pytest.approx(np.atleast_2d(local.act(observation)))


def test_a_policy_may_keep_what_it_saw() -> None:
    """With shared memory the next observation is written where the last one lay."""
    kept: list[Any] = []

    class Hoarder(Echo):
        def act_batch(self, sessions: Any, observations: Any) -> list[Any]:
            kept.extend(observation.images["agentview"] for observation in observations)
            return super().act_batch(sessions, observations)

    with served(Hoarder()) as (url, _), remote(url) as policy:
        policy.reset("pick", episode())
        for value in (10, 20, 30):
            policy.act(seen(value=value))
    assert [int(image[0, 0, 0]) for image in kept] == [10, 20, 30]


def test_two_clients_with_one_token_share_nothing() -> None:
    with served(Echo(), token="s3cret") as (url, engine):
        with ThreadPoolExecutor(2) as pool:

            def play(value: int) -> list[float]:
                with remote(url, token="s3cret") as policy:
                    policy.reset("pick", episode())
                    rows = [policy.act(seen(step, value=value))[0] for step in range(15)]
                assert all(row[0] == pytest.approx(value / 255.0) for row in rows)
                return [round(row[2] * 1000) for row in rows]

            assert list(pool.map(play, [51, 102])) == [list(range(1, 16))] * 2
        assert engine.sessions() == 0, "each said goodbye"


@pytest.mark.parametrize("given", ["", "s3cre", "S3CRET"])
def test_a_wrong_token_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROCTOR_TOKEN", raising=False)
    with served(Echo(), token="s3cret") as (url, engine):
        with pytest.raises(RefusedError, match=f"{url}: the token is missing or wrong"):
            RemotePolicy(url, token=given)
        assert engine.sessions() == 0


def test_a_token_reaches_the_server_and_not_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_TOKEN", "")
    with served(Echo(), token="s3cret") as (url, _):
        name, args = parse_policy(url, ["token=s3cret", "timeout=20"])
        assert (name, args) == (url, {"timeout": 20})
        policy = load_policy(name, args)
        assert policy_spec(name, policy) == SPEC
        policy.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("proctr://a:1", "did you mean 'proctor'"),
        ("proctor://", "write host:port"),
        ("proctor://a:1,a:1", "twice"),
        ("proctor://a:99999", "write host:port"),
    ],
)
def test_urls_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(ProctorError, match=words):
        parse_policy(text)


def test_an_unknown_argument_is_named() -> None:
    with pytest.raises(ProctorError, match="did you mean 'timeout'"):
        load_policy("proctor://127.0.0.1:1", {"timeot": 3})


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"proctor://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(WireError, match=f"{url} cannot be reached"):
        RemotePolicy(url, timeout=0.5)


def test_a_server_of_another_kind() -> None:
    """Text instead of binary: an HTTP server."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"proctor://127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            connection, _ = server.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(WireError, match=url):
            RemotePolicy(url, timeout=5.0)
        thread.join(PATIENCE_S)


def test_a_server_that_loads_is_waited_for() -> None:
    release = threading.Event()

    def build() -> SingleSession:
        assert release.wait(PATIENCE_S)
        return SingleSession(Echo())

    for threaded in (False, True):
        release.clear()
        engine = Engine(build, threaded=threaded)
        with fronted(engine, wait=False) as url:
            with pytest.raises(WireError, match="still loading"):
                RemotePolicy(url, wait=0.0)
            threading.Timer(0.3, release.set).start()
            with remote(url) as policy:
                assert policy.spec() == SPEC
            release.set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise", "ValueError: the model has no more memory"),
        ("shape", r"\(4, 6\)"),
        ("nan", "not finite"),
        ("long", "5 actions"),
        ("shout", "ValueError: no no no"),
    ],
)
def test_a_fault_of_the_policy_names_the_server_and_the_next_episode_runs(text: str, words: str) -> None:
    with served(Echo()) as (url, _), remote(url) as policy, remote(url) as neighbour:
        neighbour.reset("pick", episode())
        policy.reset(text, episode())
        with pytest.raises(WireError, match=f"{url}.*{words}"):
            policy.act(seen())
        assert neighbour.act(seen(value=51))[0, 0] == pytest.approx(0.2)
        policy.reset("pick", episode(1))
        assert policy.act(seen())[0, 2] == pytest.approx(0.001)


def test_a_refused_episode() -> None:
    with served(Echo()) as (url, _), remote(url) as policy:
        with pytest.raises(RefusedError, match="no such object"):
            policy.reset("refuse", episode())
        policy.reset("pick", episode())
        assert policy.act(seen()).shape == (1, 7)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda message: [b"<html>not found</html>"], "sent no answer to 'act': the first frame is no msgpack"),
        (lambda message: [msgpack.packb({"v": 2, "t": "actions", "id": message.id})], "another version"),
        (lambda message: encode("actions", message.id), "no array 'actions'"),
        (lambda message: encode("ok", message.id, {}, {"actions": np.zeros((1, 7))}), "with 'ok'"),
        (lambda message: encode("actions", message.id, {}, {"actions": np.zeros((4, 6))}), r"shape \(4, 6\)"),
        (lambda message: encode("actions", message.id, {}, {"actions": np.zeros(7)}), r"shape \(7,\)"),
        (lambda message: encode("actions", message.id, {}, {"actions": np.zeros((0, 7))}), r"shape \(0, 7\)"),
        (lambda message: encode("actions", message.id, {}, {"actions": np.full((1, 7), np.inf)}), "not finite"),
        (lambda message: [header(t="actions", id=message.id, a=[["actions", "<f8", [1, 7]]])], "truncated"),
        (lambda message: encode("error", message.id, {"reason": "a\nb"}), "a b"),
        (lambda message: None, "did not answer 'act' within 0.5 s"),
    ],
    ids=["text", "version", "empty", "type", "shape", "flat", "none", "inf", "truncated", "error", "late"],
)
def test_what_a_broken_server_sends_is_an_error_that_names_it(reply: Reply, words: str) -> None:
    with imposter(reply) as url, remote(url, timeout=PATIENCE_S, shm=False) as policy:
        policy.reset("pick", episode())
        if "within" in words:
            policy._host._connection.timeout_s = 0.5
        with pytest.raises(WireError, match=f"{url}.*{words}"):
            policy.act(seen())


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda message: encode("welcome", message.id, {"spec": spec_to_map(SPEC)}), "not with a welcome"),
        (lambda message: encode("welcome", message.id, {"session": "s", "spec": {"name": 3}}), "no spec"),
        (lambda message: encode("refuse", message.id, {"reason": "not today", "code": "spec"}), "not today"),
        (lambda message: [msgpack.packb({"v": 9, "t": "welcome", "id": message.id})], "another version"),
    ],
)
def test_a_broken_greeting_is_refused_before_any_episode(reply: Reply, words: str) -> None:
    with imposter(lambda message: None, reply) as url, pytest.raises(WireError, match=f"{url}.*{words}"):
        RemotePolicy(url, timeout=PATIENCE_S, shm=False)


def test_a_late_answer_is_not_taken_for_the_next_one() -> None:
    held: list[Any] = []

    def reply(message: Any) -> list[Any] | None:
        """Say nothing to the first request, and answer the second with the first's answer and then its own."""
        held.append(message.id)
        if len(held) == 1:
            return None
        return encode("actions", message.id, {}, {"actions": np.full((1, 7), 0.5)})

    with imposter(reply) as url:
        connection = Connection(url.replace("proctor", "tcp"), timeout_s=PATIENCE_S)
        connection.request("reset")
        with pytest.raises(WireError, match="within"):
            connection.request("act", timeout_s=0.3)
        assert connection.request("act", timeout_s=PATIENCE_S).id == held[1] != held[0]
        connection.close()


def test_an_old_number_is_dropped_by_the_client() -> None:
    router = Router("tcp://127.0.0.1:0")
    connection = Connection(router.endpoint, timeout_s=PATIENCE_S)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(connection.request, "act")
        found = None
        while found is None:
            router.wait(0.1)
            found = router.receive()
        number = decode(found[1]).id
        router.send(found[0], encode("actions", number - 1, {"old": True}))
        router.send(found[0], encode("actions", number, {"old": False}))
        assert asked.result(PATIENCE_S).fields == {"old": False}
    connection.close()
    router.close()


def raw(url: str, frames: list[bytes]) -> list[bytes] | None:
    """Send frames that no client of ours would send; return the answer, None if the connection is cut instead."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.setsockopt(zmq.LINGER, 0)
        monitor = dealer.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        dealer.connect(url.replace("proctor", "tcp"))
        dealer.send_multipart(frames)
        poller = zmq.Poller()
        poller.register(dealer, zmq.POLLIN)
        poller.register(monitor, zmq.POLLIN)
        ready = dict(poller.poll(PATIENCE_S * 1000))
        assert ready, "neither an answer nor the end of the connection"
        answer = dealer.recv_multipart() if dealer in ready else None
        dealer.disable_monitor()
        return answer


def header(**values: Any) -> bytes:
    return msgpack.packb({"v": 1, "t": "act", "id": 5, **values})


@pytest.mark.parametrize(
    "frames",
    [
        [b""],
        [b"GET / HTTP/1.1"],
        [b"\xff" * 1000],
        [msgpack.packb({"v": 2, "t": "hello", "id": 1})],
        [header(session="x", a=[["state", "<f8", [8]]])],
        [header(session="x", a=[["state", "<f8", [1 << 40]]]), b"x"],
        [header(session="x", step=0, a=[["state", "<f8", [8]]]), bytes(64)],
        [header(session="x", step=0, a=[["state", "<f8", [8], 0]])],
        [header(t="reset", session="x", instruction=3)],
        [header(t="reset", session="x", instruction="a", episode={"suite": 3})],
        [header(t="shutdown")],
        [header(t="bye")],
        [b"x"] * 500,
        # What a stranger sends is quoted, but never so much of it that the answer cannot be sent.
        [header(v=b"\xff" * 900_000)],
        [header(a=[["state", "<f8", [0, *[1 << 26] * 7]]]), b""],
        [header(t="hello", env={"name": "n" * 900_000})],
        [header(t="reset", session="x", instruction="a", episode={"suite": [0] * 300_000})],
    ],
)
def test_a_server_answers_nonsense_with_an_error_and_lives(frames: list[bytes]) -> None:
    with served(Echo()) as (url, engine), remote(url) as policy:
        policy.reset("pick", episode())
        answer = raw(url, frames)
        assert answer is not None
        assert decode(answer).type in ("error", "refuse")
        assert 0 < len(decode(answer).fields["reason"]) <= 500
        assert policy.act(seen(value=51))[0, 0] == pytest.approx(0.2)
        assert "frame" in engine.metrics_text()


def test_an_oversized_frame_is_cut_off_and_the_server_lives() -> None:
    with served(Echo()) as (url, _), remote(url) as policy:
        policy.reset("pick", episode())
        assert raw(url, [header(), bytes(MAX_ARRAY_BYTES + 1)]) is None
        assert policy.act(seen(value=51))[0, 0] == pytest.approx(0.2)


def test_an_oversized_observation_is_refused_by_the_sender() -> None:
    with served(Echo()) as (url, _), remote(url) as policy:
        policy.reset("pick", episode())
        with pytest.raises(WireError, match="cannot send 'act'"):
            policy.act(seen(size=5000))


def test_pictures_that_the_policy_did_not_ask_for_are_named() -> None:
    with served(Echo()) as (url, _), remote(url) as policy:
        for wrong, words in ((seen(size=16), r"\(16, 16, 3\)"), (seen(cameras=("wrist",)), "no picture of camera")):
            policy.reset("pick", episode())
            with pytest.raises(RefusedError, match=words):
                policy.act(wrong)


def test_an_environment_that_does_not_fit_is_refused_in_the_greeting_with_both_names() -> None:
    with served(Echo()) as (url, _):
        connection = Connection(url.replace("proctor", "tcp"), timeout_s=PATIENCE_S)
        for env, words in (
            ({"name": "bench", "cameras": ["wrist"]}, "'echo' needs camera 'agentview', environment 'bench'"),
            ({"name": "bench", "cameras": ["agentview"], "control_hz": 5.0}, "'echo' needs control_hz=20.0.*'bench'"),
        ):
            with pytest.raises(RefusedError, match=words) as caught:
                connection.request("hello", {"env": env})
            assert caught.value.code == "spec"
        connection.close()


def test_the_wire_does_not_change_a_spec() -> None:
    class Odd(Echo):
        def spec(self) -> PolicySpec:
            return PolicySpec("odd", ("wrist",), 64, 8, 7, "joint", 12.5, 9, False, "odd-3")

    with served(Odd()) as (url, _), remote(url) as policy:
        assert policy.spec() == Odd().spec()
