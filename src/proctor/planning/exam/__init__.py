"""The examination: episodes become questions, a model answers them, and the answers are rows of a run folder."""

from ._evaluate import EvalOptions, ExamProgress, ExamTally, ShotOptions, evaluate
from ._physics import arguments_of, play_plan, play_plans
from ._question import PlanQuestion, question_of
from ._row import row_ids

__all__ = [
    "EvalOptions",
    "ExamProgress",
    "ExamTally",
    "PlanQuestion",
    "ShotOptions",
    "arguments_of",
    "evaluate",
    "play_plan",
    "play_plans",
    "question_of",
    "row_ids",
]
