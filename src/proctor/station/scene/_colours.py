"""Colour as people name it, and as distances are measured in (CIE Lab, D65)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

# Hue angle in Lab (degrees) up to which a colour has this name.
_HUES = ((15, "pink"), (48, "red"), (72, "orange"), (105, "yellow"), (185, "green"), (250, "light blue"))
_HUES_ON = ((312, "blue"), (345, "purple"), (360, "pink"))


def to_lab(picture: Picture) -> NDArray[np.float32]:
    """Return Lab [H, W, 3]: lightness 0 to 100, a and b about -128 to 127."""
    import cv2

    out: NDArray[np.float32] = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    return out


def colour_name(lab: NDArray[np.floating]) -> str:
    """Return the name of a mean colour, for an object that nobody has named."""
    light, a, b = (float(value) for value in lab)
    if math.hypot(a, b) < 11:
        return "black" if light < 30 else "white" if light > 80 else "grey"
    hue = math.degrees(math.atan2(b, a)) % 360
    name = next(name for end, name in (*_HUES, *_HUES_ON) if hue <= end)
    if name in {"orange", "yellow"} and light < 55:
        return "brown"
    return name
