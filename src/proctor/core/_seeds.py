"""Randomness: one seed per episode, split by name, no global generator.

``named_seed(s, "layout")`` is the first 8 bytes of SHA-256 over the seed and the names, so a stream depends on nothing
but its own name: adding a new stream never changes an old one.
"""

from __future__ import annotations

import hashlib

import numpy as np


def named_seed(seed: int, *names: str | int) -> int:
    """Derive an independent 64-bit seed from ``seed`` for the stream called ``names``."""
    text = "\x1f".join([str(int(seed)), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def named_rng(seed: int, *names: str | int) -> np.random.Generator:
    """Return the random generator of the stream called ``names``."""
    return np.random.Generator(np.random.PCG64(named_seed(seed, *names)))
