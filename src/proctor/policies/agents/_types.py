"""What passes between an agent and its body: tools, calls, results, and what there is to see.

Nothing here holds a task, a goal or a plan: an agent knows the instruction and what it perceives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

Level = Literal["pixels", "marks", "state"]
"""How much an agent perceives: our specification's L0, L2 and L4. Results of two levels are never mixed."""
LEVELS: tuple[Level, ...] = get_args(Level)
Reference: TypeAlias = "str | int"
Vec3: TypeAlias = "tuple[float, float, float]"

ToolError = Literal["unknown_tool", "bad_argument", "cannot", "unreachable", "broken", ""]
"""Why a call failed: no such tool; an argument is missing or means nothing; the precondition fails (hand, door); the
arm cannot get there or did not manage; the skill is not made for this. Empty: it did not fail."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its arguments in order, and what it does."""

    name: str
    roles: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the agent wrote it."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.tool}({', '.join(str(value) for value in self.args.values())})"


@dataclass(frozen=True, slots=True)
class Done:
    """The agent stops; ``reason`` is its own word: "done", "refused", "not understood"."""

    reason: str = "done"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call. It never says whether the task is solved."""

    call: str
    error: ToolError = ""
    text: str = ""

    @property
    def ok(self) -> bool:
        """Whether the call was carried out."""
        return not self.error


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a thing that a tool can name: what opens (``is_open``), a button, a slot or hole (``behind`` a door).

    ``position`` is in metres.
    """

    name: Reference
    kind: Literal["joint", "button", "slot", "hole"]
    position: Vec3
    is_open: bool | None = None
    behind: Reference | None = None


@dataclass(frozen=True, slots=True)
class SeenThing:
    """A thing by its ``name`` (a mark number at ``marks``), its middle and, at ``state``, whatever is true of it.

    ``words`` are what it may be called, ``looks`` its labels (kind, rank, title); ``inside`` the thing or part that it
    is in or on. Positions are world coordinates in metres: +x away from the robot, +y to its left.
    """

    name: Reference
    position: Vec3
    words: tuple[str, ...] = ()
    looks: Mapping[str, str] = field(default_factory=dict)
    movable: bool = False
    height_m: float = 0.0
    mass_kg: float = 0.0
    inside: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenView:
    """A camera's picture as PNG; at ``marks`` also with numbers, at ``pixels`` also depth [m] and the camera itself.

    ``intrinsics`` is the 3 x 3 pinhole matrix in pixels, ``pose`` the 4 x 4 camera-to-world matrix; the camera looks
    along its -z with +y up.
    """

    camera: str
    picture: bytes
    marked: bytes | None = None
    depth: NDArray[np.float32] | None = None
    intrinsics: NDArray[np.float64] | None = None
    pose: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """What is perceived at one moment."""

    views: tuple[SeenView, ...] = ()
    things: tuple[SeenThing, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentObservation:
    """What an agent is given before each step: a ``look`` at the start and after the tool of that name, else None.

    ``holding`` is what the hand holds: its name or number, True at ``pixels``, None for nothing.
    """

    instruction: str
    look: Look | None
    result: ToolResult | None
    holding: Reference | bool | None
    calls_left: int
    seconds_left: float


class Agent(Protocol):
    """Decides what to do next."""

    def reset(self, instruction: str, tools: Sequence[Tool]) -> None: ...

    def step(self, observation: AgentObservation) -> ToolCall | Done: ...

    def spent(self) -> Mapping[str, Any]:
        """Return what the episode has cost so far, as JSON values: ``tokens_in`` and ``tokens_out`` where it asks."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """What an episode may cost: tool calls, model tokens, and seconds of wall time spent deciding."""

    calls: int = 60
    tokens: int = 400_000
    wall_s: float = 1800.0
