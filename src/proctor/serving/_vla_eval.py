"""vla-eval's wire (protocol version 1) in front of an engine.

vla-eval asks at every control step and expects one action, so the rest of a chunk waits here and the policy is asked
only when it is used up. Errors are messages; the connection stays open, as with its own servers.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from functools import partial
from http import HTTPStatus
from typing import Any

import numpy as np
from numpy.typing import NDArray
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

from proctor.core import PolicySpec
from proctor.policies.wire import (
    OURS,
    CodecError,
    Convention,
    as_state,
    as_text,
    gripper_out,
    required,
    spec_to_map,
    vla_eval,
)

from ._engine import Engine
from ._replica import EngineError
from ._seat import Seat, loaded_spec, told_episode
from ._websocket import fault_line, health, json_page, refuse, run_websocket

LIBERO = Convention((), "states", "task_description")
_OUR_MODE = "delta_eef_axis_angle_gripper"
# What our actions and states are in vla-eval's words (its DimSpec).
_ACTION_SPEC: dict[str, dict[str, Any]] = {
    "position": {"name": "position", "dims": 3, "format": "delta_xyz", "range": [-1, 1]},
    "rotation": {"name": "rotation", "dims": 3, "format": "axis_angle", "range": [-3.15, 3.15]},
    "gripper": {"name": "gripper", "dims": 1, "format": "binary_close_positive", "range": [-1, 1]},
}
_IMAGE = {"name": "image", "dims": 0, "format": "rgb_hwc_uint8"}
_STATE = {"name": "state", "dims": 8, "format": "eef_pos3_axisangle3_gripper2"}
_LANGUAGE = {"name": "language", "dims": 0, "format": "language"}


class VlaEvalGuest:
    """One connection: its seat, the actions not yet handed out, and whether the handshake is done."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.greeted = False
        self.actions: deque[NDArray[np.float64]] = deque()
        self.step = 0

    def forget(self) -> None:
        """Drop what belongs to the episode before."""
        self.actions.clear()
        self.step = 0
        self.seat.new_episode()


class VlaEvalFront:
    """Answers hello, episode_start, observation and episode_end."""

    def __init__(self, engine: Engine, convention: Convention) -> None:
        self._engine, self._convention = engine, convention

    def page(self, connection: ServerConnection, path: str, query: dict[str, list[str]]) -> Response | None:
        """Answer GET /health and /config. Batching has no knob, so a change is refused."""
        if path == "/health":
            return health(connection, self._engine, '{"status": "ok"}\n')
        if path != "/config":
            return None
        if query:
            errors = [f"{key} cannot be set: batching adapts itself" for key in query]
            return json_page(connection, HTTPStatus.UNPROCESSABLE_ENTITY, json.dumps({"errors": errors}) + "\n")
        return json_page(connection, HTTPStatus.OK, json.dumps({"applied": {}, "config": {}}) + "\n")

    async def handle(self, connection: ServerConnection) -> None:
        """Serve one client until it leaves. Bytes that are no message end the connection."""
        guest = VlaEvalGuest(Seat(self._engine, "vla-eval"))
        try:
            async for data in connection:
                if isinstance(data, str):
                    raise CodecError("a text frame came where a binary one with msgpack was due")
                # A PNG takes milliseconds to decode, during which other clients must not wait.
                message = await asyncio.to_thread(vla_eval.decode, data)
                answer = await self._answer(guest, message)
                if answer is not None:
                    await connection.send(vla_eval.encode(answer))
        except ConnectionClosed:
            return
        except Exception as error:
            self._engine.metrics.error("frame")
            await refuse(connection, error)
        finally:
            guest.seat.close()

    async def _answer(self, guest: VlaEvalGuest, message: vla_eval.Message) -> vla_eval.Message | None:
        try:
            if message.kind == "hello":
                return vla_eval.Message("hello", await self._hello(guest, message.payload), message.seq)
            if not guest.greeted:
                raise CodecError(f"{message.kind!r} came before 'hello'")
            if message.kind == "episode_start":
                await self._start(guest, message.payload)
            elif message.kind == "observation":
                return vla_eval.Message("action", {"actions": await self._act(guest, message.payload)}, message.seq)
            elif message.kind == "episode_end":
                guest.forget()
        except (CodecError, EngineError, ValueError) as error:
            self._engine.metrics.error("refused")
            return vla_eval.Message("error", {"error": fault_line(error)}, message.seq)
        return None

    async def _hello(self, guest: VlaEvalGuest, payload: dict[str, Any]) -> dict[str, Any]:
        if payload.get("protocol_version") != vla_eval.PROTOCOL_VERSION:
            raise CodecError(
                f"the client speaks protocol version {str(payload.get('protocol_version'))[:20]}, this server "
                f"{vla_eval.PROTOCOL_VERSION}"
            )
        guest.greeted = True
        spec = await loaded_spec(self._engine)
        return {
            "harness_version": vla_eval.HARNESS_VERSION,
            "protocol_version": vla_eval.PROTOCOL_VERSION,
            "model_server": spec.name,
            "capabilities": {},
            "observation_params": {"send_wrist_image": "wrist" in spec.cameras, "send_state": True},
            "observation_spec": {**dict.fromkeys(spec.cameras, _IMAGE), "state": _STATE, "language": _LANGUAGE},
            OURS: spec_to_map(spec),
            **({"action_spec": _ACTION_SPEC} if spec.control_mode == _OUR_MODE else {}),
        }

    async def _start(self, guest: VlaEvalGuest, payload: dict[str, Any]) -> None:
        guest.forget()
        if OURS in payload:
            episode = told_episode(payload[OURS])
            await guest.seat.begin(episode.instruction_sent, episode)

    async def _act(self, guest: VlaEvalGuest, payload: dict[str, Any]) -> NDArray[np.float32]:
        if not guest.actions:
            spec = self._engine.spec
            prompt = as_text(required(payload, self._convention.prompt_key), self._convention.prompt_key)
            answer = await guest.seat.act(self._images(payload, spec), self._state(payload, spec), prompt, guest.step)
            guest.actions.extend(gripper_out(answer.actions, self._convention.gripper))
        guest.step += 1
        return guest.actions.popleft().astype(np.float32)

    def _images(self, payload: dict[str, Any], spec: PolicySpec) -> dict[str, NDArray[np.uint8]]:
        if not spec.cameras:
            return {}
        sent = required(payload, "images")
        if not isinstance(sent, dict):
            raise CodecError(f"'images' is {type(sent).__name__}, expected a map of pictures")
        keys = self._convention.keys(spec.cameras)
        return {c: self._convention.incoming(required(sent, keys[c]), keys[c], spec.image_size) for c in spec.cameras}

    def _state(self, payload: dict[str, Any], spec: PolicySpec) -> NDArray[np.float64]:
        key = self._convention.state_key if self._convention.state_key in payload else "state"
        return as_state(required(payload, key), spec.state_dim, key)


serve_forever = partial(run_websocket, VlaEvalFront, LIBERO)
