"""A policy on a RoboArena server: openpi's codec, every request names its endpoint, and there is a reset.

The server says in its greeting what it wants to see (its PolicyServerConfig). Keys and scales are DROID's: cartesian
position [6] in metres and radians, gripper 0 open to 1 closed. Joint positions are not in our observations; a server
that needs them says so itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import (
    OPEN_M,
    Convention,
    WireError,
    names,
    openpi,
    require_gripper,
    require_orientation,
)

from ._foreign import ForeignPolicy
from ._settings import LIBERO, settle
from ._url import PolicyUrl
from ._websocket import WebSocketLink
from ._worlds import Worlds

_EXTERNAL = ("agentview", "side")


class RoboArenaPolicy(ForeignPolicy[WebSocketLink]):
    """Sends what the server's greeting asks for; ``cameras`` are the external ones first, then the wrist's."""

    def __init__(
        self,
        url: PolicyUrl | str,
        *,
        token: str = "",
        timeout: float = 50.0,
        cameras: str | list[str] | None = None,
        orient: str = "upright",
        gripper: str = "close_01",
        chunk: int = 8,
        render_size: int = 256,
        action_dim: int = 7,
        control_mode: str | None = None,
        control_hz: float = 20.0,
    ) -> None:
        self._given = {
            "image_size": render_size,
            "chunk": chunk,
            "action_dim": action_dim,
            "control_hz": control_hz,
        }
        self._cameras = names(cameras, "cameras") if cameras is not None else None
        self._control_mode = control_mode
        self._orient, self._gripper = require_orientation(orient), require_gripper(gripper)
        # Its servers are asked in our own coordinates.
        self._worlds = Worlds("proctor", "proctor", None, orient)
        self._session = ""
        super().__init__(url, token, timeout)

    def _link(self, name: str, address: str) -> WebSocketLink:
        headers = {"Authorization": f"Api-Key {self.token}"} if self.token else {}
        return WebSocketLink(name, address, self.timeout_s, headers)

    def _greet(self, link: WebSocketLink) -> PolicySpec:
        link.open()
        config = openpi.decode(link.receive_bytes("greeting"))
        if not isinstance(config, dict) or "n_external_cameras" not in config:
            raise WireError(f"{link.name} does not greet with a PolicyServerConfig: is it a RoboArena server?")
        if config.get("needs_stereo_camera"):
            raise WireError(f"{link.name} needs stereo pictures, which there are none of")
        external, wrist = config["n_external_cameras"], bool(config.get("needs_wrist_camera"))
        if external not in range(len(_EXTERNAL) + 1):
            raise WireError(f"{link.name} asks for {external!r} external cameras: 0 to {len(_EXTERNAL)} are possible")
        cameras = self._cameras or (*_EXTERNAL[:external], *(("wrist",) if wrist else ()))
        if len(cameras) != external + wrist:
            raise WireError(f"{link.name} asks for {external + wrist} cameras, cameras= names {len(cameras)}")
        keys = [f"observation/exterior_image_{n}_left" for n in range(external)]
        self._convention = Convention(
            tuple([*keys, "observation/wrist_image_left"][: len(cameras)] if wrist else keys),
            "",
            "prompt",
            _resolution(config.get("image_resolution"), link.name) or int(self._given["image_size"]),
            self._orient,
            self._gripper,
        )
        mode = self._control_mode or str(config.get("action_space", ""))
        base = replace(LIBERO, cameras=cameras, control_mode=mode)
        return settle(self.url.scheme, base, self._given, config, ours=False)

    def _begin(self, link: WebSocketLink, instruction: str, episode: EpisodeSpec) -> None:
        self._session = episode.episode_id
        link.send(openpi.encode({"endpoint": "reset"}))
        answer = link.receive("answer to reset")
        if isinstance(answer, str) and answer != "reset successful":
            raise WireError(f"{link.name} answered the reset with {answer[:80]!r}")

    def _compose(self, observation: Observation) -> dict[str, Any]:
        spec, convention = self.spec(), self._convention
        keys = convention.keys(spec.cameras, "observation/")
        request: dict[str, Any] = {keys[c]: convention.outgoing(observation.images[c]) for c in spec.cameras}
        opening = float(observation.state[6] - observation.state[7])
        return request | {
            "endpoint": "infer",
            "session_id": self._session,
            "prompt": observation.instruction,
            "observation/cartesian_position": observation.state[:6].astype(np.float32),
            "observation/gripper_position": np.array([1.0 - opening / OPEN_M], dtype=np.float32),
        }

    def _exchange(self, link: WebSocketLink, request: dict[str, Any]) -> Any:
        link.send(openpi.encode(request))
        answer = openpi.decode(link.receive_bytes("actions"))
        return answer.get("actions") if isinstance(answer, dict) else answer


def _resolution(value: Any, server: str) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(type(n) is int and 16 <= n <= 1024 for n in value):
        raise WireError(f"{server} asks for image_resolution={value!r}: height and width from 16 to 1024 are possible")
    return value[0], value[1]
