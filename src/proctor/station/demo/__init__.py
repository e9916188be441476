"""The demonstration: a whole session at the bench with nobody there and no hardware."""

from ._bench import DemoBench, Layout, layout_of
from ._demo import ARMS, DemoResult, ScriptedOperator, run_demo
from ._hands import BrowserHands, Hands, PlainHands, find_hands

__all__ = [
    "ARMS",
    "BrowserHands",
    "DemoBench",
    "DemoResult",
    "Hands",
    "Layout",
    "PlainHands",
    "ScriptedOperator",
    "find_hands",
    "layout_of",
    "run_demo",
]
