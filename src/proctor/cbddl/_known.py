"""What the caller knows about assets. This package imports nothing of ours, so it must be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class KnownCategory:
    """A category for which an asset exists: whether it has a contain site, and the nouns that may name it."""

    contains: bool = False
    nouns: tuple[str, ...] = ()


Known: TypeAlias = Mapping[str, KnownCategory]
