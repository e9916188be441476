"""Instructions as data: how far a paraphrase is from its original, and what that distance does to a policy.

Works without MuJoCo and without a network. What needs a parser or word vectors loads it at the first call; the packages
are pinned and installed by ``proctor language setup``.
"""

from ._errors import LanguageError
from ._pride import ALPHA, MODES, Mode, PairScore, require_alpha, score_pairs
from ._pride_checks import MAX_WORDS, NOTES, notes_on
from ._pride_score import SWEEP, Attempt, Estimate, Group, Interval, PrideSummary, pride_summary
from ._setup import PACKAGES, SETUP_COMMAND, Package, damage_of, fingerprint, problem_of, set_up
from ._trees import Tree, edit_distance, forest_distance

__all__ = [
    "ALPHA",
    "MAX_WORDS",
    "MODES",
    "NOTES",
    "PACKAGES",
    "SETUP_COMMAND",
    "SWEEP",
    "Attempt",
    "Estimate",
    "Group",
    "Interval",
    "LanguageError",
    "Mode",
    "Package",
    "PairScore",
    "PrideSummary",
    "Tree",
    "damage_of",
    "edit_distance",
    "fingerprint",
    "forest_distance",
    "notes_on",
    "pride_summary",
    "problem_of",
    "require_alpha",
    "score_pairs",
    "set_up",
]
