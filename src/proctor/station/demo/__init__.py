"""The demonstration: a whole session at the station with nobody there and no hardware."""

from ._demo import ARMS, DemoResult, ScriptedOperator, run_demo
from ._hands import BrowserHands, DemoHands, PlainHands, find_hands
from ._station import DemoLayout, DemoStation, layout_of

__all__ = [
    "ARMS",
    "BrowserHands",
    "DemoHands",
    "DemoLayout",
    "DemoResult",
    "DemoStation",
    "PlainHands",
    "ScriptedOperator",
    "find_hands",
    "layout_of",
    "run_demo",
]
