"""A policy on a vla-eval model server (protocol version 1): WebSocket, a handshake, then observations and actions.

The server declares what its actions mean (action_spec) and what it wants to see (observation_params). Where vla-eval
only warns about conventions that do not fit, the run is refused here, with both sides named.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from proctor import __version__
from proctor.core import EpisodeSpec, Observation, PolicySpec, SpecMismatchError
from proctor.policies.wire import (
    OURS,
    Convention,
    WireError,
    names,
    require_gripper,
    required,
    spec_to_map,
    vla_eval,
)

from ._foreign import ForeignPolicy
from ._settings import LIBERO, served_spec, settle
from ._url import PolicyUrl
from ._websocket import WebSocketLink, last_line
from ._worlds import Worlds

# Formats of vla-eval's action_spec that fit delta_eef_axis_angle_gripper; "raw" says nothing.
_FITS = {"position": ("delta_xyz",), "rotation": ("axis_angle",)}
_GRIPPER_FORMATS = {
    "binary_close_positive": "close_positive",
    "binary_close_negative": "open_positive",
    "binary_close_01": "close_01",
    "raw": "close_positive",
}


class VlaEvalPolicy(ForeignPolicy[WebSocketLink]):
    """Sends ``images`` by the names ``image_keys``, ``states`` and ``task_description``; reads ``actions``.

    A vla-eval server keeps the rest of its chunk itself and returns one action at a time, hence ``chunk=1``.
    ``gripper`` is taken from the server's action_spec unless given.
    """

    def __init__(
        self,
        url: PolicyUrl | str,
        *,
        token: str = "",
        timeout: float = 50.0,
        cameras: str | list[str] | None = None,
        image_keys: str | list[str] | None = None,
        state_key: str = "states",
        image_size: int | None = None,
        render_size: int | None = None,
        trained_on: str = "libero",
        examined_in: str = "proctor",
        motion_scale: float | list[float] | None = None,
        orient: str | None = None,
        gripper: str | None = None,
        chunk: int | None = None,
        action_dim: int | None = None,
        control_mode: str | None = None,
        control_hz: float | None = None,
    ) -> None:
        self._given = {
            "cameras": cameras,
            "image_size": render_size,
            "chunk": chunk,
            "action_dim": action_dim,
            "control_mode": control_mode,
            "control_hz": control_hz,
        }
        self._image_keys = names(image_keys, "image_keys") if image_keys is not None else None
        self._state_key, self._image_size = state_key, image_size
        self._worlds = Worlds(trained_on, examined_in, motion_scale, orient)
        self._gripper = require_gripper(gripper) if gripper is not None else None
        self._ours = False
        self._seq = 0
        self._began = 0.0
        super().__init__(url, token, timeout)

    def _link(self, name: str, address: str) -> WebSocketLink:
        headers = {"Authorization": f"Api-Key {self.token}"} if self.token else {}
        return WebSocketLink(name, address, self.timeout_s, headers)

    def _send(self, link: WebSocketLink, kind: vla_eval.Kind, payload: dict[str, Any]) -> int:
        self._seq += 1
        link.send(vla_eval.encode(vla_eval.Message(kind, payload, self._seq)))
        return self._seq

    def _receive(self, link: WebSocketLink, kind: vla_eval.Kind) -> vla_eval.Message:
        message = vla_eval.decode(link.receive_bytes(kind))
        if message.kind == "error":
            raise WireError(
                f"{link.name} answered with an error: {last_line(str(message.payload.get('error', message.payload)))}"
            )
        if message.kind != kind:
            raise WireError(f"{link.name} sent {message.kind!r} where {kind!r} was due")
        return message

    def _greet(self, link: WebSocketLink) -> PolicySpec:
        link.open()
        self._began = 0.0
        versions = {"harness_version": vla_eval.HARNESS_VERSION, "protocol_version": vla_eval.PROTOCOL_VERSION}
        self._send(link, "hello", {**versions, "benchmark": f"proctor {__version__}"})
        hello = self._receive(link, "hello").payload
        if hello.get("protocol_version") != vla_eval.PROTOCOL_VERSION:
            raise WireError(
                f"{link.name} (vla-eval {hello.get('harness_version')}) speaks protocol version "
                f"{hello.get('protocol_version')!r}, this side {vla_eval.PROTOCOL_VERSION}"
            )
        served = served_spec(hello, link.name)
        self._ours = served is not None
        self._worlds.meet(self._ours)
        wants = hello.get("observation_params")
        wrist = isinstance(wants, dict) and bool(wants.get("send_wrist_image"))
        base = served or replace(LIBERO, cameras=LIBERO.cameras if wrist else LIBERO.cameras[:1])
        spec = settle(self.url.scheme, replace(base, chunk=1), self._given, hello, ours=self._ours)
        gripper = self._conventions(link.name, hello.get("action_spec"))
        size = self._image_size or spec.image_size
        keys = self._image_keys or spec.cameras
        self._convention = Convention(keys, self._state_key, "task_description", size, self._worlds.orient, gripper)
        return spec

    def _conventions(self, server: str, declared: Any) -> str:
        """Compare the declared meaning of an action with ours; return the gripper's convention."""
        formats = (
            {name: part.get("format") for name, part in declared.items() if isinstance(part, dict)}
            if isinstance(declared, dict)
            else {}
        )
        for name, fitting in _FITS.items():
            if formats.get(name, "raw") not in (*fitting, "raw"):
                raise SpecMismatchError(
                    f"{server} declares {name} as {formats[name]!r}, the environment takes {' or '.join(fitting)}"
                )
        declared_gripper = formats.get("gripper", "raw")
        if self._gripper is not None:
            return self._gripper
        if declared_gripper not in _GRIPPER_FORMATS:
            raise SpecMismatchError(
                f"{server} declares its gripper as {declared_gripper!r}, the environment closes at +1 and opens at -1: "
                f"say which end closes with --policy-arg gripper=close_01 or gripper=open_01"
            )
        return _GRIPPER_FORMATS[str(declared_gripper)]

    def _begin(self, link: WebSocketLink, instruction: str, episode: EpisodeSpec) -> None:
        if self._began:
            # Whether the last episode succeeded is not the policy's to know, so it is not said.
            elapsed = round(time.monotonic() - self._began, 3)
            self._send(link, "episode_end", {"metrics": {}, "elapsed_sec": elapsed})
        task = {"name": instruction, "suite": episode.suite, "episode_idx": episode.episode}
        self._send(link, "episode_start", {"task": task, **({OURS: spec_to_map(episode)} if self._ours else {})})
        self._began = time.monotonic()

    def _compose(self, observation: Observation) -> dict[str, Any]:
        spec, convention = self.spec(), self._convention
        keys = convention.keys(spec.cameras)
        sent: dict[str, Any] = {
            "images": {keys[c]: convention.outgoing(observation.images[c]) for c in spec.cameras},
            convention.prompt_key: observation.instruction,
        }
        if convention.state_key:
            sent[convention.state_key] = self._worlds.state(observation)
        return sent

    def _exchange(self, link: WebSocketLink, request: dict[str, Any]) -> Any:
        seq = self._send(link, "observation", request)
        answer = self._receive(link, "action")
        if answer.seq != seq:
            raise WireError(f"{link.name} answered observation {answer.seq} where {seq} was asked")
        return required(answer.payload, "actions")
