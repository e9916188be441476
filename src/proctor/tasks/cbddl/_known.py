"""What the caller knows about assets. This package imports nothing of ours, so it must be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class KnownCategory:
    """A category for which an asset exists: whether it has a contain site, its nouns, its inner radius.

    ``inner_m`` is the radius of the largest circle about its origin that lies in its footprint; 0: not known.
    """

    contains: bool = False
    nouns: tuple[str, ...] = ()
    inner_m: float = 0.0


Known: TypeAlias = Mapping[str, KnownCategory]
