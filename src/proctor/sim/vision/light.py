"""V1, and ``:image_settings``: brightness, contrast, saturation and colour temperature of the finished picture.

VLA-Arena, section 8.2 and Table 4: v ~ U(-0.75, 0.75) for each of the first three, applied as a factor f = 1 + v in the
order brightness, contrast, saturation; then a temperature T ~ U(3500, 8500) K. With "mix" for
``base + f (image - base)``, clipped to [0, 255] and truncated to whole numbers as Pillow's ``ImageEnhance`` does:

- brightness mixes with black,
- contrast mixes with one grey, the picture's mean luma rounded to a whole number,
- saturation mixes with each pixel's own luma, (19595 R + 38470 G + 7471 B) / 65536 (ITU-R 601-2),
- temperature: w = 0.4 (6500 - T) / 6500; red is multiplied by 1 + w, blue by 1 - w, green stays. Below 6500 K a picture
  becomes warmer, above it cooler. This is the reference's rule, not that of a black body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.core import named_rng
from proctor.tasks.cbddl import ImageSettings

OFFSET = 0.75
TEMPERATURE_K = (3500.0, 8500.0)
NEUTRAL_K = 6500.0
_TEMPERATURE_GAIN = 0.4
_BLOCK = 8192
_LEVELS = np.arange(256, dtype=np.float32)
# Whole numbers whose weighted sum stays below 2**24: single precision adds them exactly.
_LUMA = np.array([19595.0, 38470.0, 7471.0], np.float32)

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Light:
    """Offsets to a factor of 1, and a temperature in kelvin; the defaults change nothing."""

    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    temperature_k: float = NEUTRAL_K

    @classmethod
    def draw(cls, seed: int) -> Light:
        rng = named_rng(seed, "vision", "light")
        brightness, contrast, saturation = rng.uniform(-OFFSET, OFFSET, 3).tolist()
        return cls(brightness, contrast, saturation, float(rng.uniform(*TEMPERATURE_K)))

    @classmethod
    def of(cls, settings: ImageSettings) -> Light:
        """Return the light that a task file asks for."""
        return cls(settings.brightness, settings.contrast, settings.saturation, settings.temperature_k)

    def values(self) -> Mapping[str, float]:
        return asdict(self)

    def apply(self, image: Image) -> Image:
        # One plane per channel: arithmetic along rows of three would take twice as long.
        planes = np.ascontiguousarray(image.reshape(-1, 3).T)
        planes = _look_up(_mix(_LEVELS, np.float32(0.0), self.brightness), planes)
        if self.contrast:
            total = sum(float(_luma(block.astype(np.float32)).sum(dtype=np.float64)) for block in _blocks(planes))
            grey = np.float32(int(total / planes.shape[1] + 0.5))
            planes = _look_up(_mix(_LEVELS, grey, self.contrast), planes)
        if self.saturation:
            planes = planes.copy()
            for block in _blocks(planes):
                levels = block.astype(np.float32)
                block[:] = _mix(levels, _luma(levels), self.saturation)
        out = np.empty_like(image)
        warmth = _TEMPERATURE_GAIN * (NEUTRAL_K - self.temperature_k) / NEUTRAL_K
        for channel, gain in enumerate((warmth, 0.0, -warmth)):
            plane = _look_up(_scale(1.0 + gain), planes[channel]) if gain else planes[channel]
            out[..., channel] = plane.reshape(image.shape[:2])
        return out


def _blocks(planes: Image) -> Iterator[Image]:
    """Yield ``planes`` in pieces whose numbers fit the cache: fresh memory for a whole picture costs more than sums."""
    for start in range(0, planes.shape[1], _BLOCK):
        yield planes[:, start : start + _BLOCK]


def _mix(levels: NDArray[np.float32], base: np.float32 | NDArray[np.float32], offset: float) -> Image:
    """Return ``base + (1 + offset) (levels - base)`` as bytes, in Pillow's single precision."""
    mixed = levels - base
    mixed *= np.float32(1.0 + offset)
    mixed += base
    np.clip(mixed, 0.0, 255.0, out=mixed)
    return mixed.astype(np.uint8)


def _scale(factor: float) -> Image:
    """Return each level times ``factor``, as bytes."""
    scaled: Image = np.clip(np.arange(256) * factor, 0.0, 255.0).astype(np.uint8)
    return scaled


def _look_up(table: Image, planes: Image) -> Image:
    """Return ``table[planes]``; `bytes.translate` needs no wide indices and is several times faster."""
    return np.frombuffer(planes.tobytes().translate(table.tobytes()), np.uint8).reshape(planes.shape)


def _luma(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the luma of three planes, whole numbers."""
    # Not a matrix product: BLAS would start threads for it, which on a busy machine cost more than all the rest.
    luma: NDArray[np.float32] = levels[0] * _LUMA[0] + levels[1] * _LUMA[1] + levels[2] * _LUMA[2]
    luma += np.float32(32768.0)
    luma /= np.float32(65536.0)
    np.floor(luma, out=luma)
    return luma
