"""Planning by vision-language models: the skill language, its parsing and scores, and a symbolic executor."""

from ._call import BoundCall, SkillCall, bind
from ._executor import CallAttempt, Execution, execute
from ._judge import PlanJudgement, judge, refuses
from ._model import Model, ModelError, ModelSettings, load_model
from ._names import Names, number_marks
from ._paper import PaperScore, paper_score
from ._parse import Parsed, parse
from ._problem import Problem, ProblemError, problem_of
from ._prompt import Asked, Picture, PromptOptions, data_url, messages, plan_schema
from ._reference import ReferenceNode, ReferencePlan
from ._score import Agreement, PlanScore, score
from ._skills import COMPAT_SKILLS, SKILLS, Skill
from ._symbolic import SubGoal, SymbolicWorld

__all__ = [
    "COMPAT_SKILLS",
    "SKILLS",
    "Agreement",
    "Asked",
    "BoundCall",
    "CallAttempt",
    "Execution",
    "Model",
    "ModelError",
    "ModelSettings",
    "Names",
    "PaperScore",
    "Parsed",
    "Picture",
    "PlanJudgement",
    "PlanScore",
    "Problem",
    "ProblemError",
    "PromptOptions",
    "ReferenceNode",
    "ReferencePlan",
    "Skill",
    "SkillCall",
    "SubGoal",
    "SymbolicWorld",
    "bind",
    "data_url",
    "execute",
    "judge",
    "load_model",
    "messages",
    "number_marks",
    "paper_score",
    "parse",
    "plan_schema",
    "problem_of",
    "refuses",
    "score",
]
