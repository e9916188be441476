"""Telemetry with known truth: a gripper that grasps, fumbles, drops and places, as badly recorded as real ones are.

The jaws follow the command with a lag and stop at the item's width; a slipped item lets them close. Commands are ramps
with noise and chatter; samples jitter, go missing singly and in bursts. Nothing here knows the detector's thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from proctor.core import named_rng
from proctor.station.detect import Box, TrialTelemetry, Zones

TOLERANCE_S = 0.5


@dataclass(frozen=True, slots=True)
class TrueEvent:
    """What really happened."""

    kind: str
    verdict: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of events that were found, invented and missed; F1 = 2 TP / (2 TP + FP + FN)."""

    found: int = 0
    invented: int = 0
    missed: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.found + other.found, self.invented + other.invented, self.missed + other.missed)

    @property
    def f1(self) -> float:
        """1 where nothing happened and nothing was found."""
        total = 2 * self.found + self.invented + self.missed
        return 2 * self.found / total if total else 1.0


def score(found: Iterable[TrueEvent], truth: Sequence[TrueEvent], tolerance_s: float = TOLERANCE_S) -> Score:
    """Match events one to one, nearest first; kind and verdict must be right and the time within the tolerance."""
    events = list(found)
    pairs = sorted(
        (abs(a.time_s - b.time_s), i, j)
        for i, a in enumerate(events)
        for j, b in enumerate(truth)
        if (a.kind, a.verdict) == (b.kind, b.verdict) and abs(a.time_s - b.time_s) <= tolerance_s
    )
    used, met = set[int](), set[int]()
    for _, i, j in pairs:
        if i not in used and j not in met:
            used.add(i)
            met.add(j)
    return Score(len(used), len(events) - len(used), len(truth) - len(met))


ZONES = Zones(Box(0.18, 0.34, 0.06, 0.24), Box(0.18, 0.34, -0.24, -0.06))
_HZ = 30.0
_PLACES = {"target": (0.21, 0.31, 0.09, 0.21), "source": (0.21, 0.31, -0.21, -0.09), "outside": (0.05, 0.12, -0.2, 0.2)}
# Stories of one grasp and how often each is told; "from to" zones, or what went wrong.
_STORIES = {
    "source target": 0.50,
    "source source": 0.07,
    "source outside": 0.06,
    "drop outside": 0.07,
    "drop source": 0.06,
    "target target": 0.05,
    "target outside": 0.03,
    "empty": 0.08,
    "partial": 0.08,
}


@dataclass(frozen=True, slots=True)
class SyntheticEpisode:
    """Telemetry, what happened, and how many of ``items`` lie in the target at the end."""

    telemetry: TrialTelemetry
    truth: tuple[TrueEvent, ...]
    items: int
    placed: int


class _Tape:
    """Ideal command, width of what is between the jaws, and place, at an even rate."""

    def __init__(self) -> None:
        self.command: list[float] = []
        self.width: list[float] = []
        self.place: list[tuple[float, float]] = []

    @property
    def time_s(self) -> float:
        return len(self.command) / _HZ

    def run(self, seconds: float, command: float, width: float, to: tuple[float, float]) -> None:
        n = max(1, round(seconds * _HZ))
        start = self.place[-1] if self.place else to
        for share in np.linspace(1 / n, 1, n):
            self.command.append(command)
            self.width.append(width)
            self.place.append((start[0] + share * (to[0] - start[0]), start[1] + share * (to[1] - start[1])))


def make_episode(seed: int, items: int = 4) -> SyntheticEpisode:
    rng = named_rng(seed, "detect", "episode")
    tape, truth = _Tape(), list[TrueEvent]()
    placed, left = 0, items
    tape.run(rng.uniform(0.5, 1.5), 0.0, 1.0, _spot(rng, "source"))
    for _ in range(int(rng.integers(1, 3 * items))):
        story = str(rng.choice(list(_STORIES), p=np.array(list(_STORIES.values())) / sum(_STORIES.values())))
        if (story.startswith("target") and not placed) or (left == 0 and not story.startswith("target")):
            continue
        event = _tell(tape, story, rng)
        if event is None:
            continue
        truth.append(event)
        placed += (event.verdict == "success") - story.startswith("target outside")
        left -= event.verdict == "success" or (event.verdict == "failure" and not story.startswith("target"))
    tape.run(rng.uniform(0.4, 1.5), 0.0, 1.0, _spot(rng, "source"))
    return SyntheticEpisode(_record(tape, rng), tuple(truth), items, placed)


