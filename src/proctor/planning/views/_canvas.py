"""Masks of a picture with a margin around it: where things are, where there is room, and lines between pixels."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from ._things import Thing

MARGIN = 40
Mask: TypeAlias = NDArray[np.bool_]
Pixel: TypeAlias = tuple[int, int]


class Canvas:
    """A picture's masks, shifted by the margin; ``free`` are the pixels that show nothing with a mark."""

    def __init__(self, ids: NDArray[np.int32], things: Sequence[Thing]) -> None:
        self.size = (ids.shape[0], ids.shape[1])
        padded = np.pad(ids, MARGIN, constant_values=-2)
        self.masks: dict[str, Mask] = {t.name: np.isin(padded, list(t.geoms)) for t in things if t.geoms}
        covered = np.zeros(padded.shape, bool)
        for mask in self.masks.values():
            covered |= mask
        self.covered: Mask = covered
        self.free: Mask = ~covered
        self._reached = self._from_the_border()
        self._nearest = self._nearest_things()

    def outline(self, mask: Mask, over: Mapping[str, bool], width: int) -> Mask:
        """Return the ring of ``width`` pixels outside ``mask``, without what shows a thing that may not be drawn over.

        ``over`` says of each thing whether it may; the mask's own pixels are never part of the ring.
        """
        ring: Mask = ndimage.binary_dilation(mask, iterations=width) & ~mask
        for name, allowed in over.items():
            if not allowed:
                ring &= ~self.masks[name]
        return self.inside(ring)

    def inside(self, mask: Mask) -> Mask:
        """Return a mask without what lies in the margin."""
        kept = np.zeros_like(mask)
        kept[MARGIN:-MARGIN, MARGIN:-MARGIN] = mask[MARGIN:-MARGIN, MARGIN:-MARGIN]
        return kept

    def anchors(self, mask: Mask, most: int = 40) -> tuple[list[Pixel], float]:
        """Return free pixels as near to ``mask`` as there are, from which the margin can be reached; and how near."""
        away = ndimage.distance_transform_edt(~mask)
        away = np.where(self._reached, away, np.inf)
        nearest = float(away.min())
        # Beyond the outline and its halo, or beyond what carries the thing.
        band = np.argwhere((away <= max(nearest + 2.0, 4.5)) & (away >= max(nearest, 3.0)))
        step = max(len(band) // most, 1)
        return [(int(row), int(column)) for row, column in band[::step]], nearest

    def points_at(self, name: str, pixel: Pixel) -> bool:
        """Whether the thing called ``name`` is the nearest one to a free pixel, slivers of things not counted."""
        return bool(self._nearest[pixel] == list(self.masks).index(name))

    def line(self, start: Pixel, end: Pixel) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return rows and columns of the straight line between two pixels."""
        count = max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
        rows = np.rint(np.linspace(start[0], end[0], count)).astype(np.intp)
        columns = np.rint(np.linspace(start[1], end[1], count)).astype(np.intp)
        return rows, columns

    def route(self, start: Pixel, end: Pixel, blocked: Mask) -> list[Pixel] | None:
        """Return the shortest way over free pixels (breadth first), None if there is none."""
        came: dict[Pixel, Pixel] = {start: start}
        open_: deque[Pixel] = deque([start])
        height, width = self.free.shape
        while open_:
            here = open_.popleft()
            if here == end:
                way = [here]
                while came[way[-1]] != way[-1]:
                    way.append(came[way[-1]])
                return way[::-1]
            for row, column in ((here[0] + a, here[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)):
                if not (0 <= row < height and 0 <= column < width) or (row, column) in came:
                    continue
                if self.free[row, column] and not blocked[row, column]:
                    came[row, column] = here
                    open_.append((row, column))
        return None

    def _nearest_things(self) -> NDArray[np.intp]:
        """Return the number of the thing in `masks` that is nearest to each pixel, -1 where there is none."""
        whose = np.full(self.free.shape, -1, np.intp)
        for number, mask in enumerate(self.masks.values()):
            whose[solid(mask)] = number
        if (whose < 0).all():
            return whose
        rows, columns = ndimage.distance_transform_edt(whose < 0, return_distances=False, return_indices=True)
        return np.asarray(whose[rows, columns])

    def _from_the_border(self) -> Mask:
        labels, _ = ndimage.label(self.free)
        reached: Mask = labels == labels[0, 0]
        return reached


def solid(mask: Mask) -> Mask:
    """Return a mask without its slivers, such as the rim of a body that looks out behind its door; all if it is one."""
    opened: Mask = ndimage.binary_opening(mask, np.ones((5, 5), bool))
    return opened if opened.any() else mask
