"""Picture, prompt and action statistics of OpenVLA, which UniVLA shares."""

from __future__ import annotations

import json
import os
from typing import Any

from ._adapter import pick_unnorm_key
from ._images import crop_centre, jpeg_round_trip, resize_lanczos

OPENVLA_SIZE = 224
OPENVLA_CROP = 0.9


def openvla_image(image: Any, center_crop: bool = True) -> Any:
    """Return a picture [224, 224, 3] as OpenVLA's data pipeline would."""
    image = resize_lanczos(jpeg_round_trip(image), OPENVLA_SIZE)
    return crop_centre(image, OPENVLA_CROP, OPENVLA_SIZE) if center_crop else image


def openvla_prompt(instruction: str) -> str:
    return f"In: What action should the robot take to {instruction.lower()}?\nOut:"


def use_statistics(model: Any, checkpoint: str, unnorm_key: str) -> str:
    """Give the model the action statistics of its fine-tuning and return their key.

    A folder written by the fine-tuning script has them in ``dataset_statistics.json``, while the model's own
    ``norm_stats`` may still be those of pre-training. A checkpoint from the hub has them in its configuration.
    """
    path = os.path.join(checkpoint, "dataset_statistics.json")
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            model.norm_stats = json.load(file)
    return pick_unnorm_key(model.norm_stats, unnorm_key)