def _spot(rng: np.random.Generator, zone: str) -> tuple[float, float]:
    x0, x1, y0, y1 = _PLACES[zone]
    return float(rng.uniform(x0, x1)), float(rng.uniform(y0, y1))


def _tell(tape: _Tape, story: str, rng: np.random.Generator) -> TrueEvent | None:
    """Act one grasp out; returns what left the gripper, if anything did."""
    words = story.split()
    origin = "target" if words[0] == "target" else "source"
    tape.run(rng.uniform(0.6, 2.0), 0.0, 1.0, _spot(rng, origin))
    here = tape.place[-1]
    if story == "partial":
        tape.run(rng.uniform(0.3, 1.0), rng.uniform(0.15, 0.33), 1.0, here)
        tape.run(rng.uniform(0.4, 0.8), 0.0, 1.0, here)
        return None
    width = 1.0 if story == "empty" else float(rng.uniform(0.2, 0.87))
    tape.run(rng.uniform(0.8, 1.4), 1.0, width, here)
    if story == "empty":
        tape.run(rng.uniform(0.4, 1.0), 0.0, 1.0, here)
        return None
    end = _spot(rng, words[1])
    if words[0] == "drop":
        tape.run(rng.uniform(0.8, 2.5), 1.0, width, end)
        event = TrueEvent("drop", "failure" if words[1] == "outside" else "neutral", tape.time_s)
        tape.run(rng.uniform(0.6, 1.5), 1.0, 1.0, end)
        tape.run(rng.uniform(0.4, 0.8), 0.0, 1.0, end)
        return event
    tape.run(rng.uniform(0.8, 3.0), 1.0, width, end)
    event = TrueEvent("release", _worth(origin, words[1]), tape.time_s)
    tape.run(rng.uniform(0.5, 1.0), 0.0, 1.0, end)
    return event


def _worth(origin: str, end: str) -> str:
    if origin == end:
        return "neutral"
    return "success" if end == "target" else "failure"


def _record(tape: _Tape, rng: np.random.Generator) -> TrialTelemetry:
    """Turn the ideal tape into what a recorder would have: lag, creep, noise, chatter, jitter, missing samples."""
    ideal = np.array(tape.command)
    command = _chatter(ideal, rng)
    ramp = int(rng.integers(1, 5))
    command = np.convolve(np.pad(command, (ramp - 1, 0), mode="edge"), np.ones(ramp) / ramp, mode="valid")
    lag_s = rng.uniform(0.05, 0.11)
    grip, state = np.empty(len(ideal)), 0.0
    for i, (aim, width) in enumerate(zip(command, tape.width, strict=True)):
        state += (min(aim, width) - state) * (1 - np.exp(-1 / _HZ / lag_s))
        grip[i] = state
    n = len(ideal)
    noise = rng.uniform(0.003, 0.015)
    times = np.arange(n) / _HZ + rng.uniform(-0.006, 0.006, n)
    target = np.clip(command + rng.normal(0, 0.02, n), 0, 1)
    measured = np.clip(grip + rng.normal(0, noise, n), 0, 1)
    place = np.array(tape.place) + rng.normal(0, 0.002, (n, 2))
    for values in (target, measured, place):
        values[rng.random(n) < rng.uniform(0, 0.06)] = np.nan
    keep = rng.random(n) >= rng.uniform(0, 0.06)
    for start in rng.integers(0, n, size=int(rng.integers(0, 4))):
        keep[start : start + int(rng.integers(2, 8))] = False
    return TrialTelemetry(times[keep], target[keep], measured[keep], place[keep])


def _chatter(command: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Let the command flicker for a moment after some of its edges, and now and then out of nowhere."""
    result = command.copy()
    edges = np.flatnonzero(np.abs(np.diff(command)) > 0.5) + 1
    for edge in edges[rng.random(len(edges)) < 0.25]:
        first = int(edge) + int(rng.integers(1, 3))
        result[first : first + int(rng.integers(1, 4))] = command[edge - 1]
    for spot in rng.integers(0, len(command), size=int(rng.integers(0, 3))):
        result[spot : spot + int(rng.integers(1, 3))] = 1 - command[spot]
    return result
