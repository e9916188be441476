"""The bench's AprilTag: number 0 of the family 36h11, as a picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# The 36 bits of tag 0, row by row from the top left, most significant first (Wang and Olson 2016).
_CODE = 0xD5D628584
_CELLS = 10


def tag_picture(cell_px: int = 16) -> NDArray[np.uint8]:
    """Return the tag [N, N, 3]: 6 x 6 cells of data, a black border of one cell, a white one around it.

    The black square is 8 of the 10 cells; that square's edge is the tag's size.
    """
    cells = np.full((_CELLS, _CELLS), 255, np.uint8)
    cells[1:-1, 1:-1] = 0
    bits = [_CODE >> (35 - i) & 1 for i in range(36)]
    cells[2:-2, 2:-2] = np.array(bits, np.uint8).reshape(6, 6) * 255
    large = np.kron(cells, np.ones((cell_px, cell_px), np.uint8))
    return np.repeat(large[:, :, None], 3, axis=2)
