"""Lists the trials that a person must look at: detector and operator disagree.

The operator's count is the source of truth for how many; the review places the events in time. An episode without a
single success is compared like any other and never left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proctor.core import ProctorError
from proctor.station.session import Attempt, Session, SessionError

from ._detector import Thresholds
from ._telemetry import read_telemetry
from ._verdict import Judged, Operation, Zones, judge

TELEMETRY_FILE = "telemetry.parquet"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One trial to look at, and why. ``detected`` is None where there was nothing to detect from."""

    trial: str
    scene: str
    reason: str
    operator: int
    detected: int | None
    operations: tuple[Operation, ...] = ()


def disagreement(judged: Judged, placed: int) -> str:
    """Return why an episode needs a person, or "": counts differ, or a verdict is unknown."""
    if judged.count != placed:
        return f"detector counts {judged.count}, operator {placed}"
    if judged.unknown:
        return f"{judged.unknown} of {len(judged.operations)} operations are unknown"
    return ""


def review_queue(session: Session, thresholds: Thresholds | None = None) -> list[ReviewItem]:
    """Return the trials to review, in order: those with an outcome that counts and no reviewed times yet."""
    zones = session.public["station"].get("zones")
    queue = []
    for attempt in session.progress.attempts:
        if attempt.counts and not attempt.edited:
            item = _examine(session, attempt, zones, thresholds)
            if item is not None:
                queue.append(item)
    return queue


def _examine(
    session: Session, attempt: Attempt, zones: Mapping[str, Any] | None, thresholds: Thresholds | None
) -> ReviewItem | None:
    assert attempt.outcome is not None
    scene, placed = session.progress.rules.scene(attempt.trial), int(attempt.outcome["placed"])
    if zones is None:
        return ReviewItem(attempt.id, scene.name, "the session has no zones", placed, None)
    path = session.folder / "trials" / attempt.id / TELEMETRY_FILE
    if not path.exists():
        return ReviewItem(attempt.id, scene.name, "there is no telemetry", placed, None)
    try:
        judged = judge(read_telemetry(path), Zones.from_dict(zones), scene.items, thresholds)
    except ProctorError as error:
        return ReviewItem(attempt.id, scene.name, str(error), placed, None)
    reason = disagreement(judged, placed)
    if not reason:
        return None
    return ReviewItem(attempt.id, scene.name, reason, placed, judged.count, judged.operations)


def confirm(session: Session, trial: str, marks: list[tuple[str, float]], reviewer: str) -> None:
    """Record reviewed times (kind, seconds) of a trial as an edit; as many are placed as the operator counted."""
    outcome = next((attempt.outcome for attempt in session.progress.attempts if attempt.id == trial), None)
    placed = sum(kind == "placed" for kind, _ in marks)
    if outcome is not None and placed != outcome["placed"]:
        raise SessionError(
            f"the operator counted {outcome['placed']} placed, you mark {placed}: correct the count first "
            f"(proctor station edit)"
        )
    session.act("edit", trial=trial, changes={"marks": marks}, reason=f"reviewed by {reviewer}")
