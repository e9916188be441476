"""The state of a session, computed from its journal alone, so that resuming after a crash is reading it again.

Phases of a trial, and what moves it on::

    setup --begin_scene--> gate --gate_result(passed) | override_gate--> ready --start--> running
    running --stop | safety_stop--> scoring --outcome | invalid--> done --next--> setup of the next trial

`apply` both judges and carries out: an entry that is not possible now raises `SessionError`, before it is written.
``undo`` takes back the last step but never past ``start`` or ``stop``: an arm that moved has moved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ._journal import JournalEntry, SessionError
from ._labels import LABELS_AFTER, parse_label
from ._schedule import SceneCard, ScheduledTrial

PHASES = ("setup", "gate", "ready", "running", "scoring", "done")
MARKS = ("placed", "dropped", "lost")
STOP_REASONS = ("operator", "policy_done", "timeout", "policy_error", "infra_error", "interrupted")
_ANY_TIME = ("note", "safety_stop", "station")
_ALLOWED = {
    "setup": ("begin_scene", "edit"),
    "gate": ("gate_result", "override_gate", "edit"),
    "ready": ("start", "gate_result", "edit"),
    "running": ("stop", "item"),
    "scoring": ("outcome", "invalid", "item"),
    "done": ("next", "edit"),
}
_SILENT = ("torn",)


@dataclass(frozen=True, slots=True)
class Mark:
    """An item that was placed, dropped (within reach) or lost (out of reach), in seconds since the start."""

    kind: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of a trial: the first, or a repetition of one that was invalid."""

    trial: str
    attempt: int = 1
    gate: Mapping[str, Any] | None = None
    override: str = ""
    started_s: float | None = None
    stop: Mapping[str, Any] | None = None
    marks: tuple[Mark, ...] = ()
    outcome: Mapping[str, Any] | None = None
    invalid: str = ""
    edited: bool = False
    station: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The trial's opaque id; repetitions have their number behind it. Also the name of the attempt's folder."""
        return self.trial if self.attempt == 1 else f"{self.trial}-{self.attempt}"

    @property
    def counts(self) -> bool:
        """Whether it has an outcome that says something of the policy."""
        return self.outcome is not None and not self.invalid and self.outcome["label"] != "system"

    def count(self, kind: str) -> int:
        return sum(mark.kind == kind for mark in self.marks)


@dataclass(frozen=True, slots=True)
class SessionRules:
    """What does not change during a session, from session.json."""

    trials: Mapping[str, ScheduledTrial]
    scenes: Mapping[str, SceneCard]
    cap_s: float
    cap_per_item_s: float | None = None

    def scene(self, trial: str) -> SceneCard:
        return self.scenes[self.trials[trial].scene]

    def cap(self, trial: str) -> float:
        """Return the time cap in seconds: fixed, or per item (PhAIL: 30 s each)."""
        items = self.scene(trial).items
        return self.cap_s if self.cap_per_item_s is None else items * self.cap_per_item_s


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """Where a session stands. ``queue`` holds (trial, attempt) still to come, ``ended`` what is over, in order."""

    rules: SessionRules
    phase: str = "setup"
    current: Attempt | None = None
    queue: tuple[tuple[str, int], ...] = ()
    ended: tuple[Attempt, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    station: Mapping[str, Any] = field(default_factory=dict)
    revealed: Mapping[str, Any] | None = None
    stack: tuple[SessionProgress, ...] = field(default=(), repr=False)

    @classmethod
    def begin(cls, rules: SessionRules, station: Mapping[str, Any]) -> SessionProgress:
        """Return the state before the first trial."""
        first, *rest = rules.trials
        return cls(rules, "setup", Attempt(first), tuple((trial, 1) for trial in rest), station=dict(station))

    @property
    def finished(self) -> bool:
        """Whether every trial has an outcome that counts."""
        return self.phase == "done" and not self.queue

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every attempt that is over, the current one too once it is scored."""
        return (*self.ended, self.current) if self.phase == "done" and self.current else self.ended

    @property
    def allowed(self) -> tuple[str, ...]:
        """The actions that are possible now."""
        if self.revealed is not None:
            return ("note", "edit")
        actions = [action for action in _ALLOWED[self.phase] if not (action == "next" and self.finished)]
        return (*actions, *(["undo"] if self.stack else []), *_ANY_TIME)


