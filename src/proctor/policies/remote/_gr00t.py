"""A policy on a GR00T N1.6 or N1.7 server: ZeroMQ REQ/REP, one msgpack map each way.

Requests are ``{endpoint, data, api_token}``; answers are the endpoint's value or ``{error: text}``. The server's
modality configuration says how pictures, state and actions are called; the state is cut into those parts by ``state``,
whose default is LIBERO's (x y z, the axis-angle under the names roll pitch yaw, the two fingers).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import (
    OURS,
    STATE_PARTS,
    Convention,
    WireError,
    gr00t,
    require_gripper,
    required,
    spec_to_map,
    state_parts,
)

from ._foreign import ForeignPolicy
from ._request import RequestLink
from ._settings import LIBERO, served_spec, settle
from ._url import PolicyUrl
from ._worlds import Worlds


class Gr00tPolicy(ForeignPolicy[RequestLink]):
    """Asks ``get_action`` with one observation (B = T = 1); the first ``chunk`` actions of the answer are executed.

    ``state`` is ``name:index`` or ``name:first-last`` of our 8 numbers, for each of the server's state keys.
    """

    def __init__(
        self,
        url: PolicyUrl | str,
        *,
        token: str = "",
        timeout: float = 50.0,
        cameras: str | list[str] | None = None,
        state: str = STATE_PARTS,
        image_size: int | None = None,
        render_size: int | None = None,
        trained_on: str = "libero",
        examined_in: str = "proctor",
        motion_scale: float | list[float] | None = None,
        orient: str | None = None,
        gripper: str = "open_01",
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
        self._parts = state_parts(state)
        self._image_size = image_size
        self._worlds, self._gripper = Worlds(trained_on, examined_in, motion_scale, orient), require_gripper(gripper)
        self._ours = False
        super().__init__(url, token, timeout)

    def _link(self, name: str, address: str) -> RequestLink:
        return RequestLink(name, address, self.timeout_s)

    def _call(self, link: RequestLink, endpoint: str, data: dict[str, Any] | None = None) -> Any:
        request: dict[str, Any] = {"endpoint": endpoint}
        if data is not None:
            request["data"] = data
        if self.token:
            request["api_token"] = self.token
        answer = gr00t.decode(link.request(gr00t.encode(request), endpoint))
        if isinstance(answer, dict) and "error" in answer:
            raise WireError(
                f"{link.name} answered {endpoint!r} with an error: {' '.join(str(answer['error']).split())}"
            )
        return answer

    def _greet(self, link: RequestLink) -> PolicySpec:
        link.open()
        pong = self._call(link, "ping")
        served = served_spec(pong, link.name) if isinstance(pong, dict) else None
        self._ours = served is not None
        self._worlds.meet(self._ours)
        config = self._call(link, "get_modality_config")
        video, state, action, language = (
            _keys(config, part, link.name) for part in ("video", "state", "action", "language")
        )
        unknown = [key for key in state if key not in self._parts]
        if unknown:
            raise WireError(
                f"{link.name} asks for state {unknown[0]!r}: say what it is with --policy-arg state={STATE_PARTS}"
            )
        self._state_keys, self._action_keys, self._language_key = state, action, (language or ["task"])[0]
        base = served or replace(LIBERO, cameras=LIBERO.cameras[: len(video)], chunk=8)
        spec = settle(self.url.scheme, base, self._given, config, ours=self._ours)
        if len(spec.cameras) != len(video):
            raise WireError(
                f"{link.name} asks for {len(video)} pictures ({', '.join(video)}), cameras= names {len(spec.cameras)}"
            )
        size = self._image_size or spec.image_size
        self._convention = Convention(tuple(video), "", self._language_key, size, self._worlds.orient, self._gripper)
        return spec

    def _begin(self, link: RequestLink, instruction: str, episode: EpisodeSpec) -> None:
        ours = {OURS: {"instruction": instruction, "episode": spec_to_map(episode)}}
        self._call(link, "reset", {"options": ours if self._ours else None})

    def _compose(self, observation: Observation) -> dict[str, Any]:
        spec, convention = self.spec(), self._convention
        keys, state = convention.keys(spec.cameras), self._worlds.state(observation)
        sent = {
            "video": {keys[c]: convention.outgoing(observation.images[c])[None, None] for c in spec.cameras},
            "state": {k: state[self._parts[k]].astype(np.float32)[None, None] for k in self._state_keys},
            "language": {self._language_key: [[observation.instruction]]},
        }
        options = {OURS: {"step": observation.step}} if self._ours else None
        return {"observation": sent, "options": options}

    def _exchange(self, link: RequestLink, request: dict[str, Any]) -> NDArray[Any]:
        answer = self._call(link, "get_action", request)
        if not isinstance(answer, list) or not answer or not isinstance(answer[0], dict):
            raise WireError(f"{link.name} answered 'get_action' with {type(answer).__name__}, not [actions, info]")
        parts = [_part(required(answer[0], key), key, link.name) for key in self._action_keys]
        if len({len(part) for part in parts}) != 1:
            raise WireError(f"{link.name} sent parts of an action of different lengths: {[len(p) for p in parts]}")
        return np.concatenate(parts, axis=1)


def _keys(config: Any, part: str, server: str) -> list[str]:
    modality = config.get(part) if isinstance(config, dict) else None
    keys = modality.get("modality_keys") if isinstance(modality, dict) else None
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise WireError(f"{server} has no proper modality configuration of {part!r}")
    steps = modality.get("delta_indices") if isinstance(modality, dict) else None
    if part in ("video", "state") and isinstance(steps, list) and len(steps) > 1:
        raise WireError(f"{server} looks back over {len(steps)} time steps of {part!r}: only one is sent")
    return keys


def _part(value: Any, key: str, server: str) -> NDArray[Any]:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu" or value.ndim != 3 or len(value) != 1:
        found = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
        raise WireError(f"{server} sent action part {key!r} as {found}, expected real numbers [1, H, D]")
    part: NDArray[Any] = value[0]
    return part
