"""Picture and prompt of OpenVLA, which UniVLA shares."""

from __future__ import annotations

from typing import Any

from ._images import crop_centre, jpeg_round_trip, resize_lanczos

OPENVLA_SIZE = 224
OPENVLA_CROP = 0.9


def openvla_image(image: Any, center_crop: bool = True) -> Any:
    """Return a picture [224, 224, 3] as OpenVLA's data pipeline would."""
    image = resize_lanczos(jpeg_round_trip(image), OPENVLA_SIZE)
    return crop_centre(image, OPENVLA_CROP, OPENVLA_SIZE) if center_crop else image


def openvla_prompt(instruction: str) -> str:
    """Return the text that OpenVLA was trained with."""
    return f"In: What action should the robot take to {instruction.lower()}?\nOut:"
