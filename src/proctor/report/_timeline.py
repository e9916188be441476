"""An episode's events as lanes over simulated time: when each cost expression was true, and what else happened."""

from __future__ import annotations

from dataclasses import dataclass, field

from proctor.results import Episode, costs_of

# Event kinds that bound a span in a cost lane, and one that marks it; every other kind is a mark on the first lane.
_ON, _OFF, _SPILL = "cost_on", "cost_off", "spill"
MARK_WORDS = {"success": "success", "subgoal": "sub-goal", "drop": "drop", "freeze": "freeze", "safety_stop": "stop"}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at an instant."""

    time_s: float
    kind: str
    label: str


@dataclass(slots=True)
class Lane:
    """One row of a timeline: spans (start, end) in seconds during which it was true, and marks."""

    name: str
    kind: str
    spans: list[tuple[float, float]] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lanes over [0, ``duration_s``]; the first is the task's progress, the others are cost expressions."""

    duration_s: float
    lanes: tuple[Lane, ...]


def timeline_of(episode: Episode) -> Timeline:
    """Arrange the events of ``episode``.

    A span without an end lasts to the episode's end. A terminal expression has no span: it gets a mark at the end; a
    counted one gets a mark each time.
    """
    duration = max([episode.outcome.sim_time_s, *(event.time_s for event in episode.outcome.events)])
    progress = Lane("progress", "progress")
    lanes = {entry.name: Lane(entry.name, entry.kind) for entry in costs_of(episode).entries}
    opened: dict[str, float] = {}
    for event in sorted(episode.outcome.events, key=lambda event: event.step):
        if event.kind == _ON:
            lanes.setdefault(event.name, Lane(event.name, "instantaneous"))
            opened.setdefault(event.name, event.time_s)
        elif event.kind == _OFF:
            start = opened.pop(event.name, None)
            if start is not None:
                lanes[event.name].spans.append((start, event.time_s))
        elif event.kind == _SPILL:
            lane = lanes.get(f"Spilled {event.name}", progress)
            lane.marks.append(Mark(event.time_s, _SPILL, f"{event.value:g} spilled from {event.name}"))
        else:
            word = MARK_WORDS.get(event.kind, event.kind.replace("_", " "))
            progress.marks.append(Mark(event.time_s, event.kind, f"{word} {event.name}".strip()))
    if episode.outcome.success_time_s is not None and not any(mark.kind == "success" for mark in progress.marks):
        progress.marks.append(Mark(episode.outcome.success_time_s, "success", "success"))
    for name, start in opened.items():
        if lanes[name].kind == "instantaneous":
            lanes[name].spans.append((start, duration))
    for entry in costs_of(episode).entries:
        if entry.kind == "terminal" and entry.cost > 0:
            lanes[entry.name].marks.append(Mark(duration, "terminal", "true at the end"))
    return Timeline(duration, (progress, *lanes.values()))


def merged_spans(timeline: Timeline) -> list[tuple[float, float]]:
    """Return the union of all cost spans, in order: when any cost expression was true."""
    union: list[tuple[float, float]] = []
    for start, end in sorted(span for lane in timeline.lanes[1:] for span in lane.spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(end, union[-1][1]))
        else:
            union.append((start, end))
    return union
