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

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.cbddl import ImageSettings
from proctor.core import named_rng

OFFSET = 0.75
TEMPERATURE_K = (3500.0, 8500.0)
NEUTRAL_K = 6500.0
_TEMPERATURE_GAIN = 0.4
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
        """Draw the light of an episode."""
        rng = named_rng(seed, "vision", "light")
        brightness, contrast, saturation = rng.uniform(-OFFSET, OFFSET, 3).tolist()
        return cls(brightness, contrast, saturation, float(rng.uniform(*TEMPERATURE_K)))

    @classmethod
    def of(cls, settings: ImageSettings) -> Light:
        """Return the light that a task file asks for."""
        return cls(settings.brightness, settings.contrast, settings.saturation, settings.temperature_k)

    def values(self) -> Mapping[str, float]:
        """Return the four values by name."""
        return asdict(self)

    def apply(self, image: Image) -> Image:
        """Return ``image`` [H, W, 3] in this light."""
        table = _mix(np.float32(0.0), _LEVELS, self.brightness)
        if self.contrast:
            grey = np.float32(int(_luma(table.take(image)).mean(dtype=np.float64) + 0.5))
            table = _mix(grey, _LEVELS, self.contrast).take(table)
        out = table.take(image)
        if self.saturation:
            out = _mix(_luma(out)[..., None], out.astype(np.float32), self.saturation)
        warmth = _TEMPERATURE_GAIN * (NEUTRAL_K - self.temperature_k) / NEUTRAL_K
        if warmth:
            for channel, factor in ((0, 1.0 + warmth), (2, 1.0 - warmth)):
                scaled = np.clip(_LEVELS.astype(np.float64) * factor, 0.0, 255.0).astype(np.uint8)
                out[..., channel] = scaled.take(out[..., channel])
        return out


def _mix(base: np.float32 | NDArray[np.float32], levels: NDArray[np.float32], offset: float) -> Image:
    """Return ``base + (1 + offset) (levels - base)`` as bytes, in Pillow's single precision."""
    mixed = levels - base
    mixed *= np.float32(1.0 + offset)
    mixed += base
    np.clip(mixed, 0.0, 255.0, out=mixed)
    return mixed.astype(np.uint8)


def _luma(image: Image) -> NDArray[np.float32]:
    """Return the luma [H, W], whole numbers."""
    sums = image.astype(np.float32) @ _LUMA
    luma: NDArray[np.float32] = np.floor((sums + np.float32(32768.0)) / np.float32(65536.0))
    return luma
