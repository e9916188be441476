"""RoboArena's wire in front of an engine: openpi's codec, an endpoint in every request, DROID's names and scales."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import PolicySpec
from proctor.policies.wire import OPEN_M, CodecError, Convention, as_state, gripper_out, openpi, required

from ._openpi import OpenpiFront, OpenpiGuest
from ._websocket import run_websocket

DROID = Convention((), "observation/state", "prompt", orient="upright", gripper="close_01")
_RESET_DONE = "reset successful"


class RoboArenaFront(OpenpiFront):
    """Greets with a PolicyServerConfig; ``endpoint`` is infer or reset; an answer is the array of actions itself."""

    wire = "roboarena"

    def greeting(self, spec: PolicySpec) -> dict[str, Any]:
        """Return the PolicyServerConfig, whose fields the client knows one by one: nothing may be added."""
        return {
            "image_resolution": [spec.image_size, spec.image_size],
            "needs_wrist_camera": "wrist" in spec.cameras,
            "n_external_cameras": len(spec.cameras) - ("wrist" in spec.cameras),
            "needs_stereo_camera": False,
            "needs_session_id": True,
            "action_space": spec.control_mode,
        }

    async def answer(self, guest: OpenpiGuest, request: dict[Any, Any]) -> bytes | str:
        """Answer infer or reset; another session_id is another episode."""
        endpoint = request.pop("endpoint", "infer")
        if endpoint == "reset":
            guest.seat.new_episode()
            return _RESET_DONE
        if endpoint != "infer":
            raise CodecError(f"endpoint {str(endpoint)[:40]!r} is unknown (known: infer, reset)")
        if request.get("session_id") != guest.session_id:
            guest.session_id = request.get("session_id")
            guest.seat.new_episode()
        answer = await self._actions(guest, request)
        return openpi.encode(gripper_out(answer.actions, self._convention.gripper).astype(np.float32))

    def image_keys(self, spec: PolicySpec) -> dict[str, str]:
        """Return DROID's keys: external cameras by number, the wrist's by name."""
        external = [camera for camera in spec.cameras if camera != "wrist"]
        keys = {camera: f"observation/exterior_image_{n}_left" for n, camera in enumerate(external)}
        return {**keys, "wrist": "observation/wrist_image_left"}

    def state(self, request: dict[Any, Any], spec: PolicySpec) -> NDArray[np.float64]:
        """Return the state, put together from DROID's parts where the whole is not sent."""
        if self._convention.state_key in request:
            return super().state(request, spec)
        pose = as_state(required(request, "observation/cartesian_position"), 6, "observation/cartesian_position")
        closed = as_state(required(request, "observation/gripper_position"), 1, "observation/gripper_position")[0]
        finger = (1.0 - closed) * OPEN_M / 2
        return np.array([*pose, finger, -finger])


serve_forever = partial(run_websocket, RoboArenaFront, DROID)
