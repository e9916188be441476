"""What a policy may return: finite numbers of the agreed shape in [-1, 1]. Anything else is its error, never ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import PolicySpec
from proctor.policies import GRIPPER_OPEN

# Rounding in a policy's own arithmetic may leave this much above 1.
TOLERANCE = 1e-6


class ActionError(ValueError):
    """The returned value is not an action; the text names the step and what was found."""


def as_chunk(value: Any, spec: PolicySpec, step: int, *, clip: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return ``value`` as actions [H, D] within [-1, 1], and for each whether it had to be clipped."""
    try:
        array = np.asarray(value)
    except Exception as error:
        raise ActionError(f"act() at step {step} returned {type(value).__name__}, not an array: {error}") from None
    expected = f"({spec.action_dim},)" + (f" or (1..{spec.chunk}, {spec.action_dim})" if spec.chunk > 1 else "")
    if array.dtype.kind not in "fiu":
        raise ActionError(
            f"act() at step {step} returned dtype {array.dtype} ({type(value).__name__}), expected real numbers of "
            f"shape {expected}"
        )
    chunk = array.astype(np.float64).reshape(1, -1) if array.ndim == 1 else array.astype(np.float64)
    if chunk.ndim != 2 or chunk.shape[1] != spec.action_dim or not 1 <= len(chunk) <= spec.chunk:
        raise ActionError(f"act() at step {step} returned shape {array.shape}, expected {expected}")
    if not np.isfinite(chunk).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(chunk))[0])
        where = f"action {row}, dimension {column} (shape {array.shape})"
        raise ActionError(f"act() at step {step} returned {chunk[row, column]} in {where}")
    outside = np.abs(chunk) > 1.0 + TOLERANCE
    if outside.any() and not clip:
        row, column = (int(i) for i in np.argwhere(outside)[0])
        raise ActionError(
            f"act() at step {step} returned {chunk[row, column]:g} in action {row}, dimension {column}, outside "
            f"[-1, 1]: scale the policy's output, or clip it with --clip-actions"
        )
    return np.clip(chunk, -1.0, 1.0), np.logical_or.reduce(outside, axis=1)


def hold_action(action_dim: int, last: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the action that holds still: no motion, the gripper as the ``last`` action had it, open before any."""
    action = np.zeros(action_dim)
    action[-1] = GRIPPER_OPEN if last is None else last[-1]
    return action
