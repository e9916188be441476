"""Pictures of a scene with numbers on what a plan may name, and nothing hidden by them."""

from ._draw import Marked, MarkError, draw_marks
from ._take import VIEWS, View, Viewed, take_views
from ._things import Thing, things_of

__all__ = ["VIEWS", "MarkError", "Marked", "Thing", "View", "Viewed", "draw_marks", "take_views", "things_of"]
