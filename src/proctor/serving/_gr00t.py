"""GR00T's wire in front of an engine: ZeroMQ, ``{endpoint, data, api_token}`` in, the endpoint's value or an error out.

GR00T's own server answers one request after the other; here each is a task, and a client that sends a batch of B
observations has B seats. ZeroMQ does not say that a client has left, so seats that were silent for an hour are given
up.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import zmq
import zmq.asyncio
from numpy.typing import NDArray

from proctor.core import PolicySpec, ProctorError
from proctor.policies.wire import (
    MAX_FOREIGN_BYTES,
    OURS,
    STATE_PARTS,
    CodecError,
    Convention,
    WireError,
    as_state,
    as_text,
    gr00t,
    gripper_out,
    required,
    same_token,
    spec_to_map,
    state_parts,
    tcp_endpoint,
)

from ._engine import Engine
from ._seat import Seat, loaded_spec, told_episode, told_step

LIBERO = Convention(
    ("image", "wrist_image"), "", "annotation.human.action.task_description", orient="mirror", gripper="open_01"
)
ACTION_KEYS = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")
_MAX_BATCH = 256
_FORGET_S = 3600.0
_STOP_CHECK_MS = 100
_DRAIN_S = 30.0


def serve_forever(
    engine: Engine,
    host: str,
    port: int,
    token: str,
    stop: threading.Event,
    on_ready: Callable[[int], None],
    *,
    convention: Convention = LIBERO,
) -> None:
    """Answer GR00T's clients until ``stop``; ``on_ready`` hears the port."""
    asyncio.run(Gr00tFront(engine, convention, token, stop).serve(host, port, on_ready))


@dataclass(slots=True)
class Gr00tGuest:
    """One client's socket: a seat for each row of its batches, and when it was last heard of."""

    seats: list[Seat] = field(default_factory=list)
    seen: float = field(default_factory=time.monotonic)

    def close(self) -> None:
        for seat in self.seats:
            seat.close()


