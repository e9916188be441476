"""Calibration boards and how they are found in pictures.

The sector-based finder sees the board in 28 of the 30 calibration pictures that VLA-REPLICA ships; the older one, which
its program uses, in a single one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._types import CameraError, Picture

_TEXT = re.compile(r"(?:(charuco):)?(\d+)x(\d+)")
# Markers of a ChArUco board are this share of a square unless told otherwise.
_MARKER = 0.75


@dataclass(frozen=True, slots=True)
class Board:
    """A chessboard with ``columns`` x ``rows`` inner corners, or a ChArUco board with that many squares.

    ``square`` is the edge of a square in any unit: the lens does not depend on it.
    """

    columns: int
    rows: int
    charuco: bool = False
    square: float = 1.0

    def __str__(self) -> str:
        return f"{'charuco:' if self.charuco else ''}{self.columns}x{self.rows}"


@dataclass(frozen=True, eq=False)
class BoardView:
    """Corners of a board in one picture: where they are on the board [N, 3] and in the picture [N, 2].

    Pixels as OpenCV has them: from the middle of the first.
    """

    on_board: NDArray[np.float32]
    in_picture: NDArray[np.float32]


def parse_board(text: str) -> Board:
    """Return the board of ``8x6`` (inner corners of a chessboard) or ``charuco:9x7`` (squares)."""
    found = _TEXT.fullmatch(text)
    if not found or min(int(found[2]), int(found[3])) < 3:
        raise CameraError(f"board {text!r}: write 8x6 (inner corners of a chessboard) or charuco:9x7 (squares)")
    return Board(int(found[2]), int(found[3]), bool(found[1]))


def find_board(picture: Picture, board: Board) -> BoardView | None:
    """Return the board's corners in a picture, or None."""
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    if board.charuco:
        return _charuco(grey, board)
    flags = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY
    found, corners = cv2.findChessboardCornersSB(grey, (board.columns, board.rows), flags=flags)
    if not found:
        return None
    grid = np.zeros((board.columns * board.rows, 3), np.float32)
    grid[:, :2] = np.mgrid[: board.columns, : board.rows].T.reshape(-1, 2) * board.square
    return BoardView(grid, corners.reshape(-1, 2).astype(np.float32))


def charuco_board(board: Board) -> Any:
    """Return OpenCV's own object for a ChArUco board, with markers of 4 x 4 cells."""
    import cv2

    markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    return cv2.aruco.CharucoBoard((board.columns, board.rows), board.square, board.square * _MARKER, markers)


def _charuco(grey: Any, board: Board) -> BoardView | None:
    import cv2

    printed = charuco_board(board)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(printed).detectBoard(grey)
    if numbers is None or len(numbers) < 6:
        return None
    on_board = printed.getChessboardCorners()[np.asarray(numbers).ravel()]
    return BoardView(np.asarray(on_board, np.float32), np.asarray(corners, np.float32).reshape(-1, 2))
