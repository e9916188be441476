"""The demonstration: a whole session at the bench with nobody there and no hardware."""

from ._bench import DemoBench, DemoLayout, layout_of
from ._demo import ARMS, DemoResult, ScriptedOperator, run_demo
from ._hands import BrowserHands, DemoHands, PlainHands, find_hands

__all__ = [
    "ARMS",
    "BrowserHands",
    "DemoBench",
    "DemoHands",
    "DemoLayout",
    "DemoResult",
    "PlainHands",
    "ScriptedOperator",
    "find_hands",
    "layout_of",
    "run_demo",
]