class Gr00tFront:
    """A ROUTER socket, to which the clients' REQ sockets look like GR00T's REP."""

    def __init__(self, engine: Engine, convention: Convention, token: str, stop: threading.Event) -> None:
        self._engine, self._convention, self._token, self._stop = engine, convention, token, stop
        self._parts = state_parts(STATE_PARTS)
        self._guests: dict[bytes, Gr00tGuest] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, host: str, port: int, on_ready: Callable[[int], None]) -> None:
        """Bind, then answer until stopped."""
        context = zmq.asyncio.Context()
        socket = context.socket(zmq.ROUTER)
        try:
            socket.setsockopt(zmq.LINGER, 1000)
            socket.setsockopt(zmq.MAXMSGSIZE, MAX_FOREIGN_BYTES)
            socket.setsockopt(zmq.IPV6, 1 if ":" in host else 0)
            on_ready(_bind(socket, host, port))
            await self._loop(socket)
        finally:
            socket.close()
            context.term()

    async def _loop(self, socket: zmq.asyncio.Socket) -> None:
        swept = time.monotonic()
        while not self._stop.is_set():
            if await socket.poll(_STOP_CHECK_MS):
                frames = await socket.recv_multipart()
                # Strong references: the event loop itself keeps only weak ones.
                task = asyncio.create_task(self._reply(socket, frames))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            if time.monotonic() - swept > _FORGET_S / 60:
                swept = time.monotonic()
                self._sweep(swept)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_DRAIN_S)

    async def _reply(self, socket: zmq.asyncio.Socket, frames: list[bytes]) -> None:
        """Answer one message. What does not look like a REQ socket's message has no one to answer to."""
        if len(frames) != 3 or frames[1]:
            self._engine.metrics.error("frame")
            return
        try:
            answer = gr00t.encode(await self._answer(frames[0], frames[2]))
        except Exception as error:
            self._engine.metrics.error("frame" if isinstance(error, CodecError) else "refused")
            ours = isinstance(error, ProctorError | ValueError)
            text = " ".join(str(error).split())
            answer = gr00t.encode({"error": text if ours else f"{type(error).__name__}: {text}"})
        await socket.send_multipart([frames[0], b"", answer])

    async def _answer(self, peer: bytes, data: bytes) -> Any:
        request = gr00t.decode(data)
        if not isinstance(request, dict):
            raise CodecError(f"a request is a map, not {type(request).__name__}")
        if not same_token(request.get("api_token"), self._token):
            raise CodecError("Unauthorized: api_token is missing or wrong")
        endpoint, values = required(request, "endpoint"), request.get("data")
        values = values if isinstance(values, dict) else {}
        guest = self._guests.setdefault(peer, Gr00tGuest())
        guest.seen = time.monotonic()
        if endpoint == "ping":
            spec = await loaded_spec(self._engine)
            return {"status": "ok", "message": "Server is running", OURS: spec_to_map(spec)}
        if endpoint == "get_modality_config":
            return self._modalities(await loaded_spec(self._engine))
        if endpoint == "reset":
            return await self._reset(guest, values)
        if endpoint == "get_action":
            return await self._get_action(guest, values)
        if endpoint == "kill":
            return self._kill()
        raise CodecError(f"endpoint {str(endpoint)[:40]!r} is unknown (ping, get_action, reset, get_modality_config)")

    def _kill(self) -> dict[str, str]:
        """Stop, but only where a token says who may."""
        if not self._token:
            raise CodecError("'kill' is refused: it needs a server with a token")
        self._stop.set()
        return {"status": "ok", "message": "Server is stopping"}

    def _modalities(self, spec: PolicySpec) -> dict[str, Any]:
        return {
            "video": gr00t.modality(list(self._convention.keys(spec.cameras).values()), [0]),
            "state": gr00t.modality(list(self._parts), [0]),
            "action": gr00t.modality(list(ACTION_KEYS), list(range(spec.chunk))),
            "language": gr00t.modality([self._convention.prompt_key], [0]),
        }

    async def _reset(self, guest: Gr00tGuest, values: dict[Any, Any]) -> dict[str, Any]:
        options = values.get("options")
        told = options.get(OURS) if isinstance(options, dict) else None
        for seat in guest.seats:
            seat.new_episode()
        if isinstance(told, dict):
            self._seats(guest, 1)
            instruction = as_text(required(told, "instruction"), "instruction")
            await guest.seats[0].begin(instruction, told_episode(told.get("episode")))
        return {}

    def _seats(self, guest: Gr00tGuest, count: int) -> list[Seat]:
        while len(guest.seats) < count:
            guest.seats.append(Seat(self._engine, "gr00t"))
        return guest.seats[:count]

    async def _get_action(self, guest: Gr00tGuest, values: dict[Any, Any]) -> list[Any]:
        observation = required(values, "observation")
        if not isinstance(observation, dict):
            raise CodecError(f"an observation is a map, not {type(observation).__name__}")
        spec = self._engine.spec
        if spec.action_dim != len(ACTION_KEYS):
            raise CodecError(
                f"policy {spec.name!r} has {spec.action_dim} numbers per action, this wire {len(ACTION_KEYS)}"
            )
        prompts = _prompts(required(observation, "language"))
        images, states = self._images(observation, spec, len(prompts)), self._states(observation, len(prompts))
        options = values.get("options")
        told = options.get(OURS) if isinstance(options, dict) else None
        step = told_step(told.get("step")) if isinstance(told, dict) else None
        seats = self._seats(guest, len(prompts))
        rows = zip(seats, images, states, prompts, strict=True)
        answers = await asyncio.gather(*(seat.act(i, s, prompt, step) for seat, i, s, prompt in rows))
        length = min(len(answer.actions) for answer in answers)
        actions = np.stack([gripper_out(a.actions[:length], self._convention.gripper) for a in answers])
        parts = {key: actions[..., n : n + 1].astype(np.float32) for n, key in enumerate(ACTION_KEYS)}
        return [parts, {}]

    def _images(self, observation: dict[Any, Any], spec: PolicySpec, batch: int) -> list[dict[str, NDArray[np.uint8]]]:
        keys = self._convention.keys(spec.cameras)
        video = required(observation, "video") if spec.cameras else {}
        rows: list[dict[str, NDArray[np.uint8]]] = [{} for _ in range(batch)]
        for camera in spec.cameras:
            frames = _batched(video, keys[camera], batch, 5)
            for row, frame in zip(rows, frames[:, -1], strict=True):
                row[camera] = self._convention.incoming(frame, keys[camera], spec.image_size)
        return rows

    def _states(self, observation: dict[Any, Any], batch: int) -> NDArray[np.float64]:
        given = required(observation, "state")
        states = np.zeros((batch, max(part.stop for part in self._parts.values())))
        for key, part in self._parts.items():
            values = _batched(given, key, batch, 3)[:, -1]
            for row, value in zip(states, values, strict=True):
                row[part] = as_state(value, part.stop - part.start, f"state {key!r}")
        return states

    def _sweep(self, now: float) -> None:
        for peer in [peer for peer, guest in self._guests.items() if now - guest.seen > _FORGET_S]:
            self._guests.pop(peer).close()


def _bind(socket: zmq.asyncio.Socket, host: str, port: int) -> int:
    try:
        if port:
            socket.bind(tcp_endpoint(host, port))
            return port
        return int(socket.bind_to_random_port(tcp_endpoint(host, port).rpartition(":")[0]))
    except zmq.ZMQError as error:
        reason = "is in use" if error.errno == zmq.EADDRINUSE else f"cannot be used ({error.strerror})"
        raise WireError(f"{host}:{port} {reason}; choose another --port (0 takes a free one)") from None


def _prompts(language: Any) -> list[str]:
    """Return the prompts of a batch: under whatever one key, a list of lists of one text (or of texts)."""
    if not isinstance(language, dict) or len(language) != 1:
        raise CodecError("'language' is not a map with one key")
    ((key, rows),) = language.items()
    if not isinstance(rows, list) or not 1 <= len(rows) <= _MAX_BATCH:
        raise CodecError(f"language {str(key)[:40]!r} is not a list of 1 to {_MAX_BATCH} prompts")
    return [as_text(row[-1] if isinstance(row, list) and row else row, f"language {str(key)[:40]!r}") for row in rows]


def _batched(values: Any, key: str, batch: int, dimensions: int) -> NDArray[Any]:
    """Return ``values[key]`` as an array [B, T, ...] with at least one time step."""
    array = required(values, key) if isinstance(values, dict) else None
    if not isinstance(array, np.ndarray) or array.ndim != dimensions or len(array) != batch or not array.shape[1]:
        found = f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        raise CodecError(f"{key!r} is {found}, expected an array with B = {batch} and {dimensions} dimensions")
    return array
