"""The demonstration: a whole session at the bench with nobody there and no hardware."""

from ._bench import DemoBench
from ._demo import ARMS, DemoResult, run_demo
from ._hands import BrowserHands, Hands, PlainHands, find_hands
from ._layouts import Layout, layout_of
from ._operator import ScriptedOperator

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
