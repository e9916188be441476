"""Instructions as data: paraphrases, word levels, controls, and the one reader of sentences.

Works without MuJoCo and without a network.
"""

from ._controls import CONTROLS, MISLEADING, control
from ._endpoint import Endpoint, EndpointError
from ._endpoint_stages import generate_with_endpoint
from ._errors import LanguageError
from ._generate import Paraphrase, SourceTask, generate
from ._generate_file import read_paraphrases, write_paraphrases
from ._grammar import Command, parse_instruction
from ._lexicon import Entry, Lexicon, lexicon
from ._substitute import LEVELS, Substituted, Substitution, replaceable, substitute
from ._substitute_wordnet import WordNet, installed_wordnet
from ._taxonomy import ACTION_TYPES, CELLS, COMPOUND_CELLS, OBJECT_TYPES, Cell, ParaphraseType, parse_cells
from ._verify import Verdict, Verifier, verify

__all__ = [
    "ACTION_TYPES",
    "CELLS",
    "COMPOUND_CELLS",
    "CONTROLS",
    "LEVELS",
    "MISLEADING",
    "OBJECT_TYPES",
    "Cell",
    "Command",
    "Endpoint",
    "EndpointError",
    "Entry",
    "LanguageError",
    "Lexicon",
    "Paraphrase",
    "ParaphraseType",
    "SourceTask",
    "Substituted",
    "Substitution",
    "Verdict",
    "Verifier",
    "WordNet",
    "control",
    "generate",
    "generate_with_endpoint",
    "installed_wordnet",
    "lexicon",
    "parse_cells",
    "parse_instruction",
    "read_paraphrases",
    "replaceable",
    "substitute",
    "verify",
    "write_paraphrases",
]
