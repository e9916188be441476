"""A policy on an openpi server: WebSocket, the server speaks first, then one answer to each observation.

The defaults are those of openpi's LIBERO example. openpi has no word for the beginning of an episode; a server of ours
is told in the first observation.
"""

from __future__ import annotations

from typing import Any

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import (
    EPISODE_KEY,
    STEP_KEY,
    Convention,
    WireError,
    names,
    openpi,
    require_gripper,
    required,
    spec_to_map,
)

from ._foreign import ForeignPolicy
from ._settings import LIBERO, served_spec, settle
from ._url import PolicyUrl
from ._websocket import WebSocketLink
from ._worlds import Worlds


class OpenpiPolicy(ForeignPolicy[WebSocketLink]):
    """Sends ``image_keys`` (one per camera), ``state_key`` and ``prompt_key``; reads ``action_key``.

    Pictures are rendered at ``render_size``, turned as ``orient`` says and resized to ``image_size``. The first
    ``chunk`` actions of each answer are executed. ``gripper`` says what the last number of an action means;
    ``trained_on``, ``examined_in`` and ``motion_scale`` are those of the adapters.
    """

    def __init__(
        self,
        url: PolicyUrl | str,
        *,
        token: str = "",
        timeout: float = 50.0,
        cameras: str | list[str] | None = None,
        image_keys: str | list[str] = "observation/image,observation/wrist_image",
        state_key: str = "observation/state",
        prompt_key: str = "prompt",
        action_key: str = "actions",
        image_size: int | None = None,
        render_size: int | None = None,
        trained_on: str = "libero",
        examined_in: str = "proctor",
        motion_scale: float | list[float] | None = None,
        orient: str | None = None,
        gripper: str = "close_positive",
        chunk: int | None = None,
        action_dim: int | None = None,
        state_dim: int | None = None,
        control_mode: str | None = None,
        control_hz: float | None = None,
    ) -> None:
        self._given = {
            "cameras": cameras,
            "image_size": render_size,
            "chunk": chunk,
            "action_dim": action_dim,
            "state_dim": state_dim,
            "control_mode": control_mode,
            "control_hz": control_hz,
        }
        self._image_keys, self._image_size = names(image_keys, "image_keys"), image_size
        self._state_key, self._prompt_key, self._action_key = state_key, prompt_key, action_key
        self._worlds, self._gripper = Worlds(trained_on, examined_in, motion_scale, orient), require_gripper(gripper)
        self._ours = False
        self._episode: EpisodeSpec | None = None
        super().__init__(url, token, timeout)

    def _link(self, name: str, address: str) -> WebSocketLink:
        headers = {"Authorization": f"Api-Key {self.token}"} if self.token else {}
        return WebSocketLink(name, address, self.timeout_s, headers)

    def _greet(self, link: WebSocketLink) -> PolicySpec:
        link.open()
        greeting = openpi.decode(link.receive_bytes("greeting"))
        if not isinstance(greeting, dict):
            raise WireError(f"{link.name} greets with {type(greeting).__name__}, not a map: is it an openpi server?")
        served = served_spec(greeting, link.name)
        self._ours = served is not None
        self._worlds.meet(self._ours)
        spec = settle(self.url.scheme, served or LIBERO, self._given, greeting, ours=self._ours)
        size = self._image_size or (spec.image_size if self._ours else 224)
        self._convention = Convention(
            self._image_keys, self._state_key, self._prompt_key, size, self._worlds.orient, self._gripper
        )
        return spec

    def _begin(self, link: WebSocketLink, instruction: str, episode: EpisodeSpec) -> None:
        self._episode = episode

    def _compose(self, observation: Observation) -> dict[str, Any]:
        spec, convention = self.spec(), self._convention
        keys = convention.keys(spec.cameras, "observation/")
        request: dict[str, Any] = {keys[c]: convention.outgoing(observation.images[c]) for c in spec.cameras}
        if convention.state_key:
            request[convention.state_key] = self._worlds.state(observation)
        request[convention.prompt_key] = observation.instruction
        if self._ours:
            request[STEP_KEY] = observation.step
            if self._episode is not None:
                request[EPISODE_KEY] = spec_to_map(self._episode)
        self._episode = None
        return request

    def _exchange(self, link: WebSocketLink, request: dict[str, Any]) -> Any:
        link.send(openpi.encode(request))
        answer = openpi.decode(link.receive_bytes("actions"))
        if not isinstance(answer, dict):
            raise WireError(f"{link.name} answered with {type(answer).__name__}, not a map")
        return required(answer, self._action_key)
