"""The vision axis V0 to V4, and what a task file may ask to be done to its pictures; one file per perturbation."""

from ._levels import Vision
from .light import Light
from .noise import VARIANCE, Gaussian, SaltPepper

__all__ = ["VARIANCE", "Gaussian", "Light", "SaltPepper", "Vision"]
