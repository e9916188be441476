"""Servers that behave until they do not: Proctor's wire and openpi's, written by hand from their descriptions.

Each serves one policy: zeros, one action at a time. The third answer of an episode is bad in the way that the episode's
instruction names.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np
import zmq
from websockets.sync.server import ServerConnection, serve

SPEC = {
    "name": "by hand",
    "cameras": [],
    "image_size": 64,
    "state_dim": 8,
    "action_dim": 7,
    "control_mode": "delta_eef_axis_angle_gripper",
    "control_hz": 20.0,
    "chunk": 1,
    "privileged": False,
    "fingerprint": "by-hand-1",
}
GOOD = np.zeros((1, 7))
NAN = np.full((1, 7), np.nan)


def _described(array: np.ndarray) -> list[list[Any]]:
    return [["actions", array.dtype.str, list(array.shape)]]


class ProctorServer:
    """One thread, one ROUTER socket. ``version`` is what it claims to speak, ``spec`` what its policy needs."""

    def __init__(self, version: int = 1, **spec: Any) -> None:
        self.version, self.spec = version, {**SPEC, **spec}
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        self.port = self.socket.bind_to_random_port("tcp://127.0.0.1")
        self.url = f"proctor://127.0.0.1:{self.port}"
        self._fault: dict[bytes, str] = {}
        self._asked: dict[bytes, int] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self.socket.poll(20):
                peer, header, *_ = self.socket.recv_multipart()
                for frames in self._answer(peer, msgpack.unpackb(header)):
                    self.socket.send_multipart([peer, *frames])
        self.socket.close(0)

    def _answer(self, peer: bytes, asked: dict[str, Any]) -> Iterator[list[bytes]]:
        base = {"v": self.version, "id": asked["id"]}
        match asked["t"]:
            case "hello":
                yield [msgpack.packb({**base, "t": "welcome", "session": "s", "spec": self.spec, "server": "by hand"})]
            case "reset":
                self._fault[peer], self._asked[peer] = asked["instruction"], 0
                yield [msgpack.packb({**base, "t": "ok"})]
            case "act":
                self._asked[peer] += 1
                good = [msgpack.packb({**base, "t": "actions", "a": _described(GOOD)}), GOOD.tobytes()]
                fault = self._fault[peer] if self._asked[peer] == 3 else "none"
                yield from self._bad(fault, base, good)

    def _bad(self, fault: str, base: dict[str, Any], good: list[bytes]) -> Iterator[list[bytes]]:
        def actions(array: np.ndarray, frame: bytes | None = None, **more: Any) -> list[bytes]:
            header = {**base, "t": "actions", "a": _described(array), **more}
            return [msgpack.packb(header), array.tobytes() if frame is None else frame]

        match fault:
            case "none":
                yield good
            case "late":
                return
            case "stale":
                yield [msgpack.packb({**base, "id": base["id"] - 1, "t": "actions", "a": _described(GOOD)}), good[1]]
            case "shape":
                yield actions(np.zeros((1, 6)))
            case "chunk":
                yield actions(np.zeros((9, 7)))
            case "nan":
                yield actions(NAN)
            case "range":
                yield actions(np.full((1, 7), 1.5))
            case "dtype":
                yield [msgpack.packb({**base, "t": "actions", "a": [["actions", "|O8", [1, 7]]]}), good[1]]
            case "huge":
                yield [msgpack.packb({**base, "t": "actions", "a": [["actions", "<f8", [1 << 24, 7]]]}), good[1]]
            case "oversized":
                yield actions(GOOD, good[1] + bytes(4096))
            case "truncated":
                yield actions(GOOD, good[1][:-3])
            case "frame missing":
                yield good[:1]
            case "frames":
                yield [*good, *[b"x"] * 100]
            case "garbage":
                yield [bytes(range(200, 256)) * 3]
            case "text":
                yield [b"Internal Server Error"]
            case "empty":
                yield [b""]
            case "version":
                yield [msgpack.packb({**base, "v": 2, "t": "actions", "a": _described(GOOD)}), good[1]]
            case "type":
                yield [msgpack.packb({**base, "t": "ok"})]
            case "error":
                yield [msgpack.packb({**base, "t": "error", "reason": "CUDA out of memory", "code": "policy"})]
            case other:
                raise AssertionError(other)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


def _openpi_array(array: np.ndarray, data: bytes | None = None, shape: list[int] | None = None) -> dict[bytes, Any]:
    return {
        b"__ndarray__": True,
        b"data": array.tobytes() if data is None else data,
        b"dtype": array.dtype.str,
        b"shape": list(array.shape) if shape is None else shape,
    }


class OpenpiServer:
    """openpi's wire: metadata first, then an answer for each observation. Only the first episode of a prompt is bad."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._server = serve(self._handle, "127.0.0.1", 0, compression=None, max_size=None)
        self.port = self._server.socket.getsockname()[1]
        self.url = f"openpi://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _handle(self, socket: ServerConnection) -> None:
        socket.send(msgpack.packb({}))
        for data in socket:
            prompt = msgpack.unpackb(data, raw=False, strict_map_key=False)["prompt"]
            self._asked[prompt] = self._asked.get(prompt, 0) + 1
            if prompt != "none" and self._asked[prompt] == 3:
                self._bad(socket, prompt)
            else:
                socket.send(msgpack.packb({"actions": _openpi_array(GOOD)}))

    def _bad(self, socket: ServerConnection, fault: str) -> None:
        good = msgpack.packb({"actions": _openpi_array(GOOD)})
        answers: dict[str, bytes | str] = {
            "shape": msgpack.packb({"actions": _openpi_array(np.zeros((1, 6)))}),
            "nan": msgpack.packb({"actions": _openpi_array(NAN)}),
            "huge": msgpack.packb({"actions": _openpi_array(GOOD, shape=[1 << 30, 7])}),
            "truncated": good[:-4],
            "short": msgpack.packb({"actions": _openpi_array(GOOD, data=bytes(9))}),
            "garbage": bytes(range(200, 256)),
            "text": "Traceback (most recent call last):\n  ...\nRuntimeError: CUDA out of memory",
            "no actions": msgpack.packb({"result": 3}),
            "oversized": bytes(300 << 20),
        }
        if fault == "close":
            socket.close(1011, "model crashed")
        elif fault != "late":
            socket.send(answers[fault])

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()


@contextlib.contextmanager
def serving(server: ProctorServer | OpenpiServer) -> Iterator[str]:
    try:
        yield server.url
    finally:
        server.close()
