"""Printing on things: words in the built-in scalable font, and flat faces that show a picture upright and unmirrored.

Pictures are drawn with PIL, whose row 0 is the top; ``texture_of`` turns them into textures, whose row 0 is v = 0.
Whatever is read faces -x: seen from there, u runs from +y (left) to -y (right), as it does on a lathe about u = 0.5.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._mesh import make_mesh
from .._model import Mesh, Vec3

Rgb: TypeAlias = tuple[int, int, int]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
INK: Rgb = (24, 24, 28)
CHALK: Rgb = (252, 251, 247)


def rgb(colour: Vec3) -> Rgb:
    r, g, b = (round(255 * min(max(c, 0.0), 1.0)) for c in colour)
    return r, g, b


def luminance(colour: Vec3) -> float:
    """Perceived brightness of an sRGB colour in [0, 1] (Rec. 709 weights on the encoded values)."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def ink_for(ground: Vec3) -> Rgb:
    """Black or white, whichever stands out more from ``ground``."""
    return INK if luminance(ground) > 0.52 else CHALK


def canvas(width: int, height: int, ground: Rgb = CHALK) -> tuple[Any, Any]:
    """Return an empty picture and the pen for it."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), ground)
    return image, ImageDraw.Draw(image)


@lru_cache(maxsize=128)
def font(size: int) -> Any:
    """PIL's built-in scalable font."""
    from PIL import ImageFont

    return ImageFont.load_default(size=size)


def write(pen: Any, box: Box, text: str, ink: Rgb = INK, *, lines: int = 2, bold: float = 0.045) -> int:
    """Write ``text`` as large as it fits in the middle of ``box`` on at most ``lines`` lines; return the font's size.

    ``bold`` widens the strokes by that share of the size: the font has one weight, and thin strokes blur away.
    """
    wide, high = box[2] - box[0], box[3] - box[1]
    best = (0, [text])
    for rows in _broken(text, lines):
        size = _fitting(pen, rows, wide, high, bold)
        if size > best[0]:
            best = (size, rows)
    size, rows = best
    stroke = round(bold * size)
    pen.multiline_text(
        ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), "\n".join(rows), ink, font(max(size, 4)), "mm",
        align="center", spacing=size * 0.12, stroke_width=stroke, stroke_fill=ink,
    )  # fmt: skip
    return size


def _broken(text: str, lines: int) -> list[list[str]]:
    """Ways to break a text at its spaces into 1 to ``lines`` lines of about equal length."""
    words = text.split()
    ways: list[list[str]] = [[text]]
    for count in range(2, min(lines, len(words)) + 1):
        rows, at, share = [], 0, len(text) / count
        for row in range(count):
            left = count - row - 1
            stop = at + 1
            while stop < len(words) - left and (left == 0 or len(" ".join(words[at : stop + 1])) <= 1.2 * share):
                stop += 1
            rows.append(" ".join(words[at:stop]))
            at = stop
        ways.append(rows)
    return ways


def _fitting(pen: Any, rows: list[str], wide: float, high: float, bold: float) -> int:
    """Largest size at which ``rows`` fit, by the ratio that a large size shows."""
    size = 100
    stroke = round(bold * size)
    left, top, right, bottom = pen.multiline_textbbox(
        (0, 0), "\n".join(rows), font(size), spacing=size * 0.12, stroke_width=stroke
    )
    return int(size * min(wide / max(right - left, 1), high / max(bottom - top, 1)))


def texture_of(image: Any) -> NDArray[np.uint8]:
    """Turn a PIL picture into a texture: row 0 at the bottom."""
    return np.ascontiguousarray(np.asarray(image.convert("RGB"), np.uint8)[::-1])


def facing(width: float, height: float, centre: Vec3, normal: Vec3 = (-1.0, 0.0, 0.0)) -> Mesh:
    """Flat rectangle that looks along ``normal`` and shows a texture once, upright; ``normal`` must not be vertical.

    A face that looks straight up is read from -x: pass (0, 0, 1).
    """
    n = np.asarray(normal, float) / np.linalg.norm(normal)
    up = np.array([1.0, 0.0, 0.0]) if abs(n[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
    up = up - (up @ n) * n
    up /= np.linalg.norm(up)
    right = np.cross(up, n)
    corners = [
        np.asarray(centre) + 0.5 * (u * width * right + v * height * up)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return make_mesh(corners, [(0, 1, 2), (0, 2, 3)], np.tile(n, (4, 1)), [(0, 0), (1, 0), (1, 1), (0, 1)])
