"""One policy object for several episodes at a time: copies that share the model and nothing that an episode changes."""

from __future__ import annotations

import copy
import random
from collections import deque
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

# Larger arrays are taken for weights.
SHARED_ARRAY_BYTES = 1 << 20
_CONTAINERS = (list, tuple, set, frozenset, deque)
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, str, bytes, int, float, complex)


def episode_copy(policy: Any) -> Any:
    """Return a copy of a policy for an episode beside others of it.

    Objects, lists, maps, random generators and arrays up to 1 MiB are copied, however deep, so that what an episode
    assigns or appends stays its own. Tensors, larger arrays, functions, and whatever cannot be copied (locks, sockets,
    sessions of inference engines) are shared: weights are never copied, and must not be changed by an episode.
    """
    return _copied(policy, {})


def _copied(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    if value is None or isinstance(value, _SHARED):
        return value
    known = done.get(id(value))
    if known is not None:
        return known[1]
    if isinstance(value, np.ndarray):
        made: Any = value.copy() if value.nbytes <= SHARED_ARRAY_BYTES and value.dtype != object else value
    elif isinstance(value, np.random.Generator | np.random.RandomState | random.Random):
        made = copy.deepcopy(value)
    elif isinstance(value, dict) or type(value) in _CONTAINERS:
        return _container(value, done)
    else:
        return _object(value, done)
    # The original is kept beside its copy: as long as it lives, no other object has its id.
    done[id(value)] = (value, made)
    return made


def _container(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    if type(value) in (tuple, frozenset):
        return type(value)(_copied(item, done) for item in value)
    made = copy.copy(value)
    done[id(value)] = (value, made)
    made.clear()
    if isinstance(made, dict):
        for key, item in value.items():
            made[key] = _copied(item, done)
    elif isinstance(made, set):
        made.update(_copied(item, done) for item in value)
    else:
        made.extend(_copied(item, done) for item in value)
    return made


def _object(value: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    kind = type(value)
    # A tensor of any library offers its memory; a class with __del__ would free twice what it holds once.
    if hasattr(kind, "__dlpack__") or hasattr(kind, "__del__") or not hasattr(value, "__dict__"):
        return value
    try:
        made = copy.copy(value)
    except Exception:
        # What says that it cannot be copied is shared.
        return value
    done[id(value)] = (value, made)
    for name, item in vars(value).items():
        # Past __setattr__: modules of a network register what is assigned to them.
        made.__dict__[name] = _copied(item, done)
    return made
