"""How episodes fail: classes from the path of the hand and from what the objects did."""

from ._dtw import POINTS, dtw_distances, dtw_open_end, resample, resample_all
from ._objects import LEVEL, OBJECT_CLASSES, ObjectClass, Trace, classify_objects
from ._paths import (
    MIN_PROGRESS,
    MIN_SUCCESSES,
    THRESHOLDS,
    FailureClass,
    PathClasses,
    Threshold,
    classify_paths,
    mean_success,
)

__all__ = [
    "LEVEL",
    "MIN_PROGRESS",
    "MIN_SUCCESSES",
    "OBJECT_CLASSES",
    "POINTS",
    "THRESHOLDS",
    "FailureClass",
    "ObjectClass",
    "PathClasses",
    "Threshold",
    "Trace",
    "classify_objects",
    "classify_paths",
    "dtw_distances",
    "dtw_open_end",
    "mean_success",
    "resample",
    "resample_all",
]
