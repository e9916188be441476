"""Turns episode rows into a static folder of pages in which every number links to its rows."""

from ._failures import object_class, path_classes
from ._load import ReportError
from ._plans import PLAN_NOTE, PlanFigures, PlanSummary, plan_failure, points, summarise_plans
from ._radar import radar
from ._safe_pairs import SafePair, safe_pairs
from ._scores import SCORES, Change, Score, Scored, ScorePage, read_scores
from ._site import DEFAULT_MAX_PAGES, write_report
from ._summary import Proportion

__all__ = [
    "DEFAULT_MAX_PAGES",
    "PLAN_NOTE",
    "SCORES",
    "Change",
    "PlanFigures",
    "PlanSummary",
    "Proportion",
    "ReportError",
    "SafePair",
    "Score",
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
