"""Data that crosses a seam (specs, observations, outcomes, timing). Frozen, small, and free of any simulator."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._errors import ProctorError

# Does the world wait while a policy thinks? The text in specs and rows, and the steps that a latency costs.

MAX_LATENCY_S = 3600.0
# Sums of latencies are rounded in their last bits; a step that is due to within this much of a step is due.
_TOLERANCE_STEPS = 1e-9


@dataclass(frozen=True, slots=True)
class Timing:
    """``pause``: the world waits. ``charge``: it goes on, for ``latency_s`` per request, or as measured if None."""

    mode: Literal["pause", "charge"] = "pause"
    latency_s: float | None = None

    @classmethod
    def parse(cls, text: str) -> Timing:
        """Read ``pause``, ``charge:measured`` or ``charge:SECONDS``."""
        mode, _, latency = text.partition(":")
        if text == "pause":
            return cls()
        if mode != "charge" or not latency:
            raise ProctorError(f"timing {text!r} is none of pause, charge:measured, charge:SECONDS")
        if latency == "measured":
            return cls("charge")
        try:
            seconds = float(latency)
        except ValueError:
            raise ProctorError(f"--latency is {latency!r}: write measured, or seconds as in 0.1") from None
        if not 0.0 <= seconds <= MAX_LATENCY_S:
            raise ProctorError(f"--latency is {latency}: it must be from 0 to {MAX_LATENCY_S:g} seconds")
        return cls("charge", seconds)

    def __str__(self) -> str:
        if self.mode == "pause":
            return "pause"
        return f"charge:{'measured' if self.latency_s is None else format(self.latency_s, '.9g')}"


class StepDebt:
    """Turns latencies into control steps: ``floor((carry + L) * control_hz)``, and what is left is carried on."""

    def __init__(self, control_hz: float) -> None:
        self._hz = control_hz
        self._carry_steps = 0.0

    def steps(self, latency_s: float) -> int:
        """Return how many control steps pass during ``latency_s``."""
        due = self._carry_steps + latency_s * self._hz
        whole = math.floor(due + _TOLERANCE_STEPS)
        self._carry_steps = max(0.0, due - whole)
        return whole


def holds_at_zero(control_mode: str) -> bool:
    """Return whether an all-zero motion means *stay*: true of modes that command differences (``delta_...``)."""
    return control_mode.startswith("delta_")


SuccessRule = Literal["hold", "any_step", "operator"]
Compat = Literal["corrected", "paper"]
VISION_LEVELS = ("V0", "V1", "V2", "V3", "V4")


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """Everything that decides an episode. The hash of these values is the episode's id, on any host.

    ``seed`` is split by name (layout, vision, noise, policy). ``pair_id`` is equal for episodes of different policies
    that share task, seed and variants, so they can be compared in pairs. ``task_path`` says where this host keeps the
    task file; it is not part of the id, ``task_hash`` is. ``instruction`` is the task's own; ``sent`` is what a
    policy is told where the ``language`` variant tells it something else. ``object_type``, ``action_type`` and
    ``substitutions`` (JSON) say how that text differs; they follow from it and are no part of the id.

    ``timing`` says whether the world waits for the policy (``pause``) or goes on while it thinks (``charge:measured``,
    ``charge:SECONDS``); ``execute`` how many actions of each chunk are carried out before the policy is asked again (0:
    all of them). Both are part of the id only where they are not the default, so that ids from before them hold.
    ``family`` is equal for episodes of different tasks that share a scene; it follows from task and seed.
    """

    suite: str
    task: str
    level: str
    task_hash: str
    episode: int
    seed: int
    instruction: str
    policy: str
    policy_args: Mapping[str, Any] = field(default_factory=dict)
    language: str = "W0"
    vision: str = "V0"
    max_steps: int = 300
    success_rule: SuccessRule = "hold"
    compat: Compat = "corrected"
    block: int = 0
    task_path: str = ""
    sent: str | None = None
    object_type: str = ""
    action_type: str = ""
    substitutions: str = "{}"
    timing: str = "pause"
    execute: int = 0
    family: str = ""

    def __post_init__(self) -> None:
        # A row with anything else could be written and never read again.
        if not isinstance(self.instruction, str) or not isinstance(self.sent, str | None):
            raise ProctorError(f"instruction of {self.task!r} is {self.instruction_sent!r}: it must be text")

    def _identity(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in _IDENTITY}
        values["policy_args"] = dict(self.policy_args)
        if self.sent is None:
            del values["sent"]
        if self.timing == "pause":
            del values["timing"]
        if self.execute == 0:
            del values["execute"]
        return values

    @property
    def instruction_sent(self) -> str:
        """The exact text that the policy gets."""
        return self.instruction if self.sent is None else self.sent

    @property
    def episode_id(self) -> str:
        """First 16 hex digits of SHA-256 over the canonical JSON of the identity."""
        return _digest(self._identity())

    @property
    def pair_id(self) -> str:
        """As ``episode_id`` without the policy: equal across policies on the same layout and variants."""
        values = self._identity()
        del values["policy"], values["policy_args"]
        return _digest(values)


# Where a file lies, when an episode is run and what follows from the text sent decide nothing.
_IDENTITY = tuple(
    item.name
    for item in fields(EpisodeSpec)
    if item.name not in ("task_path", "block", "object_type", "action_type", "substitutions", "family")
)


def _digest(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """What a policy needs from an environment and what it returns.

    ``action_dim`` and ``control_mode`` must match the environment. ``chunk`` is the largest number of actions one
    call may return (they are executed on the environment's side). ``privileged`` policies are handed the environment.
    """

    name: str
    cameras: tuple[str, ...] = ()
    image_size: int = 256
    state_dim: int = 8
    action_dim: int = 7
    control_mode: str = "delta_eef_axis_angle_gripper"
    control_hz: float = 20.0
    chunk: int = 1
    privileged: bool = False
    fingerprint: str = ""
    training_set: str = ""
    """Id of the data that it was trained on, empty where that is not declared."""


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """What an environment offers. ``vision`` names the image variants that it can show."""

    name: str
    cameras: tuple[str, ...]
    state_dim: int = 8
    action_dim: int = 7
    control_mode: str = "delta_eef_axis_angle_gripper"
    control_hz: float = 20.0
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    vision: tuple[str, ...] = ("V0",)


class SpecMismatchError(ProctorError):
    """Policy and environment do not fit; the text names both sides."""


def require_compatible(policy: PolicySpec, env: EnvSpec) -> None:
    """Raise `SpecMismatchError` unless ``env`` provides everything ``policy`` asks for."""
    for what in ("action_dim", "control_mode", "control_hz", "state_dim"):
        asked, given = getattr(policy, what), getattr(env, what)
        if asked != given:
            raise SpecMismatchError(
                f"policy {policy.name!r} needs {what}={asked!r}, environment {env.name!r} has {what}={given!r}: "
                f"adapt the policy's spec() or wrap the policy"
            )
    missing = [camera for camera in policy.cameras if camera not in env.cameras]
    if missing:
        raise SpecMismatchError(
            f"policy {policy.name!r} needs camera {missing[0]!r}, environment {env.name!r} has {', '.join(env.cameras)}"
        )
    if not 16 <= policy.image_size <= 1024:
        raise SpecMismatchError(
            f"policy {policy.name!r} asks for image_size={policy.image_size}: allowed are 16 to 1024"
        )
    if policy.chunk < 1:
        raise SpecMismatchError(f"policy {policy.name!r} has chunk={policy.chunk}: it must be at least 1")


@dataclass(frozen=True, slots=True)
class Observation:
    """What a policy sees.

    ``images`` maps camera name to an upright uint8 array [H, W, 3]; ``state`` is [x, y, z, ax, ay, az, finger, finger]
    in metres and radians (world frame, axis-angle).
    """

    images: Mapping[str, NDArray[np.uint8]]
    state: NDArray[np.float64]
    instruction: str
    step: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at an instant."""

    step: int
    """Control step, from 0."""
    time_s: float
    """Time since the start."""
    kind: str
    """`success`, `cost_on`, `cost_off`, `subgoal`, `drop`, `freeze`, ..."""
    name: str = ""
    """What it happened to, or which expression."""
    value: float = 0.0
    """A figure, where the kind has one."""


@dataclass(frozen=True, slots=True)
class Step:
    """Result of one control step. ``success`` becomes and stays true once the success rule is met.

    ``ended``: the world cannot go on (a foreign simulator has terminated), whether or not there was success.
    """

    success: bool
    cost: float
    events: tuple[Event, ...] = ()
    ended: bool = False


@dataclass(frozen=True, slots=True)
class CostEntry:
    """One cost expression over a whole episode."""

    name: str
    """The expression."""
    kind: Literal["instantaneous", "terminal", "counted"]
    """What it is charged for: each control step, the end, or each time that it comes true."""
    cost: float
    """What it cost: true control steps × 1, 10 for a true terminal one, or how often a counted one came true."""
    steps: int
    """Control steps in which it was true."""
    first_violation_s: float | None
    """When it was true first, null if never."""
    severity: float = 0.0
    """The worst that was measured while it was true ([what](metrics.md#severity))."""
    unit: str = ""
    """Unit of the severity (m, N); without one there is none."""


@dataclass(frozen=True, slots=True)
class ObjectTrace:
    """What an episode did to one thing: an object, or a part of a fixture (``fixture/joint``)."""

    goal: bool
    """Whether the goal asks to move it."""
    targets: tuple[str, ...]
    """Where the goal wants it."""
    nearest_m: float
    """Least distance of the tool from it."""
    touched_s: float | None
    """When a finger first touched it."""
    held_s: float | None
    """When both fingers first touched it."""
    moved: float
    """Largest displacement, in metres (a hinge: radians)."""
    rests_on: tuple[str, ...] = ()
    """The things, not the table, that carried it at the end."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that must not happen on the way to the goal."""

    kind: str
    """`below_table`, `wrong_press`, `spill`, ..."""
    name: str
    """What it happened to."""
    time_s: float
    """Time since the start."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an environment knows at the end of an episode, however it ended.

    ``vision`` holds what was drawn for the episode's vision variant, by name, in a stable order; empty for V0.
    ``objects`` says what was done to each thing, where the environment can know it.
    ``spilled`` is how many particles left their vessels, None where there were none to spill.

    Scores of tasks that have sub-goals and intention targets (0 to 1, None elsewhere): ``progress`` is the share of
    sub-goals reached in their order, ``progress_final`` the share that holds at the end; ``intention`` says whether the
    hand came to the targets' surfaces, ``intention_first`` whether it came to one of them first, ``intention_paper``
    whether the tool came near their origins; ``intention_eps_m`` is the distance that was near enough to a surface.
    ``faults`` went wrong on the way and forbid success. ``family`` is the scene that an instance was drawn from, which
    episodes of other tracks share. ``assets`` is a digest of the things that were in the scene.
    """

    success: bool
    success_time_s: float | None
    steps: int
    sim_time_s: float
    cost_total: float
    costs: tuple[CostEntry, ...]
    events: tuple[Event, ...]
    trajectory_hash: str
    vision: Mapping[str, float | str] = field(default_factory=dict)
    objects: Mapping[str, ObjectTrace] = field(default_factory=dict)
    spilled: int | None = None
    progress: float | None = None
    progress_final: float | None = None
    intention: float | None = None
    intention_first: float | None = None
    intention_paper: float | None = None
    faults: tuple[Fault, ...] = ()
    family: str = ""
    intention_eps_m: float | None = None
    assets: str = ""
