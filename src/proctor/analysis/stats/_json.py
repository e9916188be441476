"""Results as strict JSON: no NaN, no Infinity. An infinite number becomes null, with a flag beside it.

The public PhAIL tables hold a bare ``Infinity``, which most JSON readers refuse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_LEFT_OUT = frozenset({"null"})
"""Fields that hold whole resampling distributions: for plots, not for files."""


def to_plain(value: Any) -> Any:
    """Return dataclasses, arrays and numbers as dictionaries, lists and JSON scalars.

    For a field ``x`` that is infinite the result has ``x`` = null and ``x_is_infinite`` = true (or -1 for -inf).
    """
    if is_dataclass(value) and not isinstance(value, type):
        return _mapping({f.name: getattr(value, f.name) for f in fields(value) if f.name not in _LEFT_OUT})
    if isinstance(value, Mapping):
        return _mapping({str(key): item for key, item in value.items()})
    if isinstance(value, np.ndarray):
        return [to_plain(item) for item in value.tolist()]
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _mapping(items: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, item in items.items():
        result[key] = to_plain(item)
        if isinstance(item, float | np.floating) and np.isinf(item):
            result[f"{key}_is_infinite"] = True if item > 0 else -1
    return result
