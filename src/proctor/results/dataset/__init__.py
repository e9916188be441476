"""Episodes as a LeRobotDataset v3.0, written without LeRobot."""

from ._errors import DatasetError
from ._films import FilmWriter, png
from ._statistics import Stats, column_stats, picture_stats, plain, together
from ._writer import DatasetWriter, Layout, Pictures

__all__ = [
    "DatasetError",
    "DatasetWriter",
    "FilmWriter",
    "Layout",
    "Pictures",
    "Stats",
    "column_stats",
    "picture_stats",
    "plain",
    "png",
    "together",
]
