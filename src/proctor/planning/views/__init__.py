"""Pictures of a scene with numbers on what a plan may name, and nothing hidden by them."""

from ._canvas import MARGIN
from ._draw import Marked, MarkError, draw_marks
from ._take import SIZE, VIEWS, View, Viewed, pixel_of, png, take_views
from ._things import Thing, joint_before, things_of

__all__ = [
    "MARGIN",
    "SIZE",
    "VIEWS",
    "MarkError",
    "Marked",
    "Thing",
    "View",
    "Viewed",
    "draw_marks",
    "joint_before",
    "pixel_of",
    "png",
    "take_views",
    "things_of",
]