def apply(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    """Return the state after an entry; raises `SessionError` if it is not possible now."""
    if entry.kind in _SILENT:
        return state
    if entry.kind == "interrupted":
        return _interrupted(state, entry)
    if entry.kind == "reveal":
        return replace(state, revealed=dict(entry.data), stack=())
    if entry.kind not in state.allowed:
        raise SessionError(
            f"{entry.kind} is not possible now (phase {state.phase}): possible are {', '.join(state.allowed)}"
        )
    return _ACTIONS[entry.kind](state, entry)


def _current(state: SessionProgress) -> Attempt:
    if state.current is None:
        raise SessionError("there is no trial left in this session")
    return state.current


def _step(state: SessionProgress, *, undoable: bool = True, **changes: Any) -> SessionProgress:
    return replace(state, stack=(*state.stack, state) if undoable else (), **changes)


def _begin_scene(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    return _step(state, phase="gate")


def _gate_result(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    if not isinstance(entry.data.get("passed"), bool):
        raise SessionError("gate_result needs passed=True or passed=False")
    phase = "ready" if entry.data["passed"] else "gate"
    return _step(state, phase=phase, current=replace(_current(state), gate=dict(entry.data), override=""))


def _override_gate(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    reason = _text(entry, "reason", "say why the scene is good enough")
    return _step(state, phase="ready", current=replace(_current(state), override=reason))


def _start(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    begun = replace(_current(state), started_s=entry.unix_s, station=state.station)
    return _step(state, undoable=False, phase="running", current=begun)


def _stop(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    reason = entry.data.get("reason", "operator")
    if reason not in STOP_REASONS or reason == "interrupted":
        raise SessionError(f"stop reason {reason!r} is none of {', '.join(STOP_REASONS[:-1])}")
    return _ended(state, entry, reason)


def _ended(state: SessionProgress, entry: JournalEntry, reason: str) -> SessionProgress:
    running = _current(state)
    assert running.started_s is not None
    elapsed = entry.data.get("elapsed_s", max(0.0, entry.unix_s - running.started_s))
    if not isinstance(elapsed, int | float) or not math.isfinite(elapsed) or elapsed < 0:
        raise SessionError(f"elapsed_s is {elapsed!r}: it must be a number of seconds")
    if reason in ("operator", "policy_done") and elapsed > state.rules.cap(running.trial):
        reason = "timeout"
    stop = {**entry.data, "reason": reason, "elapsed_s": float(elapsed)}
    return _step(state, undoable=False, phase="scoring", current=replace(running, stop=stop))


def _safety_stop(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    return _ended(state, entry, "safety") if state.phase == "running" else state


def _interrupted(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    if state.phase != "running":
        raise SessionError("only a running trial can be interrupted")
    return _ended(state, entry, "interrupted")


def _item(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    trial = _current(state)
    assert trial.started_s is not None
    kind = entry.data.get("kind")
    if kind not in MARKS:
        raise SessionError(f"item kind {kind!r} is none of {', '.join(MARKS)}")
    latest = trial.stop["elapsed_s"] if trial.stop else max(0.0, entry.unix_s - trial.started_s)
    time_s = entry.data.get("time_s", latest)
    marks = (*trial.marks, Mark(kind, _seconds(time_s, None if not trial.stop else latest)))
    items = state.rules.scene(trial.trial).items
    if sum(mark.kind in ("placed", "lost") for mark in marks) > items:
        raise SessionError(f"all {items} items are placed or lost already: undo one first")
    return _step(state, current=replace(trial, marks=marks))


def _outcome(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    trial = _current(state)
    assert trial.stop is not None
    scored = replace(trial, outcome=_scored(state, trial, entry.data))
    after = _step(state, phase="done", current=scored)
    return after if scored.counts else _again(after, scored)


def _scored(state: SessionProgress, trial: Attempt, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outcome with its counts; success means that every item was placed, and nothing else."""
    assert trial.stop is not None
    label, items = parse_label(str(data.get("label", ""))), state.rules.scene(trial.trial).items
    possible = LABELS_AFTER[trial.stop["reason"]]
    if label not in possible:
        raise SessionError(f"a trial that ended by {trial.stop['reason']} cannot be {label}: {', '.join(possible)}")
    counts = {kind: data.get(kind, trial.count(kind)) for kind in MARKS}
    if label == "success":
        counts["placed"] = data.get("placed", items)
    for kind, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 1000:
            raise SessionError(f"{kind} is {count!r}: it must be a whole number")
    if counts["placed"] + counts["lost"] > items:
        raise SessionError(f"{counts['placed']} placed and {counts['lost']} lost are more than the {items} items")
    if label == "success" and counts["placed"] != items:
        raise SessionError(f"success needs all {items} items placed, not {counts['placed']}: correct one of the two")
    longest = min(trial.stop["elapsed_s"], state.rules.cap(trial.trial))
    time_s = _seconds(data.get("time_s", longest), longest) if label == "success" else None
    return {**data, **counts, "label": label, "time_s": time_s}


def _invalid(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    reason = _text(entry, "reason", "say why the trial does not count")
    void = replace(_current(state), invalid=reason)
    return _again(_step(state, phase="done", current=void), void)


def _again(state: SessionProgress, attempt: Attempt) -> SessionProgress:
    """Queue the trial once more, as the last of its block, so that the block stays balanced and on its scene."""
    block = state.rules.trials[attempt.trial].block
    place = sum(state.rules.trials[trial].block == block for trial, _ in state.queue)
    entry = (attempt.trial, attempt.attempt + 1)
    return replace(state, queue=(*state.queue[:place], entry, *state.queue[place:]))


def _next(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    (trial, attempt), *rest = state.queue
    over = (*state.ended, _current(state))
    return _step(state, phase="setup", current=Attempt(trial, attempt), queue=tuple(rest), ended=over)


def _undo(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    return replace(state.stack[-1], notes=state.notes, station=state.station)


def _note(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    text = _text(entry, "text", "say something")
    return replace(state, notes=(*state.notes, (state.current.id if state.current else "", text)))


def _station(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    return replace(state, station={**state.station, **entry.data})


def _edit(state: SessionProgress, entry: JournalEntry) -> SessionProgress:
    """Correct an outcome that is on record: the old line stays, this one says what is right and why."""
    _text(entry, "reason", "say why it is corrected")
    known = {attempt.id: attempt for attempt in state.attempts}
    name = entry.data.get("trial")
    if name not in known or not known[name].counts:
        raise SessionError(f"trial {name!r} has no outcome that could be edited")
    changes = dict(entry.data.get("changes", {}))
    unknown = set(changes) - {"label", "time_s", "marks", *MARKS}
    if unknown or not changes:
        raise SessionError(f"edit can change label, time_s, marks, {', '.join(MARKS)}; not {sorted(unknown)}")
    old = known[name]
    assert old.stop is not None
    if "marks" in changes:
        marks = tuple(Mark(str(kind), _seconds(time, old.stop["elapsed_s"])) for kind, time in changes.pop("marks"))
        if any(mark.kind not in MARKS for mark in marks):
            raise SessionError(f"marks are [kind, seconds] with a kind of {', '.join(MARKS)}")
        old = replace(old, marks=marks)
    kept = {name: value for name, value in (old.outcome or {}).items() if value is not None}
    if "label" in changes:
        # Time and number of placed items belong to the old label; the new one has its own defaults.
        kept = {name: value for name, value in kept.items() if name not in ("time_s", "placed")}
    outcome = {**kept, **changes}
    fixed = replace(old, outcome=_scored(state, old, outcome), edited=True)
    if not fixed.counts:
        raise SessionError("an edit cannot make a trial void: that is decided while its scene stands (invalid)")
    ended = tuple(fixed if attempt.id == name else attempt for attempt in state.ended)
    current = fixed if state.phase == "done" and state.current and state.current.id == name else state.current
    return _step(state, ended=ended, current=current)


def _text(entry: JournalEntry, name: str, advice: str) -> str:
    text = str(entry.data.get(name, "")).strip()
    if not text:
        raise SessionError(f"{entry.kind} needs {name}: {advice}")
    return text


def _seconds(value: object, longest: float | None) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise SessionError(f"{value!r} is no time in seconds")
    if longest is not None and value > longest + 1e-6:
        raise SessionError(f"{value:g} s is after the end of the trial ({longest:g} s)")
    return float(value)


_ACTIONS: dict[str, Callable[[SessionProgress, JournalEntry], SessionProgress]] = {
    "begin_scene": _begin_scene,
    "gate_result": _gate_result,
    "override_gate": _override_gate,
    "start": _start,
    "stop": _stop,
    "safety_stop": _safety_stop,
    "item": _item,
    "outcome": _outcome,
    "invalid": _invalid,
    "next": _next,
    "undo": _undo,
    "note": _note,
    "station": _station,
    "edit": _edit,
}
