"""Agents: minds without training that see at a stated level and act through the skills as tools."""

from ._language import LanguageAgent
from ._policy import AgentPolicy
from ._random import RandomAgent
from ._rule import RuleAgent
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
    "SeenThing",
    "SeenView",
    "Tool",
    "ToolCall",
    "ToolResult",
]
