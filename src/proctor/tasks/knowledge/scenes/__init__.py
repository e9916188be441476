"""What scenes are built of, one archetype a function: where fixtures stand and where the slots are."""

from ._furniture import fixture, receptacle
from .counter import counter
from .display import easels, pedestals
from .rows import (
    BILLIARDS_X,
    CARDS_X,
    POCKETS,
    RACK_X,
    billiards,
    card_row,
    cards_in,
    flower_stand,
    holder,
    pockets,
    tile_row,
    tube_cell,
    tube_stand,
)
from .stock import books_before, on_bookshelf, on_shelves, shelf_with, slot
from .table import row, row_spots, table_with

__all__ = [
    "BILLIARDS_X",
    "CARDS_X",
    "POCKETS",
    "RACK_X",
    "billiards",
    "books_before",
    "card_row",
    "cards_in",
    "counter",
    "easels",
    "fixture",
    "flower_stand",
    "holder",
    "on_bookshelf",
    "on_shelves",
    "pedestals",
    "pockets",
    "receptacle",
    "row",
    "row_spots",
    "shelf_with",
    "slot",
    "table_with",
    "tile_row",
    "tube_cell",
    "tube_stand",
]
