"""The things of the knowledge suite, a file per family (`categories.toml`); and how its paintings are painted."""

from ._scenes import SUBJECTS
from ._styles import BLOCK_PX, PRIMARIES, STYLES, paint

__all__ = ["BLOCK_PX", "PRIMARIES", "STYLES", "SUBJECTS", "paint"]
