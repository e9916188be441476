"""The examination: episodes become questions, a model answers them, and pages say how well. Needs the simulator."""

from ._evaluate import EvalOptions, Progress, Tally, evaluate
from ._ledger import Ledger, LedgerError, read_run
from ._pages import write_pages
from ._physics import Played, arguments_of, play_plan, play_plans
from ._question import Question, question_id, question_of
from ._shots import ShotOptions
from ._summary import Summary, figure_text, summarise

__all__ = [
    "EvalOptions",
    "Ledger",
    "LedgerError",
    "Played",
    "Progress",
    "Question",
    "ShotOptions",
    "Summary",
    "Tally",
    "arguments_of",
    "evaluate",
    "figure_text",
    "play_plan",
    "play_plans",
    "question_id",
    "question_of",
    "read_run",
    "summarise",
    "write_pages",
]
