"""Reading a camera until there is enough: views of a board, sightings of the tag."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._board import Board, BoardView, find_board
from ._tag import FEWEST_FRAMES, detect_tag
from ._types import Camera, CameraError, Frame, Picture, PicturesEndedError

# Corners have to move this far on average before another view of the board is worth having.
_MOVED_PX: Final = 25.0


def fresh_frames(camera: Camera, patience_s: float) -> Iterator[Frame]:
    """Yield pictures that differ in time, until ``patience_s`` have passed or pictures from disk have ended."""
    end, last = time.monotonic() + patience_s, -np.inf
    while time.monotonic() < end:
        try:
            frame = camera.read()
        except PicturesEndedError:
            return
        if frame.time_s > last:
            last = frame.time_s
            yield frame
        else:
            time.sleep(0.002)


def collect_views(
    camera: Camera,
    board: Board,
    wanted: int,
    patience_s: float,
    seen: Callable[[int, Picture], None] = lambda number, picture: None,
) -> tuple[list[BoardView], tuple[int, int]]:
    """Return views of a board that differ from one another, and the pictures' size. ``seen`` is told of each."""
    views: list[BoardView] = []
    size = (0, 0)
    for frame in fresh_frames(camera, patience_s):
        size = (frame.image.shape[1], frame.image.shape[0])
        view = find_board(frame.image, board)
        if view is None or not all(_moved(view, old) for old in views):
            continue
        views.append(view)
        seen(len(views), frame.image)
        if len(views) >= wanted:
            break
    return views, size


def collect_corners(
    camera: Camera, wanted: int = FEWEST_FRAMES, patience_s: float = 20.0
) -> tuple[list[NDArray[np.float64]], Picture]:
    """Return the tag's corners in up to ``wanted`` pictures, and the last picture."""
    found: list[NDArray[np.float64]] = []
    picture: Picture | None = None
    for looked, frame in enumerate(fresh_frames(camera, patience_s), 1):
        picture = frame.image
        corners = detect_tag(picture)
        if corners is not None:
            found.append(corners)
        # A tag that is not there will not appear; do not wait for the end.
        if len(found) >= wanted or (not found and looked >= wanted):
            break
    if picture is None:
        raise CameraError(f"camera {camera.name!r} gave no picture")
    return found, picture


def _moved(view: BoardView, old: BoardView) -> bool:
    if len(view.in_picture) != len(old.in_picture):
        return True
    return float(np.linalg.norm(view.in_picture - old.in_picture, axis=1).mean()) > _MOVED_PX
