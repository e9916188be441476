"""Turns episode rows into a static folder of pages in which every number links to its rows."""

from ._language import object_class, path_classes
from ._load import ReportError
from ._scores import (
    PLAN_NOTE,
    SCORES,
    MeanScore,
    PlanFigures,
    PlanSummary,
    ScoreChange,
    Scored,
    ScorePage,
    plan_failure,
    points,
    read_scores,
    summarise_plans,
)
from ._site import DEFAULT_MAX_PAGES, write_report
from ._summary import Proportion
from ._svg import radar
from ._verdict import SafePair, safe_pairs

__all__ = [
    "DEFAULT_MAX_PAGES",
    "PLAN_NOTE",
    "SCORES",
    "MeanScore",
    "PlanFigures",
    "PlanSummary",
    "Proportion",
    "ReportError",
    "SafePair",
    "ScoreChange",
    "ScorePage",
    "Scored",
    "object_class",
    "path_classes",
    "plan_failure",
    "points",
    "radar",
    "read_scores",
    "safe_pairs",
    "summarise_plans",
    "write_report",
]
