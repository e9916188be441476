"""Servers that misbehave: each fault is one line that names the server, at once or after the timeout, and heals."""

from __future__ import annotations

import contextlib
import gc
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import numpy as np
import pytest
import zmq
from foreign_support import SIZE, Witness, episode, observation
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from proctor.core import ProctorError
from proctor.policies import load_policy
from proctor.policies.wire import OURS, gr00t, openpi, spec_to_map, vla_eval

WEBSOCKET_WIRES = ("openpi", "roboarena", "vla-eval")
GOOD = np.zeros((4, 7))
SPEC = spec_to_map(Witness().spec())
PARTS = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")

Frame = bytes | str | None


def greeting(wire: str) -> bytes:
    if wire == "openpi":
        return openpi.encode({OURS: SPEC})
    if wire == "roboarena":
        config = {"image_resolution": [SIZE, SIZE], "needs_wrist_camera": True, "n_external_cameras": 1}
        return openpi.encode({**config, "action_space": "delta_eef_axis_angle_gripper"})
    return vla_eval.encode(vla_eval.Message("hello", {"protocol_version": 1, OURS: SPEC}, 1))


def answer(wire: str, actions: Any, seq: int) -> bytes:
    if wire == "openpi":
        return openpi.encode({"actions": actions})
    if wire == "roboarena":
        return openpi.encode(actions)
    return vla_eval.encode(vla_eval.Message("action", {"actions": actions if len(actions) > 4 else actions[0]}, seq))


def raw_array(wire: str, data: bytes, dtype: str, shape: list[int], seq: int) -> bytes:
    """Return an answer whose array was never a NumPy array."""
    if wire == "vla-eval":
        array: dict[Any, Any] = {"__ndarray__": True, "data": data, "dtype": dtype, "shape": shape}
        fields = {"type": "action", "payload": {"actions": array}, "seq": seq, "timestamp": 0.0}
        return bytes(msgpack.packb(fields))
    array = {b"__ndarray__": True, b"data": data, b"dtype": dtype, b"shape": shape}
    return bytes(msgpack.packb({"actions": array} if wire == "openpi" else array))


