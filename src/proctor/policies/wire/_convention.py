"""What a foreign wire calls things: the keys of pictures, state and prompt, sizes, which way up, the gripper's sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, did_you_mean

from ._images import Picture, as_picture, oriented, resize_with_pad
from ._scan import CodecError

# Where programs of ours tell each other more than the wire has words for. Foreign ones pay no attention to it.
OURS = "proctor"
EPISODE_KEY, STEP_KEY = f"{OURS}/episode", f"{OURS}/step"
# The opening of our gripper, both fingers together, in metres.
OPEN_M = 0.08
# LIBERO's names for the parts of the state, and where they are in our 8 numbers.
STATE_PARTS = "x:0,y:1,z:2,roll:3,pitch:4,yaw:5,gripper:6-7"
# name -> (factor, offset) from the wire's gripper value to ours, which opens at -1 and closes at +1.
GRIPPERS: dict[str, tuple[float, float]] = {
    "close_positive": (1.0, 0.0),
    "open_positive": (-1.0, 0.0),
    "close_01": (2.0, -1.0),
    "open_01": (-2.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Convention:
    """How one observation looks on a foreign wire.

    ``image_keys`` go with the policy's cameras, in order. ``image_size`` is the side of a square, or height and width.
    """

    image_keys: tuple[str, ...]
    state_key: str
    prompt_key: str
    image_size: int | tuple[int, int] = 224
    orient: str = "mirror"
    gripper: str = "close_positive"

    def keys(self, cameras: Sequence[str], prefix: str = "") -> dict[str, str]:
        """Return the key of each camera: those of the convention first, then the cameras' own names."""
        named = [*self.image_keys, *(prefix + camera for camera in cameras[len(self.image_keys) :])]
        return dict(zip(cameras, named, strict=False))

    def outgoing(self, picture: Picture) -> Picture:
        return resize_with_pad(oriented(picture, self.orient), self.image_size)

    def incoming(self, value: Any, name: str, size: int) -> Picture:
        """Return a picture of the wire as our policies see it: upright, ``size`` pixels square."""
        return resize_with_pad(oriented(as_picture(value, name), self.orient), size)


def names(value: Any, option: str) -> tuple[str, ...]:
    """Read ``a,b`` or a JSON list of texts."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ProctorError(f"{option}={value!r}: write names with commas between them")
    return tuple(part.strip() for part in parts if part.strip())


def state_parts(text: str) -> dict[str, slice]:
    """Read ``name:index,name:first-last`` as slices of the state."""
    parts: dict[str, slice] = {}
    for part in names(text, "state"):
        name, _, where = part.partition(":")
        first, _, last = where.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise ProctorError(f"state={text!r}: write name:index or name:first-last, as in {STATE_PARTS}")
        parts[name] = slice(int(first), int(last or first) + 1)
    return parts


def require_gripper(text: Any) -> str:
    if text not in GRIPPERS:
        raise ProctorError(f"gripper={text!r}: known are {', '.join(GRIPPERS)}{did_you_mean(str(text), GRIPPERS)}")
    return str(text)


def gripper_in(actions: NDArray[Any], gripper: str) -> NDArray[np.float64]:
    """Return actions [H, D] of the wire with our gripper sign in the last column."""
    factor, offset = GRIPPERS[gripper]
    ours = np.array(actions, dtype=np.float64)
    ours[..., -1] = factor * ours[..., -1] + offset
    return ours


def gripper_out(actions: NDArray[Any], gripper: str) -> NDArray[np.float64]:
    """Return our actions [H, D] with the wire's gripper in the last column."""
    factor, offset = GRIPPERS[gripper]
    theirs = np.array(actions, dtype=np.float64)
    theirs[..., -1] = (theirs[..., -1] - offset) / factor
    return theirs


def as_actions(value: Any, action_dim: int, chunk: int) -> NDArray[Any]:
    """Return the first ``chunk`` actions [H, D] of an answer; a shape or value that is none is refused."""
    if isinstance(value, list):
        value = np.array(value) if _numeric(value) else value
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu":
        raise CodecError(f"its actions are {_described(value)}, expected real numbers [H, {action_dim}]")
    actions = value[None, :] if value.ndim == 1 else value
    if actions.ndim != 2 or actions.shape[1] != action_dim or not len(actions):
        raise CodecError(f"its actions have shape {list(value.shape)}, expected [H, {action_dim}]")
    if not np.isfinite(actions[:chunk]).all():
        raise CodecError("its actions hold NaN or infinity")
    return actions[:chunk]


def as_state(value: Any, state_dim: int, name: str) -> NDArray[np.float64]:
    array = np.asarray(value) if isinstance(value, list) and _numeric([value]) else value
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu" or array.shape != (state_dim,):
        raise CodecError(f"{name} is {_described(value)}, expected real numbers [{state_dim}]")
    if not np.isfinite(array).all():
        raise CodecError(f"{name} holds NaN or infinity")
    return array.astype(np.float64)


def as_text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise CodecError(f"{name} is {_described(value)}, expected text")
    return value


def required(values: Mapping[Any, Any], key: str) -> Any:
    """Return ``values[key]``; a missing key is the sender's fault, and it is told which it did send."""
    if key not in values:
        known = sorted(str(name)[:40] for name in islice(values, 100))
        sent = ", ".join(known[:12]) or "nothing"
        raise CodecError(f"{key!r} is missing (sent: {sent}){did_you_mean(key, known)}")
    return values[key]


def _numeric(value: list[Any]) -> bool:
    rows = value if value and isinstance(value[0], list) else [value]
    width = len(rows[0])
    return all(
        isinstance(row, list) and len(row) == width and all(type(item) in (int, float) for item in row) for row in rows
    )


def _described(value: Any) -> str:
    return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
