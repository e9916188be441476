"""Pictures as the models' training pipelines made them, in NumPy; Pillow is needed for JPEG and for `resize_with_pad`.

Sources: OpenVLA's and OpenVLA-OFT's evaluation code (TensorFlow: ``encode_jpeg``, ``resize`` with lanczos3 and
antialias, ``crop_and_resize``) and openpi-client's ``image_tools``. ``benchmarks/model_images.py`` compares these
functions with TensorFlow's and openpi-client's own.
"""

from __future__ import annotations

import functools
import io
from typing import Any

import numpy as np

# What tf.image.encode_jpeg uses when it is not told otherwise.
JPEG_QUALITY = 95
LANCZOS_RADIUS = 3.0


def orient(image: Any, mirror: bool, rotate: int) -> Any:
    """Return an upright picture [H, W, 3] as a model saw it in training: turned by 180 degrees, mirrored left-right.

    robosuite hands out frames upside down, ``raw = upright[::-1]``. Published LIBERO data is ``raw[::-1, ::-1]``, which
    is ``upright[:, ::-1]``: upright and *mirrored*. So a model trained on it needs ``mirror`` and no rotation.
    """
    if rotate not in (0, 180):
        raise ValueError(f"rotate is {rotate!r}: it must be 0 or 180")
    if rotate:
        image = image[::-1, ::-1]
    return np.ascontiguousarray(image[:, ::-1] if mirror else image)


def jpeg_round_trip(image: Any, quality: int = JPEG_QUALITY) -> Any:
    """Return the picture after JPEG compression with halved colour resolution, as the RLDS data sets stored it."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=quality, subsampling="4:2:0")
    return np.asarray(Image.open(buffer).convert("RGB"))


def resize_lanczos(image: Any, size: int) -> Any:
    """Resize to [size, size, 3] with the Lanczos kernel of radius 3, widened when shrinking (no aliasing)."""
    rows, columns = _lanczos_weights(image.shape[0], size), _lanczos_weights(image.shape[1], size)
    resized = (rows @ image.reshape(len(image), -1)).reshape(size, *image.shape[1:])
    resized = columns @ resized
    return np.clip(np.rint(resized), 0, 255).astype(np.uint8)


@functools.lru_cache(maxsize=16)
def _lanczos_weights(source: int, target: int) -> Any:
    """Return [target, source]: what each source pixel gives to each target pixel; every row sums to 1."""
    scale = source / target
    widen = max(scale, 1.0)
    centres = (np.arange(target) + 0.5) * scale
    distance = (np.arange(source) + 0.5 - centres[:, None]) / widen
    weights = np.sinc(distance) * np.sinc(distance / LANCZOS_RADIUS) * (np.abs(distance) < LANCZOS_RADIUS)
    return weights / weights.sum(axis=1, keepdims=True)


def crop_centre(image: Any, area: float, size: int) -> Any:
    """Cut out the centre with ``area`` times the picture's area and bring it to [size, size, 3], bilinear.

    Sides shrink by sqrt(area). Samples go from edge to edge of the box in pixel centres, without antialiasing, and
    values are truncated after scaling by 255.5: TensorFlow's ``crop_and_resize`` and ``convert_image_dtype``.
    """
    if not 0.0 < area <= 1.0:
        raise ValueError(f"area is {area!r}: it must be above 0 and at most 1")
    source = image.astype(np.float64) / 255.0
    source = _interpolated(source, area, size)
    source = _interpolated(source.swapaxes(0, 1), area, size).swapaxes(0, 1)
    return np.clip(source * 255.5, 0, 255).astype(np.uint8)


def _interpolated(values: Any, area: float, size: int) -> Any:
    """Return ``size`` linear samples along axis 0, over the middle part that a centre crop of ``area`` leaves."""
    last, side = values.shape[0] - 1, area**0.5
    at = last * ((1.0 - side) / 2.0 + side * np.arange(size) / (size - 1))
    low = np.minimum(at.astype(int), max(last - 1, 0))
    share = (at - low).reshape(-1, *[1] * (values.ndim - 1))
    return values[low] * (1.0 - share) + values[np.minimum(low + 1, last)] * share


def resize_with_pad(image: Any, size: int) -> Any:
    """Fit the picture into [size, size, 3] without distortion: bilinear (Pillow), black borders."""
    from PIL import Image

    height, width = image.shape[:2]
    if (height, width) == (size, size):
        return image
    ratio = max(height, width) / size
    small = Image.fromarray(image).resize((int(width / ratio), int(height / ratio)), Image.Resampling.BILINEAR)
    canvas = Image.new("RGB", (size, size))
    canvas.paste(small, ((size - small.width) // 2, (size - small.height) // 2))
    return np.asarray(canvas)
