"""Episodes as a LeRobotDataset v3.0, written without LeRobot."""

from ._errors import DatasetError
from ._films import FilmWriter, png
from ._statistics import Stats, column_stats, picture_stats, plain, together
from ._writer import DatasetLayout, DatasetWriter, Pictures

__all__ = [
    "DatasetError",
    "DatasetLayout",
    "DatasetWriter",
    "FilmWriter",
    "Pictures",
    "Stats",
    "column_stats",
    "picture_stats",
    "plain",
    "png",
    "together",
]
