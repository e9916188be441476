"""What scenes are built of, one archetype a file: where fixtures stand and where the slots are."""

from ._piece import Piece
from .table import table_with

__all__ = ["Piece", "table_with"]
