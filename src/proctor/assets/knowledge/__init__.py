"""The things of the `bench` suite: one file per family, found by the registry; and what can be asked of a painting."""

from ._style_checks import style_holds, styles_of
from ._styles import STYLES, paint

__all__ = ["STYLES", "paint", "style_holds", "styles_of"]
