"""What a trial is, what happens to it, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from proctor.core import EnvSpec, PolicySpec, ProctorError, SpecMismatchError, require_compatible
from proctor.results import Status
from proctor.station.arm import JOINTS, JointVector, Unit

# Folded back, out of the top camera's view of the floor.
HOME: Final = JointVector((0.0, -95.0, 90.0, 65.0, -90.0, 5.0), Unit.TRUE_DEGREES)


class TrialError(ProctorError):
    """A trial cannot be started, recorded or read."""


class Phase(StrEnum):
    """What the runner is doing. Only in ``running`` does the policy move the arm."""

    IDLE = "idle"
    LOADING = "loading"
    HOMING = "homing"
    RUNNING = "running"
    RETURNING = "returning"
    DONE = "done"


class EndedBy(StrEnum):
    """Who or what ended a trial."""

    OPERATOR = "operator"
    CAP = "cap"
    SAFETY = "safety"
    POLICY = "policy"
    STATION = "station"


@dataclass(frozen=True, slots=True)
class Trial:
    """One attempt. ``id`` names its folder and says nothing; ``arm`` says who acts, and is kept from the operator."""

    id: str
    arm: str
    instruction: str
    time_cap_s: float = 90.0
    scene: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.id or not all(c.isalnum() or c in "-_." for c in self.id) or self.id.startswith("."):
            raise TrialError(f"trial {self.id!r}: an id has letters, digits, - and _ only: it names a folder")
        if not self.time_cap_s > 0:
            raise TrialError(f"trial {self.id}: the time cap is {self.time_cap_s} s; it must be above 0")


@dataclass(frozen=True, slots=True)
class TrialStatus:
    """The moment, for whoever watches: nothing here tells which policy runs.

    ``elapsed_s`` counts from the policy's first action. ``rate_hz`` is the bus loop's real rate, ``policy_rate_hz`` how
    often the policy answered per second. ``fault`` is one line, or empty.
    """

    trial: str = ""
    phase: Phase = Phase.IDLE
    elapsed_s: float = 0.0
    rate_hz: float = 0.0
    policy_rate_hz: float = 0.0
    fault: str = ""
    status: Status | None = None
    ended_by: EndedBy | None = None


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How a trial ended, as its ``meta.json`` keeps it.

    ``status`` is that of an episode's row: ``completed`` (cap or operator), ``policy_error``, ``infra_error``, or
    ``aborted`` (emergency stop). ``running`` in the file means that nobody could write the end. How fast the policy
    answered would give it away; that is in `Runner.private`.
    """

    status: Status
    ended_by: EndedBy
    reason: str = ""
    fault: str = ""
    duration_s: float = 0.0
    control_hz: float = 0.0
    actions: int = 0
    overruns: int = 0
    bus_errors: int = 0
    events: tuple[Mapping[str, Any], ...] = field(default_factory=tuple)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "events": [dict(event) for event in self.events]}


# The arm as an environment: what a policy has to fit. The unit is part of the control mode, so it cannot be mistaken.
#
# A policy for the station says ``control_mode="joint_true_degrees_so101"`` (or another unit of
# `proctor.station.arm.Unit`), ``action_dim=6`` and ``state_dim=6``: absolute goals for the six joints in bus order.
# Its ``control_hz`` is the rate at which its actions are meant to follow each other; the station keeps any rate up to
# that of its own loop. Pictures are squares of ``image_size``: the camera's whole picture at its own proportions,
# with black bars.

DIM = len(JOINTS)


def control_mode(unit: Unit) -> str:
    """Return the name of absolute joint goals in ``unit``."""
    return f"joint_{unit.value}_so101"


def station_env_spec(cameras: Sequence[str], unit: Unit, control_hz: float, calibration: str = "") -> EnvSpec:
    """Return what the station offers; ``calibration`` is the SHA-256 of the arm's."""
    return EnvSpec(
        name="so101_station",
        cameras=tuple(cameras),
        state_dim=DIM,
        action_dim=DIM,
        control_mode=control_mode(unit),
        control_hz=control_hz,
        fingerprint={"unit": unit.value, "calibration": calibration},
    )


def require_fit(policy: PolicySpec, cameras: Sequence[str], unit: Unit, loop_hz: float) -> None:
    """Refuse, naming both sides, a policy whose numbers the station would misread or whose rate it cannot keep."""
    if not 0 < policy.control_hz <= loop_hz:
        raise SpecMismatchError(
            f"policy {policy.name!r} needs control_hz={policy.control_hz:g}, the station's loop runs at {loop_hz:g} "
            f"Hz: give the policy a rate above 0 and up to that"
        )
    require_compatible(policy, station_env_spec(cameras, unit, policy.control_hz))
