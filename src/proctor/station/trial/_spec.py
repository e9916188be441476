"""The arm as an environment: what a policy has to fit. The unit is part of the control mode, so it cannot be mistaken.

A policy for the bench says ``control_mode="joint_true_degrees_so101"`` (or another unit of `proctor.station.arm.Unit`),
``action_dim=6`` and ``state_dim=6``: absolute goals for the six joints in bus order. Its ``control_hz`` is the rate at
which its actions are meant to follow each other; the bench keeps any rate up to that of its own loop. Pictures are
squares of ``image_size``: the camera's whole picture at its own proportions, with black bars.
"""

from __future__ import annotations

from collections.abc import Sequence

from proctor.core import EnvSpec, PolicySpec, SpecMismatchError, require_compatible
from proctor.station.arm import JOINTS, Unit

DIM = len(JOINTS)


def control_mode(unit: Unit) -> str:
    """Return the name of absolute joint goals in ``unit``."""
    return f"joint_{unit.value}_so101"


def bench_env_spec(cameras: Sequence[str], unit: Unit, control_hz: float, calibration: str = "") -> EnvSpec:
    """Return what the bench offers; ``calibration`` is the SHA-256 of the arm's."""
    return EnvSpec(
        name="so101_bench",
        cameras=tuple(cameras),
        state_dim=DIM,
        action_dim=DIM,
        control_mode=control_mode(unit),
        control_hz=control_hz,
        fingerprint={"unit": unit.value, "calibration": calibration},
    )


def require_fit(policy: PolicySpec, cameras: Sequence[str], unit: Unit, loop_hz: float) -> None:
    """Refuse, naming both sides, a policy whose numbers the bench would misread or whose rate it cannot keep."""
    if not 0 < policy.control_hz <= loop_hz:
        raise SpecMismatchError(
            f"policy {policy.name!r} needs control_hz={policy.control_hz:g}, the bench's loop runs at {loop_hz:g} Hz: "
            f"give the policy a rate above 0 and up to that"
        )
    require_compatible(policy, bench_env_spec(cameras, unit, policy.control_hz))
