"""Agents: models and rules without training that see at a stated level and act through the skills as tools."""

from ._language import LanguageAgent, UnreadableError, read_answer
from ._policy import AgentPolicy
from ._random import RandomAgent
from ._rule import RuleAgent, Rules, calls_for, ground
from ._senses import Senses
from ._tools import ToolProblem, tools
from ._types import (
    LEVELS,
    Agent,
    AgentObservation,
    Budget,
    Done,
    Level,
    Look,
    Part,
    SeenThing,
    SeenView,
    Tool,
    ToolCall,
    ToolResult,
)

__all__ = [
    "LEVELS",
    "Agent",
    "AgentObservation",
    "AgentPolicy",
    "Budget",
    "Done",
    "LanguageAgent",
    "Level",
    "Look",
    "Part",
    "RandomAgent",
    "RuleAgent",
    "Rules",
    "SeenThing",
    "SeenView",
    "Senses",
    "Tool",
    "ToolCall",
    "ToolProblem",
    "ToolResult",
    "UnreadableError",
    "calls_for",
    "ground",
    "read_answer",
    "tools",
]
