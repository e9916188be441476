"""Instructions as data: how far a paraphrase is from its original, and what that distance does to a policy.

Works without MuJoCo and without a network. What needs a parser or word vectors loads it at the first call; the packages
are pinned and installed by ``proctor language setup``.
"""

from ._agreement import Consensus, Item, consensus, draw_items, read_sheets, write_sheet
from ._controls import CONTROLS, MISLEADING, control
from ._controls_index import ControlLine, Listening, Outcomes, Ratio, heedlessness, listening
from ._dtw import POINTS, dtw_distances, dtw_open_end, resample, resample_all
from ._endpoint import Endpoint, EndpointError
from ._endpoint_stages import generate_with_endpoint
from ._errors import LanguageError
from ._failures import (
    MIN_PROGRESS,
    MIN_SUCCESSES,
    THRESHOLDS,
    FailureClass,
    PathClasses,
    Threshold,
    classify_paths,
    mean_success,
)
from ._failures_objects import LEVEL, OBJECT_CLASSES, ObjectClass, Trace, classify_objects
from ._generate import Paraphrase, SourceTask, generate
from ._generate_file import read_paraphrases, write_paraphrases
from ._grammar import Command, parse_instruction
from ._lexicon import Entry, Lexicon, lexicon
from ._minilm import minilm
from ._pride import ALPHA, MODES, Mode, PairScore, require_alpha, score_pairs
from ._pride_checks import MAX_WORDS, NOTES, PREAMBLE, notes_on
from ._pride_score import SWEEP, Attempt, Estimate, Group, Interval, PrideSummary, pride_summary
from ._setup import PACKAGES, SETUP_COMMAND, Package, damage_of, fingerprint, problem_of, set_up
from ._substitute import LEVELS, Substituted, Substitution, replaceable, substitute
from ._substitute_wordnet import WordNet, installed_wordnet
from ._taxonomy import ACTION_TYPES, CELLS, COMPOUND_CELLS, OBJECT_TYPES, Cell, ParaphraseType, parse_cells
from ._trees import Tree, edit_distance, forest_distance
from ._verify import Verdict, Verifier, verify

__all__ = [
    "ACTION_TYPES",
    "ALPHA",
    "CELLS",
    "COMPOUND_CELLS",
    "CONTROLS",
    "LEVEL",
    "LEVELS",
    "MAX_WORDS",
    "MIN_PROGRESS",
    "MIN_SUCCESSES",
    "MISLEADING",
    "MODES",
    "NOTES",
    "OBJECT_CLASSES",
    "OBJECT_TYPES",
    "PACKAGES",
    "POINTS",
    "PREAMBLE",
    "SETUP_COMMAND",
    "SWEEP",
    "THRESHOLDS",
    "Attempt",
    "Cell",
    "Command",
    "Consensus",
    "ControlLine",
    "Endpoint",
    "EndpointError",
    "Entry",
    "Estimate",
    "FailureClass",
    "Group",
    "Interval",
    "Item",
    "LanguageError",
    "Lexicon",
    "Listening",
    "Mode",
    "ObjectClass",
    "Outcomes",
    "Package",
    "PairScore",
    "Paraphrase",
    "ParaphraseType",
    "PathClasses",
    "PrideSummary",
    "Ratio",
    "SourceTask",
    "Substituted",
    "Substitution",
    "Threshold",
    "Trace",
    "Tree",
    "Verdict",
    "Verifier",
    "WordNet",
    "classify_objects",
    "classify_paths",
    "consensus",
    "control",
    "damage_of",
    "draw_items",
    "dtw_distances",
    "dtw_open_end",
    "edit_distance",
    "fingerprint",
    "forest_distance",
    "generate",
    "generate_with_endpoint",
    "heedlessness",
    "installed_wordnet",
    "lexicon",
    "listening",
    "mean_success",
    "minilm",
    "notes_on",
    "parse_cells",
    "parse_instruction",
    "pride_summary",
    "problem_of",
    "read_paraphrases",
    "read_sheets",
    "replaceable",
    "require_alpha",
    "resample",
    "resample_all",
    "score_pairs",
    "set_up",
    "substitute",
    "verify",
    "write_paraphrases",
    "write_sheet",
]
