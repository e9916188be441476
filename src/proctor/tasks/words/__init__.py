"""Instructions as data: paraphrases, word levels, controls, and the one reader of sentences.

Works without MuJoCo and without a network.
"""

from ._controls import CONTROLS, MISLEADING, control
from ._endpoint import generate_with_endpoint, read_judgement, read_list
from ._errors import LanguageError
from ._generate import Paraphrase, SourceTask, generate
from ._generate_file import read_paraphrases, write_paraphrases
from ._grammar import VERBS, ParsedInstruction, parse_instruction
from ._lexicon import Lexicon, LexiconEntry, inflect, lexicon, read_lexicon
from ._lint import instruction_defects
from ._phrases import (
    IT,
    Kind,
    Mention,
    NounPhrase,
    Relation,
    Scene,
    SceneNames,
    mentions,
    noun_phrases,
    placement,
    referents,
)
from ._requests import Description, Intent, describe, intents
from ._substitute import LEVELS, Substituted, Substitution, replaceable, substitute
from ._taxonomy import (
    ACTION_TYPES,
    CELLS,
    COMPOUND_CELLS,
    EXAMPLE_ORIGINAL,
    OBJECT_TYPES,
    Cell,
    ParaphraseType,
    parse_cells,
)
from ._verify import Verifier, WordingVerdict, verify
from ._wording import LEXICON_VERBS, acts_of, fields
from ._wordnet import WordNet, installed_wordnet
from ._words import COMMON_WORDS, content_words, singulars, tokens

__all__ = [
    "ACTION_TYPES",
    "CELLS",
    "COMMON_WORDS",
    "COMPOUND_CELLS",
    "CONTROLS",
    "EXAMPLE_ORIGINAL",
    "IT",
    "LEVELS",
    "LEXICON_VERBS",
    "MISLEADING",
    "OBJECT_TYPES",
    "VERBS",
    "Cell",
    "Description",
    "Intent",
    "Kind",
    "LanguageError",
    "Lexicon",
    "LexiconEntry",
    "Mention",
    "NounPhrase",
    "Paraphrase",
    "ParaphraseType",
    "ParsedInstruction",
    "Relation",
    "Scene",
    "SceneNames",
    "SourceTask",
    "Substituted",
    "Substitution",
    "Verifier",
    "WordNet",
    "WordingVerdict",
    "acts_of",
    "content_words",
    "control",
    "describe",
    "fields",
    "generate",
    "generate_with_endpoint",
    "inflect",
    "installed_wordnet",
    "instruction_defects",
    "intents",
    "lexicon",
    "mentions",
    "noun_phrases",
    "parse_cells",
    "parse_instruction",
    "placement",
    "read_judgement",
    "read_lexicon",
    "read_list",
    "read_paraphrases",
    "referents",
    "replaceable",
    "singulars",
    "substitute",
    "tokens",
    "verify",
    "write_paraphrases",
]
