"""What an answer depends on besides the task: the code that gave it and the versions below.

The code is hashed as syntax trees without docstrings, so that a comment does not cost an hour of computing. What the
bench's generator makes of a task is part of the answer's key (`_store`); its code and tables count here only where
more is asked than the layouts show.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path

import numpy as np

from ._job import Question, shared_env

_HERE = Path(__file__).parents[1]
_WORLD = (
    "core/*.py",
    "cbddl/*.py",
    "assets/*.py",
    "world/**/*.py",
    "plan/_plan.py",
    "rollout/_episode.py",
    "rollout/_actions.py",
    "policies/_builtin.py",
    "check/_certificate.py",
    "check/_drawn.py",
    "check/_job*.py",
    "check/_played.py",
    "check/_referent*.py",
)
_EXPERT = ("expert/*.py",)
_BENCH_THINGS = ("assets/bench/*.py",)
_BENCH_DEALS = ("bench/**/*.py", "bench/**/*.json")


@functools.cache
def fingerprint(question: Question, *, bench: bool = False) -> str:
    """Return 16 hexadecimal digits that change when the answer to a question may; the expert's code is in its own.

    ``bench``: the task has things of the bench.
    """
    patterns = _WORLD + (_EXPERT if question in ("expert", "reckless") else ())
    if bench:
        patterns += _BENCH_THINGS + (_BENCH_DEALS if question in ("text", "unique") else ())
    versions = shared_env().spec().fingerprint
    digest = hashlib.sha256(f"{versions['mujoco']} {versions['robot']} {np.__version__}".encode())
    for path in sorted({path for pattern in patterns for path in _HERE.glob(pattern)}):
        digest.update(f"{path.relative_to(_HERE).as_posix()}\0{_meaning(path)}\0".encode())
    return digest.hexdigest()[:16]


@functools.cache
def _meaning(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return meaning_of(text) if path.suffix == ".py" else text


def meaning_of(source: str) -> str:
    """Return a text that is equal for two sources which differ in comments, layout and docstrings only."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and body:
            first = body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                del body[0]
    return ast.dump(tree)