@contextlib.contextmanager
def misbehaving(wire: str, bad: Callable[[str, int], Frame], hello: Callable[[str], Frame] = greeting) -> Iterator[str]:
    """A server that answers the first observation with ``bad`` (None: never) and later ones well."""
    asked = threading.Event()

    def handle(connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            if wire == "vla-eval":
                connection.recv()
            first = hello(wire)
            if first is not None:
                connection.send(first)
            for data in connection:
                assert isinstance(data, bytes)
                if wire == "vla-eval":
                    message = vla_eval.decode(data)
                    if message.kind != "observation":
                        continue
                    seq = message.seq
                else:
                    seq = 0
                    if openpi.decode(data).get("endpoint") == "reset":
                        connection.send("reset successful")
                        continue
                if asked.is_set():
                    connection.send(answer(wire, GOOD, seq))
                    continue
                asked.set()
                frame = bad(wire, seq)
                if frame == "close":
                    return
                if frame is not None:
                    connection.send(frame)

    with serve(handle, "127.0.0.1", 0, max_size=None, compression=None) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"{wire}://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join(60)


def connect(url: str, timeout: float = 30.0) -> Any:
    args: dict[str, Any] = {"timeout": timeout}
    return load_policy(url, {**args, "render_size": SIZE} if url.startswith("roboarena") else args)


def said(call: Callable[[], Any], url: str) -> str:
    """Return the one line that ``call`` fails with."""
    with pytest.raises(ProctorError) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert url in text
    return text


FAULTS: dict[str, tuple[Callable[[str, int], Frame], str]] = {
    "garbage": (lambda wire, seq: b"\xc1\xff\x00garbage", "sent no proper answer"),
    "text": (lambda wire, seq: "Traceback\n  File x\nValueError: boom\n", "answered with an error: ValueError: boom"),
    "truncated": (lambda wire, seq: answer(wire, GOOD, seq)[:-3], "cut off"),
    "trailing": (lambda wire, seq: answer(wire, GOOD, seq) + b"\0", "bytes follow"),
    "six": (lambda wire, seq: answer(wire, np.zeros((4, 6)), seq), "expected [H, 7]"),
    "nan": (lambda wire, seq: answer(wire, np.full((4, 7), np.nan), seq), "NaN or infinity"),
    "text actions": (lambda wire, seq: answer(wire, ["left"] * 4, seq), "expected real numbers"),
    "object dtype": (lambda wire, seq: raw_array(wire, bytes(56), "|O", [1, 7], seq), "not allowed"),
    "bomb": (lambda wire, seq: raw_array(wire, bytes(8), "<f8", [1 << 40, 7], seq), "needs"),
    "negative": (lambda wire, seq: raw_array(wire, bytes(56), "<f8", [-1, -7], seq), "shape"),
    "closes": (lambda wire, seq: "close", "closed the connection"),
    "silent": (lambda wire, seq: None, "within 0.7 s"),
    "too large": (lambda wire, seq: answer(wire, np.zeros((50_000, 7)), seq), "in one message"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("wire", WEBSOCKET_WIRES)
def test_a_bad_answer_ends_the_episode_and_the_next_one_is_well(
    wire: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "too large":
        monkeypatch.setattr("proctor.policies.remote._websocket.MAX_FOREIGN_BYTES", 200_000)
    bad, says = FAULTS[fault]
    with misbehaving(wire, bad) as url:
        policy = connect(url, 0.7 if fault == "silent" else 30.0)
        policy.reset("pick the apple", episode())
        assert says in said(lambda: policy.act(observation()), url)
        assert "lost in this episode" in said(lambda: policy.act(observation()), url)
        if fault != "silent":
            policy.reset("pick the apple", episode(6))
            np.testing.assert_array_equal(policy.act(observation())[:, :6], 0.0)
        policy.close()


GREETINGS: dict[str, tuple[Callable[[str], Frame], str]] = {
    "garbage": (lambda wire: b"\xc1\xff", "sent no proper answer"),
    "text": (lambda wire: "no such model", "answered with an error: no such model"),
    "truncated": (lambda wire: greeting(wire)[:-1], "cut off"),
    "silent": (lambda wire: None, "within 0.7 s"),
}


@pytest.mark.parametrize("fault", GREETINGS)
@pytest.mark.parametrize("wire", WEBSOCKET_WIRES)
def test_a_bad_greeting_is_refused_before_the_first_episode(wire: str, fault: str) -> None:
    hello, says = GREETINGS[fault]
    with misbehaving(wire, FAULTS["closes"][0], hello) as url:
        policy = connect(url, 0.7 if fault == "silent" else 30.0)
        assert says in said(policy.spec, url)
        policy.close()


@pytest.mark.parametrize(
    ("wire", "sent", "says"),
    [
        ("openpi", openpi.encode([1, 2]), "greets with list, not a map"),
        ("openpi", openpi.encode({OURS: {"cameras": []}}), "PolicySpec: Object missing required field `name`"),
        ("roboarena", openpi.encode({}), "is it a RoboArena server?"),
        ("roboarena", openpi.encode({"n_external_cameras": 9}), "0 to 2 are possible"),
        ("roboarena", openpi.encode({"n_external_cameras": 1, "needs_stereo_camera": True}), "stereo"),
        (
            "roboarena",
            openpi.encode({"n_external_cameras": 1, "image_resolution": [1, 99999]}),
            "height and width from 16 to 1024",
        ),
        (
            "vla-eval",
            vla_eval.encode(vla_eval.Message("hello", {"protocol_version": 2, "harness_version": "9.9"})),
            "(vla-eval 9.9) speaks protocol version 2, this side 1",
        ),
        ("vla-eval", vla_eval.encode(vla_eval.Message("action", {})), "sent 'action' where 'hello' was due"),
        ("vla-eval", vla_eval.encode(vla_eval.Message("error", {"error": "loading"})), "with an error: loading"),
    ],
    # Not the bytes: some hold the time, and a test must have one name wherever it is collected.
    ids=lambda value: value if isinstance(value, str) else "bytes",
)
def test_greetings_of_another_kind(wire: str, sent: bytes, says: str) -> None:
    with misbehaving(wire, FAULTS["closes"][0], lambda wire: sent) as url:
        policy = connect(url)
        assert says in said(policy.spec, url)
        policy.close()


def test_an_answer_to_another_observation() -> None:
    with misbehaving("vla-eval", lambda wire, seq: answer(wire, GOOD, seq + 5)) as url:
        policy = connect(url)
        policy.reset("pick the apple", episode())
        assert "answered observation" in said(lambda: policy.act(observation()), url)
        policy.close()


@contextlib.contextmanager
def plain_tcp(reply: bytes) -> Iterator[str]:
    """A server that speaks no protocol of ours: it reads a little, sends ``reply`` and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(30)
                    connection.recv(4096)
                    connection.sendall(reply)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    # A thread blocked in accept() keeps the port: shutdown wakes it, close alone does not.
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(60)


@pytest.mark.parametrize("reply", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"])
@pytest.mark.parametrize("wire", [*WEBSOCKET_WIRES, "gr00t"])
def test_a_server_of_another_kind(wire: str, reply: bytes) -> None:
    with plain_tcp(reply) as address:
        policy = connect(f"{wire}://{address}", 1.0)
        said(policy.spec, f"{wire}://{address}")
        policy.close()


@contextlib.contextmanager
def gr00t_server(bad: Callable[[], bytes | None], config: Any = None) -> Iterator[str]:
    """A REP server that answers the first ``get_action`` with ``bad`` (None: never), everything else well."""
    keys = {"video": ["image", "wrist_image"], "state": list(PARTS), "action": list(PARTS), "language": ["task"]}
    modalities = config or {name: gr00t.modality(names, [0]) for name, names in keys.items()}
    stop, asked = threading.Event(), threading.Event()
    server = zmq.Context.instance().socket(zmq.REP)
    server.setsockopt(zmq.LINGER, 0)
    port = server.bind_to_random_port("tcp://127.0.0.1")

    def reply(endpoint: str) -> bytes | None:
        if endpoint == "get_modality_config":
            return gr00t.encode(modalities)
        if endpoint == "get_action" and not asked.is_set():
            asked.set()
            return bad()
        if endpoint == "get_action":
            return gr00t.encode([{part: np.zeros((1, 4, 1), np.float32) for part in PARTS}, {}])
        return gr00t.encode({OURS: SPEC} if endpoint == "ping" else {})

    def run() -> None:
        while not stop.is_set():
            if server.poll(50):
                data = reply(gr00t.decode(server.recv())["endpoint"])
                if data is None:
                    stop.wait(60)
                else:
                    server.send(data)
        server.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield f"gr00t://127.0.0.1:{port}"
    stop.set()
    thread.join(60)


def test_a_gr00t_connection_that_nobody_closed_is_closed_with_its_monitor() -> None:
    """As for our own wire: were the monitor to go first, ZeroMQ's thread would stop, and with it every connection."""
    with gr00t_server(lambda: None) as url:
        lost = connect(url)
        lost.spec()
        (link,) = lost._links
        sockets = (link._socket, link._monitor)
        del lost, link
        gc.collect()
        assert all(each.closed for each in sockets)
    with gr00t_server(parts) as url:
        policy = connect(url)
        assert policy.spec().action_dim == 7
        policy.close()


def parts(**changed: Any) -> bytes:
    action = {part: np.zeros((1, 4, 1), np.float32) for part in PARTS}
    return gr00t.encode([{**action, **changed}, {}])


GR00T_FAULTS: dict[str, tuple[Callable[[], bytes | None], str]] = {
    "garbage": (lambda: b"\xc1\xff\x00", "sent no proper answer"),
    "text": (lambda: b"not msgpack at all", "sent no proper answer"),
    "truncated": (lambda: parts()[:-3], "cut off"),
    "error": (lambda: gr00t.encode({"error": "CUDA out\nof memory"}), "with an error: CUDA out of memory"),
    "no list": (lambda: gr00t.encode({}), "not [actions, info]"),
    "missing part": (lambda: gr00t.encode([{}, {}]), "'x' is missing"),
    "wrong part": (lambda: parts(z=np.zeros((1, 4), np.float32)), "action part 'z' as float32[1, 4]"),
    "uneven": (lambda: parts(z=np.zeros((1, 3, 1), np.float32)), "different lengths"),
    "wide": (lambda: parts(z=np.zeros((1, 4, 2), np.float32)), "expected [H, 7]"),
    "nan": (lambda: parts(yaw=np.full((1, 4, 1), np.nan, np.float32)), "NaN or infinity"),
    "pickle": (
        lambda: bytes(msgpack.packb([{"x": {b"nd": True, b"kind": b"O", b"type": "|O", b"data": b"", b"shape": [1]}}])),
        "objects or structures",
    ),
    "silent": (lambda: None, "did not answer 'get_action' within 0.7 s"),
    "too large": (lambda: parts(x=np.zeros((1, 100_000, 1), np.float32)), "closed the connection before it answered"),
}


@pytest.mark.parametrize("fault", GR00T_FAULTS)
def test_gr00t_faults(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.policies.remote._request.MAX_FOREIGN_BYTES", 200_000)
    bad, says = GR00T_FAULTS[fault]
    with gr00t_server(bad) as url:
        policy = connect(url, 0.7 if fault == "silent" else 30.0)
        policy.reset("pick the apple", episode())
        assert says in said(lambda: policy.act(observation()), url)
        if fault != "silent":
            policy.reset("pick the apple", episode(6))
            assert policy.act(observation()).shape == (4, 7)
        policy.close()


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"video": 3}, "no proper modality configuration of 'video'"),
        ({"video": gr00t.modality(["a"], [-1, 0])}, "looks back over 2 time steps of 'video'"),
        (
            {"video": gr00t.modality(["a"], [0]), "state": gr00t.modality(["left_arm"], [0])},
            "asks for state 'left_arm'",
        ),
        ({"video": gr00t.modality(["a", "b", "c"], [0])}, "asks for 3 pictures"),
    ],
)
def test_gr00t_modalities_that_cannot_be_served(config: dict[str, Any], says: str) -> None:
    rest = {name: gr00t.modality([], [0]) for name in ("video", "state", "action", "language")}
    with gr00t_server(lambda: None, {**rest, **config}) as url:
        policy = connect(url)
        assert says in said(policy.spec, url)
        policy.close()
