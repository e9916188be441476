"""Clients that misbehave: the server tells them in one line, and goes on serving the others."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np
import pytest
import zmq
from foreign_support import SIZE, WIRES, Witness, episode, observation, serving
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from proctor.policies import load_policy
from proctor.policies.wire import gr00t, openpi, vla_eval

PICTURE = np.zeros((SIZE, SIZE, 3), np.uint8)
STATE = np.zeros(8)
LIMIT_S = 60
OPENPI = {
    "observation/image": PICTURE,
    "observation/wrist_image": PICTURE,
    "observation/state": STATE,
    "prompt": "go",
}
DROID = {
    "endpoint": "infer",
    "observation/exterior_image_0_left": PICTURE,
    "observation/wrist_image_left": PICTURE,
    "observation/cartesian_position": np.zeros(6),
    "observation/gripper_position": np.zeros(1),
    "prompt": "go",
}
VLA_EVAL = {"images": {"agentview": PICTURE, "wrist": PICTURE}, "states": STATE, "task_description": "go"}


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    """A server of each wire for the whole module: it has to outlive every bad client."""
    with contextlib.ExitStack() as stack:
        yield {wire: stack.enter_context(serving(wire, Witness())) for wire in WIRES}


def without(values: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}


def raw(key: str, dtype: Any, shape: Any, data: bytes = bytes(8)) -> bytes:
    """Return an openpi observation with an array that was never a NumPy array."""
    return bytes(msgpack.packb({key: {b"__ndarray__": True, b"data": data, b"dtype": dtype, b"shape": shape}}))


SHARED: list[tuple[bytes | str, str]] = [
    (b"\xc1\xff\x00garbage", "begins no value"),
    (b"", "cut off"),
    (b"\x80\x80", "bytes follow"),
    (b"\xdd\xff\xff\xff\xff" + b"\x90" * 200_000, "more than 20000 values"),
    ("text instead of binary", "a text frame came"),
]
BAD: dict[str, list[tuple[bytes | str, str]]] = {
    "openpi": [
        *SHARED,
        (openpi.encode([1]), "an observation is a map, not list"),
        (openpi.encode(OPENPI)[:-2], "cut off"),
        (openpi.encode(without(OPENPI, "prompt")), "'prompt' is missing"),
        (openpi.encode(without(OPENPI, "observation/wrist_image")), "'observation/wrist_image' is missing"),
        (openpi.encode({**OPENPI, "prompt": 3}), "prompt is int, expected text"),
        (openpi.encode({**OPENPI, "observation/image": PICTURE / 255.0}), "observation/image is float64[48, 48, 3]"),
        (openpi.encode({**OPENPI, "observation/image": PICTURE[..., :1]}), "expected uint8 [H, W, 3]"),
        (openpi.encode({**OPENPI, "observation/image": [1, 2]}), "observation/image is list"),
        (openpi.encode({**OPENPI, "observation/image": np.zeros((3000, 1, 3), np.uint8)}), "sides to 2048"),
        (openpi.encode({**OPENPI, "observation/state": np.zeros(7)}), "observation/state is float64[7]"),
        (openpi.encode({**OPENPI, "observation/state": np.full(8, np.nan)}), "observation/state holds NaN"),
        (raw("observation/image", "|O", [1]), "dtype '|O' is not allowed"),
        (raw("observation/image", "|u1", [-1, 8, -1]), "is not a list of at most 8 lengths"),
        (raw("observation/image", "|u1", [1 << 20, 1 << 20, 3]), "needs 3298534883328 bytes, 8 came"),
        (
            openpi.encode({**OPENPI, "proctor/episode": {"suite": 3}}),
            "EpisodeSpec: Expected `str`, got `int` - at `$.suite`",
        ),
        (openpi.encode({**OPENPI, "proctor/step": -1}), "step is '-1', not a whole number"),
    ],
    "roboarena": [
        *SHARED,
        (openpi.encode({**DROID, "endpoint": "dance"}), "endpoint 'dance' is unknown (known: infer, reset)"),
        (openpi.encode(without(DROID, "observation/gripper_position")), "'observation/gripper_position' is missing"),
        (openpi.encode({**DROID, "observation/cartesian_position": np.zeros(7)}), "cartesian_position is float64[7]"),
    ],
    "vla-eval": [
        *SHARED,
        (msgpack.packb({"type": "hello"}), "a message without 'payload'"),
        (msgpack.packb([1]), "a message is a map"),
    ],
}


def dial(address: str, **options: Any) -> ClientConnection:
    client = connect(f"ws://{address}", compression=None, max_size=None, proxy=None, **options)
    assert isinstance(client, ClientConnection)
    return client


CASES = [(wire, sent, says) for wire, cases in BAD.items() for sent, says in cases]


@pytest.mark.parametrize(("wire", "sent", "says"), CASES, ids=[f"{wire}: {says}" for wire, _, says in CASES])
def test_bytes_that_are_no_observation(servers: dict[str, str], wire: str, sent: bytes | str, says: str) -> None:
    address = servers[wire]
    with dial(address) as client:
        if wire != "vla-eval":
            client.recv(LIMIT_S)
        client.send(sent)
        line = client.recv(LIMIT_S)
        assert isinstance(line, str)
        assert says in line
        assert "\n" not in line
        with pytest.raises(ConnectionClosed) as caught:
            client.recv(LIMIT_S)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1011
    still_serves(wire, address)


def still_serves(wire: str, address: str) -> None:
    """A good client gets its answer from the same server."""
    extra = {"chunk": 4, "render_size": SIZE} if wire == "roboarena" else {}
    policy: Any = load_policy(f"{wire}://{address}", extra)
    policy.reset("pick the apple", episode())
    assert policy.act(observation()).shape[1] == 7
    policy.close()


HELLO = {"harness_version": "0.8.0", "protocol_version": 1}


@pytest.mark.parametrize(
    ("hello", "observed", "says"),
    [
        ({**HELLO, "protocol_version": 2}, None, "the client speaks protocol version 2, this server 1"),
        ({}, None, "the client speaks protocol version None, this server 1"),
        (None, VLA_EVAL, "'observation' came before 'hello'"),
        (HELLO, without(VLA_EVAL, "images"), "'images' is missing"),
        (HELLO, {**VLA_EVAL, "images": 3}, "'images' is int"),
        (HELLO, {**VLA_EVAL, "images": {"agentview": PICTURE}}, "'wrist' is missing"),
        (HELLO, {**VLA_EVAL, "images": {"agentview": PICTURE, "wrist": PICTURE * 1.0}}, "wrist is float64"),
        (HELLO, without(VLA_EVAL, "states"), "'state' is missing"),
        (HELLO, {**VLA_EVAL, "states": np.full(8, np.inf)}, "states holds NaN or infinity"),
        (HELLO, without(VLA_EVAL, "task_description"), "'task_description' is missing"),
    ],
)
def test_vla_eval_errors_are_messages_and_leave_the_connection_open(hello: Any, observed: Any, says: str) -> None:
    with serving("vla-eval", Witness()) as address, dial(address) as client:

        def ask(kind: Any, payload: dict[str, Any], seq: int) -> vla_eval.Message:
            client.send(vla_eval.encode(vla_eval.Message(kind, payload, seq)))
            data = client.recv(LIMIT_S)
            assert isinstance(data, bytes)
            return vla_eval.decode(data)

        answer = ask("hello", hello, 7) if hello is not None else None
        if observed is not None:
            answer = ask("observation", observed, 8)
        assert answer is not None
        assert (answer.kind, answer.seq) == ("error", 7 if observed is None else 8)
        assert says in answer.payload["error"]
        assert ask("hello", HELLO, 9).kind == "hello"
        assert ask("observation", VLA_EVAL, 10).payload["actions"].shape == (7,)


def test_a_policy_that_raises_is_told_to_its_client() -> None:
    class Broken(Witness):
        def act(self, observation: Any) -> Any:
            raise RuntimeError("CUDA\nout of memory")

    for wire in WIRES:
        with serving(wire, Broken()) as address:
            extra = {"chunk": 4, "render_size": SIZE} if wire == "roboarena" else {}
            policy: Any = load_policy(f"{wire}://{address}", extra)
            policy.reset("pick the apple", episode())
            with pytest.raises(Exception, match=r"RuntimeError: CUDA out of memory") as caught:
                policy.act(observation())
            assert "\n" not in str(caught.value)
            policy.close()


@pytest.mark.parametrize("wire", ["openpi", "roboarena", "vla-eval"])
def test_a_frame_above_the_limit_closes_its_connection_only(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.serving._websocket.MAX_FOREIGN_BYTES", 100_000)
    with serving(wire, Witness()) as address:
        with dial(address) as client:
            if wire != "vla-eval":
                client.recv(LIMIT_S)
            client.send(bytes(200_000))
            with pytest.raises(ConnectionClosed) as caught:
                client.recv(LIMIT_S)
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1009
        still_serves(wire, address)


@pytest.mark.parametrize("wire", ["openpi", "roboarena", "vla-eval"])
def test_a_token_that_is_no_text_is_a_wrong_one(wire: str) -> None:
    with serving(wire, Witness(), token="s3cret") as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), timeout=LIMIT_S) as client:
            key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            key += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            head = f"GET / HTTP/1.1\r\nHost: {address}\r\n{key}Authorization: Api-Key s3cr".encode()
            client.sendall(head + b"\xe9t\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("wire", ["openpi", "roboarena", "vla-eval"])
def test_a_web_page_may_not_connect(wire: str) -> None:
    with serving(wire, Witness()) as address, pytest.raises(InvalidStatus, match="403"):
        dial(address, origin="http://evil.example")


def ask_gr00t(address: str, data: bytes, kind: int = zmq.REQ) -> Any:
    with zmq.Context.instance().socket(kind) as client:
        client.setsockopt(zmq.LINGER, 0)
        client.connect(f"tcp://{address}")
        client.send(data)
        assert client.poll(LIMIT_S * 1000), "no answer"
        return gr00t.decode(client.recv())


def gr00t_request(**changed: Any) -> bytes:
    state = {key: np.zeros((1, 1, 1), np.float32) for key in ("x", "y", "z", "roll", "pitch", "yaw")}
    seen: dict[str, Any] = {
        "video": {"image": PICTURE[None, None], "wrist_image": PICTURE[None, None]},
        "state": {**state, "gripper": np.zeros((1, 1, 2), np.float32)},
        "language": {"task": [["go"]]},
    }
    return gr00t.encode({"endpoint": "get_action", "data": {"observation": {**seen, **changed}, "options": None}})


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xc1\xff\x00", "begins no value"),
        (b"", "cut off"),
        (b"some text", "bytes follow"),
        (gr00t.encode([1]), "a request is a map"),
        (gr00t.encode({}), "'endpoint' is missing"),
        (gr00t.encode({"endpoint": "dance"}), "endpoint 'dance' is unknown"),
        (gr00t.encode({"endpoint": "get_action"}), "'observation' is missing"),
        (gr00t_request()[:-2], "cut off"),
        (gr00t_request(language={"task": [[3]]}), "language 'task' is int"),
        (gr00t_request(language={"task": []}), "1 to 256 prompts"),
        (
            gr00t_request(language={"task": [["a"], ["b"]]}),
            "'image' is uint8[1, 1, 48, 48, 3], expected an array with B = 2",
        ),
        (gr00t_request(video={}), "'image' is missing"),
        (gr00t_request(video=3), "'image' is NoneType"),
        (gr00t_request(state={}), "'x' is missing"),
        (gr00t.encode({"endpoint": "kill"}), "'kill' is refused"),
        (
            msgpack.packb(
                {"endpoint": {b"nd": True, b"kind": b"O", b"type": "|O", b"shape": [1], b"data": b"\x80\x04."}}
            ),
            "objects or structures",
        ),
        (
            msgpack.packb({"endpoint": {b"nd": True, b"kind": b"", b"type": "<f8", b"shape": [1 << 50], b"data": b""}}),
            "needs",
        ),
    ],
)
def test_gr00t_answers_what_is_wrong(servers: dict[str, str], data: bytes, says: str) -> None:
    address = servers["gr00t"]
    answer = ask_gr00t(address, data)
    assert list(answer) == ["error"]
    assert says in answer["error"]
    assert "\n" not in answer["error"]
    assert ask_gr00t(address, gr00t_request())[0]["x"].shape == (1, 4, 1)


def test_gr00t_survives_what_is_no_request_and_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.serving._gr00t.MAX_FOREIGN_BYTES", 100_000)
    with serving("gr00t", Witness()) as address:
        context = zmq.Context.instance()
        with context.socket(zmq.DEALER) as odd, context.socket(zmq.REQ) as large:
            for client in (odd, large):
                client.setsockopt(zmq.LINGER, 0)
                client.connect(f"tcp://{address}")
            odd.send_multipart([b"a", b"b", b"c", b"d"])
            odd.send(b"no empty frame before")
            large.send(bytes(200_000))
            assert ask_gr00t(address, gr00t.encode({"endpoint": "ping"}))["status"] == "ok"
            assert not large.poll(0)
            assert not odd.poll(0)
