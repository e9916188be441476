"""V4, and ``:noise``: a sensor's noise on every frame of every camera, after the light.

VLA-Arena, section 8.2 and Table 4: N(0, variance) on pixels from 0 to 1, independent for each pixel and channel. The
section's sentence says variance 0.05; its formula, the table and the reference's code say 0.085, which is the default
here (a standard deviation of 74 of 255 levels). ``salt_pepper p``: each pixel turns black with probability p/2 and
white with p/2 (section 7.3.2; the reference's code does so per channel, with p for either).

A normal variate is one of 65 536 equally likely quantiles, at (i + 1/2) / 65536: within 4.4 standard deviations, of
0.9999 times the variance, and three times as fast as a generator of exact ones. Rounding the noise of a whole-numbered
picture is rounding the sum, so all arithmetic is in whole numbers, equal on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from proctor.tasks.cbddl import Noise

from .light import Image

VARIANCE = 0.085
_QUANTILES = 65536


class NoiseModel(Protocol):
    """Something that spoils a frame."""

    def apply(self, image: Image, rng: np.random.Generator) -> Image: ...


@dataclass(frozen=True, slots=True)
class Gaussian:
    """Additive normal noise; ``mean`` and ``variance`` are those on pixels from 0 to 1."""

    mean: float = 0.0
    variance: float = VARIANCE

    def apply(self, image: Image, rng: np.random.Generator) -> Image:
        which = rng.integers(0, _QUANTILES, image.shape, dtype=np.uint16)
        noisy = _table(self.mean, self.variance).take(which)
        noisy += image
        np.clip(noisy, 0, 255, out=noisy)
        return noisy.astype(np.uint8)


@dataclass(frozen=True, slots=True)
class SaltPepper:
    """A share ``probability`` of the pixels is lost: half of them black, half white."""

    probability: float

    def apply(self, image: Image, rng: np.random.Generator) -> Image:
        draw = rng.random(image.shape[:2], dtype=np.float32)
        noisy = image.copy()
        noisy[draw < self.probability] = 255
        noisy[draw < self.probability / 2] = 0
        return noisy


def noise_model(noise: Noise) -> NoiseModel:
    """Return the noise that a task file asks for."""
    if noise.kind == "gaussian":
        mean, variance = noise.values
        return Gaussian(mean, variance)
    return SaltPepper(noise.values[0])


@lru_cache(maxsize=8)
def _table(mean: float, variance: float) -> NDArray[np.int16]:
    """Return the quantiles in whole levels; beyond a full scale they all saturate alike."""
    from scipy.special import ndtri

    quantiles = ndtri((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    levels: NDArray[np.float64] = np.rint(255.0 * (mean + np.sqrt(variance) * quantiles))
    return np.clip(levels, -255, 255).astype(np.int16)
