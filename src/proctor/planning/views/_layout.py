"""Where the numbers go: beside what they mark, in free space, joined to it by a line over free space.

Candidates lie around the thing's outline at growing distances. A plate may cover neither a thing nor another plate. The
cheapest candidate wins: short leader, ending nearer to the thing than to any other, crossing no other. Where there is
none the plate goes into the margin, and its leader takes whatever free way there is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._canvas import MARGIN, Canvas, Mask, Pixel

_REACHES = (14, 20, 28, 38, 50, 66, 86, 110, 140)
_TURNS = (0.0, 0.35, -0.35, 0.8, -0.8, 1.4, -1.4)
_CROSSING = 120.0
_ON_OUTLINE = 1.0
_IN_MARGIN = 60.0
_AT_ANOTHER = 200.0
_OTHER_ANCHORS = 8


@dataclass(frozen=True, slots=True)
class Tag:
    """A plate, by its top left corner and size, and the pixels of its leader."""

    top: int
    left: int
    height: int
    width: int
    leader: tuple[NDArray[np.intp], NDArray[np.intp]]


class MarkLayout:
    """Places plates one after the other; what is placed stays."""

    def __init__(self, canvas: Canvas, outlines: Mask) -> None:
        self._canvas = canvas
        self._outlines = outlines
        self.plates: Mask = np.zeros_like(canvas.free)
        self.leaders: Mask = np.zeros_like(canvas.free)
        self._sums = _sums(canvas.covered)

    def place(self, mask: Mask, size: tuple[int, int], name: str | None = None) -> Tag | None:
        """Return where the plate for ``mask`` goes, None if nothing leads to it; ``name``: the thing that it shows."""
        anchors, _ = self._canvas.anchors(mask)
        if not anchors:
            return None
        elsewhere = {a for a in anchors if name is not None and not self._canvas.points_at(name, a)}
        centre = np.argwhere(mask).mean(axis=0)
        best: tuple[float, Tag] | None = None
        candidates = [
            (cost + _AT_ANOTHER * (anchor in elsewhere), anchor, corner)
            for cost, anchor, corner in self._candidates(anchors, centre, size)
        ]
        for cost, anchor, corner in sorted(candidates, key=lambda item: item[0]):
            if best is not None and cost >= best[0]:
                break
            tag = self._joined(anchor, corner, size)
            if tag is None:
                continue
            total = cost + self._crowding(tag)
            if best is None or total < best[0]:
                best = total, tag
        found = best[1] if best is not None else self._in_the_margin(anchors, size)
        if found is not None:
            self.plates[found.top : found.top + found.height, found.left : found.left + found.width] = True
            self.leaders[found.leader] = True
        return found

    def _candidates(
        self, anchors: list[Pixel], centre: NDArray[np.float64], size: tuple[int, int]
    ) -> Iterator[tuple[float, Pixel, Pixel]]:
        """Yield (cost, anchor, corner of the plate) of every place that covers nothing."""
        height, width = size
        for anchor in anchors:
            outward = math.atan2(anchor[0] - centre[0], anchor[1] - centre[1])
            far = math.hypot(anchor[0] - centre[0], anchor[1] - centre[1])
            for turn in _TURNS:
                for reach in _REACHES:
                    row = anchor[0] + reach * math.sin(outward + turn)
                    column = anchor[1] + reach * math.cos(outward + turn)
                    corner = round(row - height / 2), round(column - width / 2)
                    if self._clear(corner, size):
                        outside = self._margin_share(corner, size)
                        yield reach + 12.0 * abs(turn) + 0.15 * far + _IN_MARGIN * outside, anchor, corner

    def _clear(self, corner: Pixel, size: tuple[int, int]) -> bool:
        top, left, bottom, right = corner[0] - 1, corner[1] - 1, corner[0] + size[0] + 1, corner[1] + size[1] + 1
        rows, columns = self._canvas.free.shape
        if top < 0 or left < 0 or bottom > rows or right > columns:
            return False
        sums = self._sums
        if sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]:
            return False
        return not self.plates[top:bottom, left:right].any()

    def _margin_share(self, corner: Pixel, size: tuple[int, int]) -> float:
        rows, columns = self._canvas.free.shape
        inside = (
            corner[0] >= MARGIN
            and corner[1] >= MARGIN
            and corner[0] + size[0] <= rows - MARGIN
            and corner[1] + size[1] <= columns - MARGIN
        )
        return 0.0 if inside else 1.0

    def _joined(self, anchor: Pixel, corner: Pixel, size: tuple[int, int]) -> Tag | None:
        """Return the plate with a straight leader to ``anchor``, None if that would cross a thing or a plate."""
        start = (
            min(max(anchor[0], corner[0]), corner[0] + size[0] - 1),
            min(max(anchor[1], corner[1]), corner[1] + size[1] - 1),
        )
        leader = self._canvas.line(start, anchor)
        if not self._canvas.free[leader].all() or self.plates[leader].any():
            return None
        return Tag(*corner, *size, leader)

    def _crowding(self, tag: Tag) -> float:
        box = (slice(tag.top, tag.top + tag.height), slice(tag.left, tag.left + tag.width))
        crossed = int(self.leaders[tag.leader].sum()) + int(self.leaders[box].any())
        return _CROSSING * min(crossed, 1) + _ON_OUTLINE * (
            0.2 * float(self._outlines[box].sum()) + float(self._outlines[tag.leader].sum())
        )

    def _in_the_margin(self, anchors: list[Pixel], size: tuple[int, int]) -> Tag | None:
        """Return a plate in the margin nearest to the thing, with a leader that goes around whatever is between."""
        rows, columns = self._canvas.free.shape
        height, width = size
        spots = [(top, left) for top in (2, rows - height - 2) for left in range(2, columns - width - 1, 6)]
        spots += [(top, left) for left in (2, columns - width - 2) for top in range(2, rows - height - 1, 6)]
        middle = len(anchors) // 2
        # One anchor may be shut in by plates that another is not.
        for anchor in dict.fromkeys([anchors[middle], *anchors[:: max(1, len(anchors) // _OTHER_ANCHORS)]]):
            near = [(math.hypot(spot[0] - anchor[0], spot[1] - anchor[1]), spot) for spot in spots]
            corner = next((spot for _, spot in sorted(near) if self._clear(spot, size)), None)
            if corner is None:
                return None
            way = self._canvas.route((corner[0] + height // 2, corner[1] + width // 2), anchor, self.plates)
            if way is not None:
                rows_, columns_ = np.array([p[0] for p in way], np.intp), np.array([p[1] for p in way], np.intp)
                return Tag(*corner, *size, (rows_, columns_))
        return None


def _sums(mask: Mask) -> NDArray[np.int64]:
    """Return the integral image of a mask, with a row and a column of zeros in front."""
    sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int64)
    sums[1:, 1:] = mask.astype(np.int64).cumsum(axis=0).cumsum(axis=1)
    return sums
