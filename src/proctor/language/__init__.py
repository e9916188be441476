"""Instructions as data: how far a paraphrase is from its original, and what that distance does to a policy.

Works without MuJoCo and without a network. What needs a parser or word vectors loads it at the first call; the packages
are pinned and installed by ``proctor language setup``.
"""

from ._agreement import Consensus, Item, consensus, draw_items, read_sheets, write_sheet
from ._dtw import POINTS, dtw_distances, resample, resample_all
from ._errors import LanguageError
from ._failures import (
    MIN_SUCCESSES,
    THRESHOLDS,
    FailureClass,
    PathClasses,
    Threshold,
    classify_paths,
)
from ._failures_objects import LEVEL, OBJECT_CLASSES, ObjectClass, Trace, classify_objects
from ._pride import ALPHA, MODES, Mode, PairScore, require_alpha, score_pairs
from ._pride_checks import MAX_WORDS, NOTES, notes_on
from ._pride_score import SWEEP, Attempt, Estimate, Group, Interval, PrideSummary, pride_summary
from ._setup import PACKAGES, SETUP_COMMAND, Package, damage_of, fingerprint, problem_of, set_up
from ._trees import Tree, edit_distance, forest_distance

__all__ = [
    "ALPHA",
    "LEVEL",
    "MAX_WORDS",
    "MIN_SUCCESSES",
    "MODES",
    "NOTES",
    "OBJECT_CLASSES",
    "PACKAGES",
    "POINTS",
    "SETUP_COMMAND",
    "SWEEP",
    "THRESHOLDS",
    "Attempt",
    "Consensus",
    "Estimate",
    "FailureClass",
    "Group",
    "Interval",
    "Item",
    "LanguageError",
    "Mode",
    "ObjectClass",
    "Package",
    "PairScore",
    "PathClasses",
    "PrideSummary",
    "Threshold",
    "Trace",
    "Tree",
    "classify_objects",
    "classify_paths",
    "consensus",
    "damage_of",
    "draw_items",
    "dtw_distances",
    "edit_distance",
    "fingerprint",
    "forest_distance",
    "notes_on",
    "pride_summary",
    "problem_of",
    "read_sheets",
    "require_alpha",
    "resample",
    "resample_all",
    "score_pairs",
    "set_up",
    "write_sheet",
]
