"""Operation events from gripper telemetry: what was released or dropped, what it was worth, what needs a person."""

from ._detector import OutcomeCandidate, Thresholds, find_candidates
from ._review import ReviewItem, confirm, disagreement, review_queue
from ._telemetry import CLOSED_DEG, OPEN_DEG, TrialTelemetry, read_telemetry
from ._verdict import Box, Judged, Operation, Verdict, Zones, judge

__all__ = [
    "CLOSED_DEG",
    "OPEN_DEG",
    "Box",
    "Judged",
    "Operation",
    "OutcomeCandidate",
    "ReviewItem",
    "Thresholds",
    "TrialTelemetry",
    "Verdict",
    "Zones",
    "confirm",
    "disagreement",
    "find_candidates",
    "judge",
    "read_telemetry",
    "review_queue",
]
