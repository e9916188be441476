"""Proctor examines robot policies: what they can do, how they fail, whether they are safe, which is really better."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._compare import ComparedRuns, compare
    from ._evaluate import evaluate
    from ._experiment import Experiment
    from ._finished import Run, SuccessRate, load_run
    from .core import Env, EpisodeSpec, Observation, Policy, PolicySpec, ProctorError
    from .results import Episode
    from .run.gym import make_env

__version__ = "0.1.0"

__all__ = [
    "ComparedRuns",
    "Env",
    "Episode",
    "EpisodeSpec",
    "Experiment",
    "Observation",
    "Policy",
    "PolicySpec",
    "ProctorError",
    "Run",
    "SuccessRate",
    "__version__",
    "compare",
    "evaluate",
    "load_run",
    "make_env",
]

# Loaded when first asked for: NumPy alone takes a tenth of a second, and ``proctor --help`` needs none of this.
_HOME = {
    "ComparedRuns": "proctor._compare",
    "Env": "proctor.core",
    "Episode": "proctor.results",
    "EpisodeSpec": "proctor.core",
    "Experiment": "proctor._experiment",
    "Observation": "proctor.core",
    "Policy": "proctor.core",
    "PolicySpec": "proctor.core",
    "ProctorError": "proctor.core",
    "Run": "proctor._finished",
    "SuccessRate": "proctor._finished",
    "compare": "proctor._compare",
    "evaluate": "proctor._evaluate",
    "load_run": "proctor._finished",
    "make_env": "proctor.run.gym",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = globals()[name] = getattr(importlib.import_module(_HOME[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
