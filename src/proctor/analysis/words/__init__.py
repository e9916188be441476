"""What words do to a policy: the distance of a paraphrase (PRIDE), agreement of people, instruction following.

Works without MuJoCo and without a network. What needs a parser or word vectors loads it at the first call; the
packages are pinned and installed by ``proctor language setup``.
"""

from ._agreement import Consensus, RatedItem, consensus, draw_items, read_sheets, write_sheet
from ._distance import ALPHA, MODES, Mode, PairScore, analyse, cache_file, require_alpha, score_pairs
from ._following import ControlLine, Following, Outcomes, Ratio, following, ignoring_rate
from ._minilm import MAX_TOKENS, encode, minilm, pieces_of, read_safetensors, read_vocabulary, words_of
from ._pride import SWEEP, Estimate, Interval, PrideGroup, PrideSummary, SentenceAttempt, pride_summary
from ._pride_checks import MAX_WORDS, NOTES, PREAMBLE, notes_on
from ._setup import MINILM, PACKAGES, SETUP_COMMAND, Package, damage_of, fingerprint, folder_of, problem_of, set_up
from ._trees import Tree, edit_distance, forest_distance

__all__ = [
    "ALPHA",
    "MAX_TOKENS",
    "MAX_WORDS",
    "MINILM",
    "MODES",
    "NOTES",
    "PACKAGES",
    "PREAMBLE",
    "SETUP_COMMAND",
    "SWEEP",
    "Consensus",
    "ControlLine",
    "Estimate",
    "Following",
    "Interval",
    "Mode",
    "Outcomes",
    "Package",
    "PairScore",
    "PrideGroup",
    "PrideSummary",
    "RatedItem",
    "Ratio",
    "SentenceAttempt",
    "Tree",
    "analyse",
    "cache_file",
    "consensus",
    "damage_of",
    "draw_items",
    "edit_distance",
    "encode",
    "fingerprint",
    "folder_of",
    "following",
    "forest_distance",
    "ignoring_rate",
    "minilm",
    "notes_on",
    "pieces_of",
    "pride_summary",
    "problem_of",
    "read_safetensors",
    "read_sheets",
    "read_vocabulary",
    "require_alpha",
    "score_pairs",
    "set_up",
    "words_of",
    "write_sheet",
]
