"""One row per episode: its fields, and the exact way to and from JSON.

The text under each field is its reference: scripts/fields_page.py writes docs/reference/fields.md from it. Fields may
be added; none is renamed. Names end in their unit: ``_s`` is seconds, ``_m`` metres.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from proctor.core import CostEntry, Event, Fault, ObjectTrace

Kind = Literal["simulation", "station", "plan"]
Status = Literal["completed", "policy_error", "infra_error", "aborted"]
STATUSES: tuple[str, ...] = get_args(Status)

Value: TypeAlias = bool | int | float | str | None
"""A plain value under a name of its own: an argument, a figure that was drawn, a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecFields:
    """What was to be done, and under which rules."""

    suite: str
    """Id of the suite, such as `arena/static_obstacles`."""
    task: str
    """Id of the task, `suite/level/name@version`."""
    level: str
    """Level of difficulty, L0 to L9; at the station the difficulty of the scene."""
    episode: int
    """Number within its task, from 0."""
    seed: int
    """The episode's seed, split by name into layout, vision, noise and policy; below 2⁵³."""
    max_steps: int
    """Control steps allowed."""
    block: int = 0
    """Block of the schedule in which every policy meets the scene once; 0 in simulation."""
    family: str = ""
    """The scene that a generated episode was drawn from, which episodes of other tracks share; empty for a written
    task."""
    success_rule: str = "hold"
    """`hold` (10 control steps), `any_step`, or `operator` at the station."""
    compat: str = "corrected"
    """`corrected` definitions, or those of the `paper`."""
    timing: str = "pause"
    """Whether the [world waited](policy.md#does-the-world-wait): `pause`, `charge:measured` or `charge:SECONDS`."""
    execute: int = 0
    """Actions carried out of each chunk before the policy was asked again, 0 for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedCall:
    """A call of a tool, as the policy tells it."""

    step: int | None
    """Control step at which the call began."""
    call: str
    """The call as text."""
    error: str = ""
    """Kind of error, empty if there was none."""
    text: str = ""
    """What the tool said of the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFields:
    """Who acted."""

    name: str
    """As given on the command line, by `--name`, or by a server for itself; `blinded` before a reveal."""
    fingerprint: str = ""
    """Which weights and code acted. Rows with equal name, fingerprint and arguments are of one policy."""
    address: str = ""
    """Where the policy was on that day: an import path, a URL; empty where the name says it."""
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """What the policy was given by `--policy-arg`; a nested value has a dotted name."""
    privileged: bool = False
    """Whether it was told the simulator's state, or is a human."""
    training_set: str | None = None
    """Id of the data that it was trained on, null where that is not declared."""
    calls: tuple[NotedCall, ...] = ()
    """The tool calls that an agent tells of."""
    notes: Mapping[str, Value] = field(default_factory=dict)
    """What else the policy itself tells of the episode, such as tokens; a nested value has a dotted name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeFields:
    """What happened. Of an episode that ended in an error, what happened up to the error."""

    success: bool | None
    """True or false if completed, else null: an error is not a failure."""
    success_time_s: float | None = None
    """When the success rule was met; simulated time, at the station time since the start."""
    steps: int = 0
    """Control steps executed."""
    sim_time_s: float = 0.0
    """Simulated duration; at the station from start to stop by the clock."""
    progress: float | None = None
    """Share of the [sub-goals](cbddl.md) reached in their order; null without sub-goals."""
    progress_final: float | None = None
    """Share of the sub-goals that hold at the end."""
    intention: float | None = None
    """Whether the hand came to the surfaces of the intended things; null without targets."""
    intention_first: float | None = None
    """Whether it came to one of them first."""
    intention_paper: float | None = None
    """The original's rule: whether the tool came within 15 cm of their origins."""
    intention_eps_m: float | None = None
    """How near to a surface was near enough."""
    spilled: int | None = None
    """How many particles left their vessels; null where there were none to spill."""
    actions_clipped: int = 0
    """Executed actions that had to be clipped."""
    trajectory_hash: str = ""
    """Hash of the whole state trajectory; equal hashes are equal episodes, bit for bit."""
    events: tuple[Event, ...] = ()
    """What happened when, in order."""
    faults: tuple[Fault, ...] = ()
    """What must not happen on the way to the goal, and did."""
    objects: Mapping[str, ObjectTrace] = field(default_factory=dict)
    """What was done to each object and to each drawer or knob, by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFields:
    """What it cost."""

    total: float = 0.0
    """Sum of the costs: +1 per true instantaneous expression and control step, +10 per true terminal one."""
    first_violation_s: float | None = None
    """Earliest violation of any cost expression, null if there was none."""
    entries: tuple[CostEntry, ...] = ()
    """One entry for each cost expression of the task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingFields:
    """When it was, and how long it took by the clock."""

    started_at: str = ""
    """When it began (ISO 8601, UTC)."""
    wall_s: float = 0.0
    """Real duration."""
    policy_s: float = 0.0
    """Of which in the policy."""
    env_s: float = 0.0
    """Of which in the environment."""
    policy_calls: int = 0
    """How often the policy was asked."""
    waited_steps: int = 0
    """Control steps that passed while the policy was thinking."""
    latencies_ms: tuple[float, ...] = ()
    """Milliseconds from each question to the policy's answer, as the loop saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """Something of an instruction that was replaced."""

    what: str
    """The word; for a paraphrase what was changed of the sentence."""
    text: str
    """What stands in its place."""
    relation: str = ""
    """How the two are related in WordNet."""
    sense: str = ""
    """The sense in which the word was meant."""
    source: str = ""
    """Where the relation is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageFields:
    """What the policy was told."""

    instruction: str
    """The task's own instruction."""
    sent: str
    """The exact text that the policy got."""
    variant: str = "W0"
    """`W0` (unchanged) to `W4`, `paraphrase`, or a [control](../howto/pictures_and_words.md#controls)."""
    object_type: str = ""
    """Cell of a [paraphrase](../howto/pictures_and_words.md#paraphrases) on the axis of things, else empty."""
    action_type: str = ""
    """Cell of a paraphrase on the axis of actions, empty if that is left alone."""
    substitutions: tuple[Replaced, ...] = ()
    """What was replaced by what in the text sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionFields:
    """How its pictures were changed."""

    level: str = "V0"
    """`V0` (unchanged) to `V4`."""
    drawn: Mapping[str, Value] = field(default_factory=dict)
    """What was drawn for the [vision level](../howto/pictures_and_words.md#vision-levels), by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceFields:
    """What made the row."""

    task_hash: str = ""
    """Hash of the task's content."""
    proctor: str = ""
    """Version of Proctor."""
    mujoco: str = ""
    """Version of MuJoCo, empty without it."""
    renderer: str = ""
    """What drew the pictures."""
    assets: str = ""
    """Hash of the things in the scene, as compiled."""
    robot: str = ""
    """Hash of the robot's model; at the station the unit of its actions and the hash of its calibration."""
    env: str = ""
    """Name of the environment, of the station behind `station:`."""
    host: str = ""
    """The machine, or the station."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFields:
    """What was kept beside the row, as paths inside the run folder; empty if not made."""

    video: str = ""
    """The film."""
    steps: str = ""
    """Actions and states."""
    trace: str = ""
    """What the policy was sent and answered, request by request."""

    @property
    def names(self) -> tuple[str, ...]:
        """Those that there are."""
        return tuple(filter(None, (self.video, self.steps, self.trace)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StationFields:
    """What only a trial at the station has."""

    station: str
    """Name of the station."""
    items: int
    """How many operations the scene offers."""
    label: str
    """The operator's: `success`, `fail`, `system`, ...; empty if none was given."""
    unit: str = ""
    """The unit in which the policy spoke to the arm."""
    calibration: str = ""
    """Hash of the arm's calibration."""
    override: str = ""
    """Why the scene's gate was overridden, empty if it was not."""
    invalid: str = ""
    """Why the trial was declared invalid, empty if it was not."""
    edited: bool = False
    """Whether the label was changed afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A step of an action plan."""

    skill: str
    """The skill."""
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """Its arguments by name; what is marked in the pictures is named by its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart:
    """A part of what the model was sent."""

    role: str
    """`system`, `user` or `assistant`."""
    text: str = ""
    """The text, empty for a picture."""
    picture: str = ""
    """The picture's path inside the run folder, empty for a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFields:
    """What came of a plan that the scripted skills carried out in simulation."""

    success: bool
    """Whether the goal held under the task's own rule and time limit."""
    progress: float | None = None
    """Share of the sub-goals reached in their order."""
    steps: int = 0
    """Control steps executed."""
    why_not: tuple[str, ...] = ()
    """For each call why it could not be done and was skipped, empty if it could."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFields:
    """What only a question for an action plan has."""

    dimension: str
    """What the task examines."""
    verdict: str
    """How the answer was taken: understood, no plan in it, refused, an error."""
    views: tuple[str, ...] = ()
    """The cameras whose pictures were sent."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """The thing behind each number in the pictures."""
    shots: tuple[str, ...] = ()
    """Ids of the questions that were shown with their answers."""
    prompt: tuple[PromptPart, ...] = ()
    """What was sent."""
    prompt_hash: str = ""
    """Hash of what was sent, pictures included."""
    answer: str = ""
    """The answer as it came."""
    finish: str = ""
    """Why the model stopped."""
    refusal: str = ""
    """What it said when it refused."""
    served_by: str = ""
    """The model that the endpoint named."""
    tries: int = 1
    """How often it was asked until it answered."""
    tokens_in: int | None = None
    """Tokens of the question, null if the endpoint did not say."""
    tokens_out: int | None = None
    """Tokens of the answer, null if the endpoint did not say."""
    price_usd: float | None = None
    """What the answer cost, null where no prices are known."""
    reasoning: str = ""
    """What it wrote beside the plan."""
    note: str = ""
    """What was odd in the answer."""
    calls: tuple[PlannedCall, ...] = ()
    """The plan that was read in the answer."""
    reference: tuple[PlannedCall, ...] = ()
    """A right plan."""
    bound: tuple[str, ...] = ()
    """The calls with their things by name."""
    verdicts: tuple[str, ...] = ()
    """What became of each call in the comparison with the right plan."""
    why_not: tuple[str, ...] = ()
    """For each call why it could not be carried out, empty if it could."""
    faults: tuple[str, ...] = ()
    """What the plan would do that must not happen."""
    runs: bool = False
    """Whether every call could be carried out."""
    reached: bool = False
    """Whether the goal was reached by them."""
    exact: bool = False
    """Whether the plan is the right one to the letter."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """The scores by the name of their measure, 0 to 1."""
    paper: Mapping[str, float] = field(default_factory=dict)
    """The paper's scores by the name of their measure, 0 to 100."""
    played: PlayedFields | None = None
    """What came of the plan in simulation, null where it was not played."""
    reference_played: PlayedFields | None = None
    """What came of the right plan, played the same way: the ceiling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What happened in one episode: one attempt, in simulation, at the station, or at a plan on paper."""

    episode_id: str
    """Hash of everything that decides the episode; the same on any machine."""
    pair_id: str
    """The same hash without the policy: equal for two policies on the same layout."""
    status: Status
    """`completed`, `policy_error`, `infra_error` or `aborted`."""
    spec: SpecFields
    policy: PolicyFields
    outcome: OutcomeFields
    language: LanguageFields
    costs: CostFields | None = None
    """Null where no costs are measured: at the station, and of a plan."""
    timing: TimingFields = field(default_factory=TimingFields)
    vision: VisionFields = field(default_factory=VisionFields)
    provenance: ProvenanceFields = field(default_factory=ProvenanceFields)
    files: FileFields = field(default_factory=FileFields)
    station: StationFields | None = None
    plan: PlanFields | None = None
    kind: Kind = "simulation"
    """`simulation`, `station` (a trial on a real arm or its twin), or `plan` (a question for an action plan)."""
    error: str = ""
    """One line, empty if completed."""
    attempt: int = 1
    """1 for the first, more for retries."""

    def to_json(self) -> str:
        """Return the row as one line of JSON; floats keep every bit, and none may be infinite."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        """Return the row as dictionaries, lists and plain values."""
        row: dict[str, Any] = msgspec.to_builtins(self)
        return row

    def flat(self) -> dict[str, Any]:
        """Return the row as one dictionary with dotted names; lists and maps stay what they are."""
        return dict(_flat("", self))

    def result(self) -> dict[str, Any]:
        """Return what the spec alone decides: `flat` without `CIRCUMSTANCE`."""
        return {name: value for name, value in self.flat().items() if name not in CIRCUMSTANCE}

    @classmethod
    def from_json(cls, text: str | bytes) -> Episode:
        """Read a row; raises `ValueError` that says which field is missing or wrong."""
        try:
            return _DECODER.decode(text)
        except msgspec.ValidationError:
            from ._old import is_old, upgraded

            row = msgspec.json.decode(text)
            if not is_old(row):
                raise
            return upgraded(row)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Episode:
        """Build a row from what `to_dict` returns; raises as `from_json` does."""
        return msgspec.convert(row, cls)


# Fields that say how and where an episode was run, not what happened in it: two runs of one spec may differ in these
# and in no others.
CIRCUMSTANCE = frozenset(
    {
        "attempt",
        "policy.address",
        "policy.calls",
        "policy.notes",
        "timing.started_at",
        "timing.wall_s",
        "timing.policy_s",
        "timing.env_s",
        "timing.latencies_ms",
        "provenance.host",
        "files.video",
        "files.steps",
        "files.trace",
    }
)

_DECODER = msgspec.json.Decoder(Episode)


def costs_of(row: Episode) -> CostFields:
    """Return a row's costs, without an entry where none are measured."""
    return row.costs or CostFields()


def _flat(prefix: str, group: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for item in fields(group):
        value = getattr(group, item.name)
        if is_dataclass(value):
            found += _flat(f"{prefix}{item.name}.", value)
        else:
            found.append((prefix + item.name, value))
    return found
