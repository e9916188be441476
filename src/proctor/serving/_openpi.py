"""openpi's wire in front of an engine. Many clients at once: each has a task, the engine batches what they ask."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

from proctor.core import PolicySpec
from proctor.policies.wire import (
    EPISODE_KEY,
    OURS,
    STEP_KEY,
    CodecError,
    Convention,
    as_state,
    as_text,
    gripper_out,
    openpi,
    required,
    spec_to_map,
)

from ._engine import Engine
from ._replica import Answer
from ._seat import Seat, loaded_spec, told_episode, told_step
from ._websocket import health, refuse, run_websocket

LIBERO = Convention(("observation/image", "observation/wrist_image"), "observation/state", "prompt")


@dataclass(slots=True)
class OpenpiGuest:
    """One connection: its seat, how long its last answer took, and RoboArena's name for its episode."""

    seat: Seat
    last_s: float | None = None
    session_id: Any = None
    began: float = field(default_factory=time.perf_counter)


class OpenpiFront:
    """Greets with what it serves, answers observations with ``{"actions": [H, D], "server_timing": {...}}``.

    An error is a text frame, then the connection is closed with code 1011.
    """

    wire = "openpi"

    def __init__(self, engine: Engine, convention: Convention) -> None:
        self._engine, self._convention = engine, convention

    def page(self, connection: ServerConnection, path: str, query: dict[str, list[str]]) -> Response | None:
        return health(connection, self._engine, "OK\n") if path == "/healthz" else None

    async def handle(self, connection: ServerConnection) -> None:
        """Serve one client until it leaves or errs."""
        guest = OpenpiGuest(Seat(self._engine, self.wire))
        try:
            await connection.send(openpi.encode(self.greeting(await loaded_spec(self._engine))))
            async for data in connection:
                guest.began = time.perf_counter()
                if isinstance(data, str):
                    raise CodecError("a text frame came where a binary one with msgpack was due")
                request = openpi.decode(data)
                if not isinstance(request, dict):
                    raise CodecError(f"an observation is a map, not {type(request).__name__}")
                await connection.send(await self.answer(guest, request))
                guest.last_s = time.perf_counter() - guest.began
        except ConnectionClosed:
            return
        except Exception as error:
            self._engine.metrics.error("frame" if isinstance(error, CodecError) else "refused")
            await refuse(connection, error)
        finally:
            guest.seat.close()

    def greeting(self, spec: PolicySpec) -> dict[str, Any]:
        """Return the metadata that the server sends first."""
        return {OURS: spec_to_map(spec)}

    async def answer(self, guest: OpenpiGuest, request: dict[Any, Any]) -> bytes | str:
        if EPISODE_KEY in request:
            prompt = as_text(required(request, self._convention.prompt_key), self._convention.prompt_key)
            await guest.seat.begin(prompt, told_episode(request[EPISODE_KEY]))
        answer = await self._actions(guest, request, told_step(request.get(STEP_KEY)))
        timing = {"infer_ms": answer.compute_s * 1e3, "queue_ms": answer.queue_s * 1e3, "batch": answer.batch}
        if guest.last_s is not None:
            timing["prev_total_ms"] = guest.last_s * 1e3
        return openpi.encode(
            {"actions": gripper_out(answer.actions, self._convention.gripper), "server_timing": timing}
        )

    async def _actions(self, guest: OpenpiGuest, request: dict[Any, Any], step: int | None = None) -> Answer:
        spec, convention = self._engine.spec, self._convention
        keys = self.image_keys(spec)
        images = {c: convention.incoming(required(request, keys[c]), keys[c], spec.image_size) for c in spec.cameras}
        prompt = as_text(required(request, convention.prompt_key), convention.prompt_key)
        return await guest.seat.act(images, self.state(request, spec), prompt, step)

    def image_keys(self, spec: PolicySpec) -> dict[str, str]:
        return self._convention.keys(spec.cameras, "observation/")

    def state(self, request: dict[Any, Any], spec: PolicySpec) -> NDArray[np.float64]:
        key = self._convention.state_key
        return as_state(required(request, key), spec.state_dim, key)


serve_forever = partial(run_websocket, OpenpiFront, LIBERO)
