"""Solvers behind the rules, and independent ones that check them (``_brute``, ``_search``)."""

from ._arithmetic import evaluate
from ._chemistry import ReactionEvent, events, ions, to_avoid
from ._mahjong import kinds, waits, wins
from ._mahjong_search import wins_by_search
from ._poker import best_fives, rank_value, strength
from ._poker_brute import best_by_brute_force, worth

__all__ = [
    "ReactionEvent",
    "best_by_brute_force",
    "best_fives",
    "evaluate",
    "events",
    "ions",
    "kinds",
    "rank_value",
    "strength",
    "to_avoid",
    "waits",
    "wins",
    "wins_by_search",
    "worth",
]
