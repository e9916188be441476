"""The vocabulary every other package shares: data that crosses a seam, the seams themselves, errors, seeds.

It holds no behaviour of its own, so that ``world`` and ``policies``, ``rollout`` and ``lab`` can agree on a type
without importing one another.
"""

from ._cache import build_once, cache_root
from ._errors import ProctorError, did_you_mean
from ._files import sync_folder, write_whole
from ._gl import choose_gl_backend
from ._jsonl import JsonLines, KeyedLines, StoredLine, StoreError, json_line, parsed_lines, whole_lines
from ._protocols import BatchPolicy, Env, FittingPolicy, Policy, PrivilegedPolicy, TellingPolicy
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
    "VISION_LEVELS",
    "BatchPolicy",
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
    "did_you_mean",
    "episode_seed",
    "episode_spec",
    "holds_at_zero",
    "json_line",
    "named_rng",
    "named_seed",
    "parsed_lines",
    "require_compatible",
    "sync_folder",
    "task_source",
    "task_sources",
    "whole_lines",
    "write_whole",
]
