"""What every other package shares: data that crosses a seam, the seams themselves, errors, seeds; and three tools of
which there is one each: a store of JSON lines, a launcher of child processes, a chat client.
"""

from ._cache import build_once, cache_root
from ._child import ChildProcess, PythonChild, die_with, start_python
from ._code import code_digest, source_digest
from ._digest import digest_of, kept_digest
from ._errors import ProctorError, did_you_mean
from ._files import sync_folder, write_whole
from ._gl import choose_gl_backend
from ._jsonl import JsonLines, KeyedLines, StoredLine, StoreError, json_line, parsed_lines, whole_lines
from ._protocols import BatchPolicy, Env, FittingPolicy, Policy, PrivilegedPolicy, TellingPolicy
from ._provenance import MAKERS, PRODUCTS, policy_code, simulator_code
from ._seeds import named_rng, named_seed
from ._shard import Shard
from ._tasks import (
    DrawnEpisode,
    DrawnFacts,
    TaskEntry,
    TaskSource,
    episode_seed,
    episode_spec,
    task_source,
    task_sources,
)
from ._timing import StepDebt, Timing, holds_at_zero
from ._types import (
    VISION_LEVELS,
    CostEntry,
    EnvSpec,
    EpisodeSpec,
    Event,
    Fault,
    ObjectTrace,
    Observation,
    Outcome,
    PolicySpec,
    SpecMismatchError,
    Step,
    require_compatible,
)

__all__ = [
    "MAKERS",
    "PRODUCTS",
    "VISION_LEVELS",
    "BatchPolicy",
    "ChildProcess",
    "CostEntry",
    "DrawnEpisode",
    "DrawnFacts",
    "Env",
    "EnvSpec",
    "EpisodeSpec",
    "Event",
    "Fault",
    "FittingPolicy",
    "JsonLines",
    "KeyedLines",
    "ObjectTrace",
    "Observation",
    "Outcome",
    "Policy",
    "PolicySpec",
    "PrivilegedPolicy",
    "ProctorError",
    "PythonChild",
    "Shard",
    "SpecMismatchError",
    "Step",
    "StepDebt",
    "StoreError",
    "StoredLine",
    "TaskEntry",
    "TaskSource",
    "TellingPolicy",
    "Timing",
    "build_once",
    "cache_root",
    "choose_gl_backend",
    "code_digest",
    "did_you_mean",
    "die_with",
    "digest_of",
    "episode_seed",
    "episode_spec",
    "holds_at_zero",
    "json_line",
    "kept_digest",
    "named_rng",
    "named_seed",
    "parsed_lines",
    "policy_code",
    "require_compatible",
    "simulator_code",
    "source_digest",
    "start_python",
    "sync_folder",
    "task_source",
    "task_sources",
    "whole_lines",
    "write_whole",
]
