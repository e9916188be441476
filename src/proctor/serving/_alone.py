"""The server of the single-file template: one thread, Proctor's wire, adaptive batching, one policy class.

It needs the standard library, NumPy, msgpack and pyzmq, and Python 3.10. The thread of the socket also runs the model;
what arrives meanwhile waits in ZeroMQ. While the model is loaded another thread tells clients to wait.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import secrets
import signal
import sys
import threading
import time
from typing import Any

import numpy as np

from proctor.policies._batching import SILENCE_S, Batching
from proctor.policies.wire._frames import FrameError, Message, decode, encode, short_line
from proctor.policies.wire._router import BindError, Router
from proctor.policies.wire._shared import keep_freed_memory, open_block

STOP_CHECK_S = 0.1
DRAIN_S = 30.0
FORGET_S = 3600.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")
SPEC_DEFAULTS = {
    "cameras": (),
    "image_size": 256,
    "state_dim": 8,
    "action_dim": 7,
    "control_mode": "delta_eef_axis_angle_gripper",
    "control_hz": 20.0,
    "chunk": 1,
    "privileged": False,
}


class Seen:
    """An observation: ``images`` (camera to uint8 [H, W, 3]), ``state``, ``instruction``, ``step``."""

    def __init__(self, images: dict[str, Any], state: Any, instruction: str, step: int) -> None:
        self.images, self.state, self.instruction, self.step = images, state, instruction, step


class Client:
    """A session: its words, when it was heard of, and the request that waits, if any."""

    def __init__(self, peer: bytes) -> None:
        self.peer, self.block = peer, None
        self.instruction = ""
        self.begun = False
        self.heard = time.monotonic()
        self.request: tuple[bytes, int, Seen, float] | None = None


class StandAloneServer:
    """Serves ``policy``: ``spec()`` (a map), ``begin``, ``act_batch`` and ``end`` by session."""

    def __init__(self, router: Any, token: str, max_batch: int) -> None:
        self.router, self.token = router, token
        self.batching = Batching(max_batch)
        self.clients: dict[str, Client] = {}
        self.blocks: dict[bytes, Any] = {}
        self.policy: Any = None
        self.spec: dict[str, Any] = {}
        self.draining = False
        keep_freed_memory()

    def load(self, build: Any) -> None:
        """Build the policy in this thread; another one greets clients meanwhile."""
        loaded = threading.Event()
        greeter = threading.Thread(target=self.serve, args=(loaded,))
        greeter.start()
        try:
            policy = build()
            spec = {**SPEC_DEFAULTS, **dict(policy.spec())}
            spec.setdefault("fingerprint", spec["name"])
        finally:
            loaded.set()
            greeter.join()
        self.policy, self.spec = policy, spec

    def serve(self, stop: threading.Event) -> None:
        while not stop.is_set():
            waiting = [client for client in self.clients.values() if client.request is not None]
            pause_s = self.act_if_due(waiting) if waiting else STOP_CHECK_S
            self.router.wait(min(pause_s, STOP_CHECK_S))
            self.router.each(self.handle)

    def live(self) -> int:
        """Count the sessions in an episode that are not silent."""
        now = time.monotonic()
        return sum(c.begun and (c.request is not None or now - c.heard < SILENCE_S) for c in self.clients.values())

    def act_if_due(self, waiting: list[Client]) -> float:
        """Run the model for those who wait if the rule says so; return how long to wait otherwise."""
        waiting.sort(key=lambda client: client.request[3])  # type: ignore[index]
        now = time.monotonic()
        oldest: float = waiting[0].request[3]  # type: ignore[index]
        names = {id(client): name for name, client in self.clients.items()}
        asking = [names[id(client)] for client in waiting]
        pause_s = self.batching.wait_s(now, asking, oldest, self.live())
        if pause_s > 0.0:
            return pause_s
        batch, sessions = waiting[: self.batching.max_batch], asking[: self.batching.max_batch]
        requests = [client.request for client in batch if client.request is not None]
        try:
            answers = list(self.policy.act_batch(sessions, [request[2] for request in requests]))
            if len(answers) != len(batch):
                raise RuntimeError(f"act_batch() returned {len(answers)} answers for {len(batch)} sessions")
            arrays = [np.atleast_2d(np.asarray(answer, dtype=np.float32)) for answer in answers]
            problem = ""
        except Exception as error:
            arrays, problem = [], f"the policy failed in act_batch(): {one_line(error)}"
        ended = time.monotonic()
        self.batching.ran(now, ended, sessions)
        for number, (client, request) in enumerate(zip(batch, requests)):  # noqa: B905
            client.request, client.heard = None, ended
            if problem:
                self.fail(request[0], request[1], problem, "policy")
                continue
            timing = {"queue_s": now - request[3], "compute_s": ended - now, "batch": len(batch)}
            try:
                frames = encode("actions", request[1], timing, {"actions": arrays[number]})
            except FrameError as error:
                self.fail(request[0], request[1], f"the policy returned what cannot be sent: {error}", "policy")
                continue
            self.router.send(request[0], frames)
        return 0.0

    def handle(self, peer: bytes, frames: list[Any]) -> None:
        """Answer one message, or note it."""
        number = 0
        try:
            message = decode(frames, self.blocks.get(peer))
            number = message.id
            answers = {
                "hello": self.hello,
                "status": self.status,
                "reset": self.reset,
                "act": self.act,
                "bye": self.bye,
            }
            if message.type not in answers:
                raise FrameError(f"unknown message type {message.type[:40]!r}")
            answers[message.type](peer, message)
        except FrameError as error:
            self.fail(peer, number, str(error), "frame")
        except Exception as error:
            # One client hears of it; the others' episodes go on.
            self.fail(peer, number, f"the server failed: {one_line(error)}", "policy")

    def fail(self, peer: bytes, number: int, reason: str, code: str) -> None:
        """Say why not, in a line that fits into a header whatever it quotes."""
        type_ = "refuse" if code == "token" else "error"
        self.send(peer, type_, number, {"reason": short_line(reason), "code": code})

    def send(self, peer: bytes, type_: str, number: int, fields: Any = None) -> None:
        """Send a message without arrays."""
        self.router.send(peer, encode(type_, number, fields))

    def hello(self, peer: bytes, message: Message) -> None:
        """Open a session, unless the token is wrong or the environment does not fit."""
        if not self.admitted(peer, message):
            return
        if self.draining:
            self.fail(peer, message.id, "the server is stopping", "stopping")
            return
        if self.policy is None:
            self.send(peer, "loading", message.id)
            return
        self.forget_silent()
        session = secrets.token_hex(16)
        self.clients[session] = Client(peer)
        offer = message.fields.get("block")
        block = open_block(offer)
        if block is not None:
            self.blocks[peer] = block
        bell = block is not None and self.router.hang(peer, offer)
        fields = {"session": session, "spec": self.spec, "block": block is not None, "bell": bell}
        fields["server"] = "proctor template"
        self.send(peer, "welcome", message.id, fields)

    def admitted(self, peer: bytes, message: Message) -> bool:
        given = message.fields.get("token")
        if not self.token or (isinstance(given, str) and hmac.compare_digest(given.encode(), self.token.encode())):
            return True
        self.fail(peer, message.id, "the token is missing or wrong", "token")
        return False

    def forget_silent(self) -> None:
        """Forget sessions of clients that were silent for an hour: they died without a word."""
        now = time.monotonic()
        for session, client in list(self.clients.items()):
            if client.request is None and now - client.heard > FORGET_S:
                self.forget(session)

    def forget(self, session: str) -> None:
        self.blocks.pop(self.clients.pop(session).peer, None)
        self.policy.end(session)

    def status(self, peer: bytes, message: Message) -> None:
        """Say how busy the server is."""
        if not self.admitted(peer, message):
            return
        state = "draining" if self.draining else "loading" if self.policy is None else "ready"
        outstanding = sum(client.request is not None for client in self.clients.values())
        counts = {"sessions": len(self.clients), "episodes": self.live(), "outstanding": outstanding}
        self.send(peer, "status", message.id, {"status": state, **counts})

    def client(self, peer: bytes, message: Message) -> Client | None:
        """Return the session of a message; one that is not known is told so."""
        found = self.clients.get(str(message.fields.get("session")))
        if found is None:
            reason = "unknown session: the server was restarted, or the session was closed"
            self.fail(peer, message.id, reason, "session")
            return None
        found.heard = time.monotonic()
        return found

    def reset(self, peer: bytes, message: Message) -> None:
        client = self.client(peer, message)
        if client is None:
            return
        if self.draining:
            self.fail(peer, message.id, "the server is stopping", "stopping")
            return
        client.instruction, client.begun = str(message.fields.get("instruction")), True
        episode = message.fields.get("episode")
        try:
            self.policy.begin(
                message.fields["session"], client.instruction, episode if isinstance(episode, dict) else {}
            )
        except Exception as error:
            self.fail(peer, message.id, f"the policy failed in begin(): {one_line(error)}", "policy")
            return
        self.send(peer, "ok", message.id)

    def act(self, peer: bytes, message: Message) -> None:
        """Note an observation; it is answered when the batch it falls into has run."""
        client = self.client(peer, message)
        if client is None:
            return
        images = {name[6:]: array for name, array in message.arrays.items() if name.startswith("image/")}
        missing = [camera for camera in self.spec["cameras"] if camera not in images]
        state, step = message.arrays.get("state"), message.fields.get("step")
        if missing or state is None or not isinstance(step, int) or not client.begun or client.request is not None:
            raise FrameError(f"no observation for {self.spec['name']}: it needs {self.spec['cameras']}, state and step")
        text = message.fields.get("instruction", client.instruction)
        client.request = (peer, message.id, Seen(images, state, str(text), step), time.monotonic())

    def bye(self, peer: bytes, message: Message) -> None:
        if self.client(peer, message) is not None:
            self.forget(message.fields["session"])
            self.send(peer, "ok", message.id)


def one_line(error: BaseException) -> str:
    """Return type and message of an exception on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def stand_alone_main(policy_class: Any) -> None:
    """Parse the command line and serve until SIGTERM or Ctrl-C."""
    parser = argparse.ArgumentParser(description=f"Serve {policy_class.__name__} on Proctor's wire.")
    parser.add_argument("--host", default="127.0.0.1", help="others than loopback need --token")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    parser.add_argument("--token", default=os.environ.get("PROCTOR_TOKEN", ""), help="clients must give it")
    parser.add_argument("--max-batch", type=int, default=16)
    parser.add_argument("--arg", action="append", default=[], metavar="KEY=VALUE", help="for the policy's constructor")
    parser.add_argument("--ready-file", default="", help="write the URL here once the policy is loaded")
    options = parser.parse_args()
    if options.host not in LOOPBACK and not options.token:
        sys.exit(f"error: --host {options.host} can be reached by others: give --token, or use 127.0.0.1")
    host = {"localhost": "127.0.0.1"}.get(options.host, options.host)
    host = f"[{host}]" if ":" in host else host
    arguments = {}
    for pair in options.arg:
        key, equals, value = pair.partition("=")
        if not equals:
            sys.exit(f"error: --arg {pair!r}: write key=value")
        try:
            arguments[key] = json.loads(value)
        except ValueError:
            arguments[key] = value
    try:
        router = Router(f"tcp://{host}:{options.port}")
    except BindError as error:
        sys.exit(f"error: {error}")
    server = StandAloneServer(router, options.token, options.max_batch)
    stop = threading.Event()

    def drain(number: int, frame: Any) -> None:
        if server.draining:
            stop.set()
        server.draining = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, drain)
    try:
        server.load(lambda: policy_class(**arguments))
    except Exception as error:
        router.close()
        sys.exit(f"error: the policy could not be loaded: {one_line(error)}")
    url = f"proctor://{host}:{router.port}"
    print(f"{server.spec['name']} is served on {url}; examine it with: proctor run arena --policy {url}", flush=True)
    if options.ready_file:
        with open(options.ready_file, "w", encoding="utf-8") as file:
            file.write(url + "\n")
    watch = threading.Thread(target=end_when_drained, args=(server, stop), daemon=True)
    watch.start()
    server.serve(stop)
    router.close()


def end_when_drained(server: StandAloneServer, stop: threading.Event) -> None:
    """Set ``stop`` when the server drains and nothing is under way any more."""
    deadline = 0.0
    while not stop.wait(STOP_CHECK_S):
        if server.draining:
            deadline = deadline or time.monotonic() + DRAIN_S
            if not server.live() or time.monotonic() > deadline:
                stop.set()
