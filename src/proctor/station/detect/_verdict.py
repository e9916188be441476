"""Decides what a detected release was: in which zone it fell, and how many things lie in the target now.

====================  ==================  ======================  =========================================
picked from           left the gripper    verdict                 ledger
====================  ==================  ======================  =========================================
not the target        in the target       success                 + 1
not the target        in the source       neutral (put back)
not the target        outside both        failure (lost)
the target            in the target       neutral (moved there)
the target            anywhere else       failure (taken out)     - 1
====================  ==================  ======================  =========================================

A drop is judged by where it happened, as a release is. A verdict is ``unknown`` where the candidate is unsure, a
position is missing or within ``margin_m`` of a zone's edge, the item came from the target while none was there, or
there would be more items in the target than there are. `Judged.count` is the ledger at the end: what the operator
counts. (PhAIL compares the number of successes, which counts an item twice that is taken out and placed again.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from proctor.core import ProctorError

from ._detector import OutcomeCandidate, Thresholds, find_candidates
from ._telemetry import TrialTelemetry

Verdict = Literal["success", "failure", "neutral", "unknown"]
LEAST_DISPLACEMENT_M = 0.03


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle on the table, in metres."""

    x0: float
    x1: float
    y0: float
    y1: float

    def inside(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is in it, or within ``margin`` of it."""
        return self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin


@dataclass(frozen=True, slots=True)
class Zones:
    """Where items come from and where they belong; without ``source`` everything outside the target is its own."""

    target: Box
    source: Box | None = None
    margin_m: float = 0.01

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Zones:
        """Read ``{"target": [x0, x1, y0, y1], "source": [...]}``."""
        try:
            target = Box(*map(float, values["target"]))
            source = Box(*map(float, values["source"])) if values.get("source") is not None else None
            return cls(target, source, float(values.get("margin_m", 0.01)))
        except (KeyError, TypeError, ValueError):
            raise ProctorError('zones are {"target": [x0, x1, y0, y1], "source": [...]} in metres') from None

    def of(self, point: tuple[float, float]) -> str:
        """Return target, source, outside, or unknown (no position, or too near an edge to say)."""
        x, y = point
        if math.isnan(x) or math.isnan(y):
            return "unknown"
        for name, box in (("target", self.target), ("source", self.source)):
            if box is not None and box.inside(x, y, self.margin_m):
                return name if box.inside(x, y, -self.margin_m) else "unknown"
        return "outside"


@dataclass(frozen=True, slots=True)
class Operation:
    """A candidate with its features and verdict; ``ledger`` is what lay in the target before it."""

    candidate: OutcomeCandidate
    zone: str
    picked_zone: str
    ledger: int
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """An episode: its operations, and how many items the target holds after them."""

    operations: tuple[Operation, ...]
    count: int

    @property
    def unknown(self) -> int:
        return sum(operation.verdict == "unknown" for operation in self.operations)


def judge(
    telemetry: TrialTelemetry, zones: Zones, items: int = 1, thresholds: Thresholds | None = None, ledger: int = 0
) -> Judged:
    """Find and judge every operation of an episode that offers ``items``; ``ledger`` lie in the target at the start."""
    operations = []
    for candidate in find_candidates(telemetry, thresholds):
        operation = _classify(candidate, zones, items, ledger)
        if operation.verdict == "success":
            ledger += 1
        elif operation.verdict == "failure" and operation.picked_zone == "target":
            ledger -= 1
        operations.append(operation)
    return Judged(tuple(operations), ledger)


def _classify(candidate: OutcomeCandidate, zones: Zones, items: int, ledger: int) -> Operation:
    zone, origin = zones.of(candidate.place_m), zones.of(candidate.pick_m)
    verdict, reason = _verdict(zone, origin)
    if candidate.unsure:
        verdict, reason = "unknown", candidate.unsure
    elif "unknown" in (zone, origin):
        reason = "no position, or at the edge of a zone"
    elif verdict == "success" and ledger >= items:
        verdict, reason = "unknown", f"there are only {items} items"
    elif origin == "target" and ledger == 0:
        verdict, reason = "unknown", "taken from a target that held nothing"
    elif verdict == "success" and candidate.displacement_m < LEAST_DISPLACEMENT_M:
        verdict, reason = "unknown", "hardly moved"
    return Operation(candidate, zone, origin, ledger, verdict, reason)


def _verdict(zone: str, origin: str) -> tuple[Verdict, str]:
    if "unknown" in (zone, origin):
        return "unknown", ""
    if origin == "target":
        return ("neutral", "moved within the target") if zone == "target" else ("failure", "taken out of the target")
    if zone == "target":
        return "success", ""
    return ("neutral", "put back") if zone == "source" else ("failure", "lost")
