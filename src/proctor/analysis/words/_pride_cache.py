"""Scores of sentence pairs on disk, so that a second look costs nothing.

One SQLite file in ``$PROCTOR_CACHE`` or ``~/.cache/proctor``. A key is a hash over the versions and file hashes of the
pinned packages, our own version of the rule, the mode and both texts: what would change a score changes its key. A
cache that cannot be read or written is left aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ._setup import fingerprint

RULE = 1
"""Raised whenever a change of our code changes a score."""

_AT_ONCE = 500


def cache_file() -> Path:
    """Return where the scores are kept."""
    base = os.environ.get("PROCTOR_CACHE")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "proctor"
    return root / "language" / "pride.sqlite"


def key_of(mode: str, original: str, paraphrase: str) -> str:
    """Return the key of a pair of texts under ``mode``."""
    parts = [RULE, fingerprint(), mode, original, paraphrase]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    path = cache_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=10)
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
        )
        yield connection
        connection.commit()
    finally:
        connection.close()


def recall(keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what is known of ``keys``."""
    wanted = list(keys)
    found: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(OSError, sqlite3.Error, ValueError), _opened() as connection:
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            for key, value in connection.execute(f"SELECT key, value FROM scores WHERE key IN ({marks})", part):
                found[key] = json.loads(value)
    return found


def remember(scores: Mapping[str, Mapping[str, Any]]) -> None:
    """Keep ``scores`` by key."""
    rows = [(key, json.dumps(value)) for key, value in scores.items()]
    with contextlib.suppress(OSError, sqlite3.Error), _opened() as connection:
        connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)
