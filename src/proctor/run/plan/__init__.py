"""Which episodes to run, in which order, with which seeds and which words."""

from ._plan import DRAWN, LANGUAGES, InstructionVariant, Plan, PlanTask, contains, difference
from ._select import nouns_in, plan_tasks, variant_of, with_texts

__all__ = [
    "DRAWN",
    "LANGUAGES",
    "InstructionVariant",
    "Plan",
    "PlanTask",
    "contains",
    "difference",
    "nouns_in",
    "plan_tasks",
    "variant_of",
    "with_texts",
]
