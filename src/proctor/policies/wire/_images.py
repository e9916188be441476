"""Pictures on a wire: their size before they are decoded, which way up they are, and openpi's resizing.

Proctor's pictures are upright. Datasets of the LIBERO family hold robosuite's pictures, whose first row is the bottom
one (OpenGL), turned by 180 degrees: they are upright too, but left and right are exchanged. ``mirror`` makes the one
from the other. Every orientation undoes itself.
"""

from __future__ import annotations

import io
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, did_you_mean

from ._scan import CodecError

Orientation = Literal["upright", "mirror", "flip", "rotate180"]
ORIENTATIONS: tuple[str, ...] = get_args(Orientation)
MAX_SIDE = 2048
_FORMATS = {"png": "PNG", "jpeg": "JPEG"}

Picture = NDArray[np.uint8]


def decode_picture(data: Any, format: Any, limit: int = 3 * MAX_SIDE**2) -> Picture:
    """Decode a PNG or JPEG to [H, W, 3].

    Its header is read first: a side above `MAX_SIDE`, or more than ``limit`` bytes of pixels, is refused undecoded.
    """
    from PIL import Image, UnidentifiedImageError

    if format not in _FORMATS or not isinstance(data, bytes):
        raise CodecError(f"a picture in format {str(format)[:20]!r}: only png, jpeg and raw are read")
    try:
        with Image.open(io.BytesIO(data), formats=[_FORMATS[format]]) as picture:
            if max(picture.size) > MAX_SIDE:
                raise CodecError(f"a picture of {picture.size[0]} x {picture.size[1]} pixels, allowed are {MAX_SIDE}")
            if 3 * picture.size[0] * picture.size[1] > limit:
                raise CodecError("the pictures of one message are too large together")
            return np.array(picture.convert("RGB"), dtype=np.uint8)
    except CodecError:
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise CodecError(f"a picture that cannot be decoded: {' '.join(str(error).split())[:80]}") from None


def as_picture(value: Any, name: str) -> Picture:
    """Return ``value`` if it is a picture, uint8 [H, W, 3] with sides up to `MAX_SIDE`."""
    if not isinstance(value, np.ndarray):
        raise CodecError(f"{name} is {type(value).__name__}, expected a picture uint8 [H, W, 3]")
    good = value.dtype == np.uint8 and value.ndim == 3 and value.shape[2] == 3
    if not good or not all(1 <= side <= MAX_SIDE for side in value.shape[:2]):
        raise CodecError(f"{name} is {value.dtype}{list(value.shape)}, expected uint8 [H, W, 3], sides to {MAX_SIDE}")
    return value


def oriented(picture: Picture, orientation: str) -> Picture:
    """Return ``picture`` with columns (mirror), rows (flip) or both (rotate180) reversed, in C order."""
    rows = -1 if orientation in ("flip", "rotate180") else 1
    columns = -1 if orientation in ("mirror", "rotate180") else 1
    return np.ascontiguousarray(picture[::rows, ::columns])


def require_orientation(text: Any) -> str:
    if text not in ORIENTATIONS:
        hint = did_you_mean(str(text), ORIENTATIONS)
        raise ProctorError(f"orient={text!r}: known are {', '.join(ORIENTATIONS)}{hint}")
    return str(text)


def resize_with_pad(picture: Picture, size: int | tuple[int, int]) -> Picture:
    """Return ``picture`` as [height, width, 3]: scaled without distortion (bilinear), the rest black, as openpi does.

    ``size`` is height and width, or one number for both. The scaled sides are rounded down, and of an odd margin the
    smaller part comes first.
    """
    height, width = (size, size) if isinstance(size, int) else size
    if picture.shape[:2] == (height, width):
        return picture
    from PIL import Image

    ratio = max(picture.shape[1] / width, picture.shape[0] / height)
    inner_width, inner_height = max(1, int(picture.shape[1] / ratio)), max(1, int(picture.shape[0] / ratio))
    scaled = Image.fromarray(picture).resize((inner_width, inner_height), Image.Resampling.BILINEAR)
    canvas = np.zeros((height, width, 3), dtype=np.uint8)
    top, left = (height - inner_height) // 2, (width - inner_width) // 2
    canvas[top : top + inner_height, left : left + inner_width] = np.asarray(scaled)
    return canvas
