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
from ._lint import instruction_defects
from ._minilm import minilm
from ._phrases import (
    IT,
    Kind,
    Mention,
    Names,
    NounPhrase,
    Relation,
    Scene,
    mentions,
    noun_phrases,
    placement,
    referents,
)
from ._pride import ALPHA, MODES, Mode, PairScore, require_alpha, score_pairs
from ._pride_checks import MAX_WORDS, NOTES, PREAMBLE, notes_on
from ._pride_score import SWEEP, Attempt, Estimate, Group, Interval, PrideSummary, pride_summary
from ._requests import Description, Intent, describe, intents
from ._setup import PACKAGES, SETUP_COMMAND, Package, damage_of, fingerprint, problem_of, set_up
from ._substitute import LEVELS, Substituted, Substitution, replaceable, substitute
from ._substitute_wordnet import WordNet, installed_wordnet
from ._taxonomy import ACTION_TYPES, CELLS, COMPOUND_CELLS, OBJECT_TYPES, Cell, ParaphraseType, parse_cells
from ._trees import Tree, edit_distance, forest_distance
from ._verify import Verdict, Verifier, verify
from ._words import content_words, singulars, tokens

__all__ = [
    "ACTION_TYPES",
    "ALPHA",
    "CELLS",
    "COMPOUND_CELLS",
    "CONTROLS",
    "IT",
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
    "Description",
    "Endpoint",
    "EndpointError",
    "Entry",
    "Estimate",
    "FailureClass",
    "Group",
    "Intent",
    "Interval",
    "Item",
    "Kind",
    "LanguageError",
    "Lexicon",
    "Listening",
    "Mention",
    "Mode",
    "Names",
    "NounPhrase",
    "ObjectClass",
    "Outcomes",
    "Package",
    "PairScore",
    "Paraphrase",
    "ParaphraseType",
    "PathClasses",
    "PrideSummary",
    "Ratio",
    "Relation",
    "Scene",
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
    "content_words",
    "control",
    "damage_of",
    "describe",
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
    "instruction_defects",
    "intents",
    "lexicon",
    "listening",
    "mean_success",
    "mentions",
    "minilm",
    "notes_on",
    "noun_phrases",
    "parse_cells",
    "parse_instruction",
    "placement",
    "pride_summary",
    "problem_of",
    "read_paraphrases",
    "read_sheets",
    "referents",
    "replaceable",
    "require_alpha",
    "resample",
    "resample_all",
    "score_pairs",
    "set_up",
    "singulars",
    "substitute",
    "tokens",
    "verify",
    "write_paraphrases",
    "write_sheet",
]
