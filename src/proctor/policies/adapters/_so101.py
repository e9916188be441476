"""A LeRobot checkpoint for the real station: an SO-101's six joints instead of LIBERO's hand.

Six numbers mean nothing without their unit, and a checkpoint of LeRobot does not say its own: 0.4.3 and earlier trained
on shares of the sweep, 0.4.4 and later on LeRobot's degrees. So it has to be said, by ``joint_unit.json`` beside the
weights (which `proctor station export` writes beside a dataset) or by ``unit``, and is never guessed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

SO101_JOINTS = 6
UNIT_FILE = "joint_unit.json"
UNITS = ("true_degrees", "lerobot_degrees", "lerobot_range", "vla_replica_eq2")
# Names that data sets give to the station's two cameras.
BENCH_CAMERA_NAMES = {
    "top": ("top", "front", "up", "overhead", "image", "camera1"),
    "wrist": ("wrist", "gripper", "hand", "wrist_image", "image2", "camera2"),
}


def checkpoint_unit(folder: Path, given: str) -> str:
    """Return the unit of a checkpoint's joints: what its folder says, or ``given``; they must not contradict."""
    path = folder / UNIT_FILE
    held = ""
    if path.exists():
        try:
            held = str(json.loads(path.read_text(encoding="utf-8"))["unit"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RuntimeError(f"{path} does not say a unit: {error}") from None
    if held and given and held != given:
        raise RuntimeError(f"unit={given}, but {path} says {held}: the joints of this checkpoint are in that unit")
    unit = held or given
    if not unit:
        raise RuntimeError(
            f"{folder} moves six joints and does not say their unit: give unit= one of {', '.join(UNITS)} "
            f"(LeRobot from 0.4.4 on records lerobot_degrees, before it lerobot_range), or put {UNIT_FILE} beside it"
        )
    if unit not in UNITS:
        raise RuntimeError(f"no unit {unit!r}: give unit= one of {', '.join(UNITS)}")
    return unit


def without_padding(picture: Any, height: int, width: int) -> Any:
    """Cut a square picture of the station to what a checkpoint knows, ``height`` x ``width``.

    The station shows a camera's whole picture in a square, with black bars: of 640 x 480 in 640 x 640 this is the
    camera's own picture again, pixel by pixel. Only where the square has another size is it resized.
    """
    side = picture.shape[0]
    rows, columns = (round(side * length / max(height, width)) for length in (height, width))
    top, left = (side - rows) // 2, (side - columns) // 2
    cut = np.ascontiguousarray(picture[top : top + rows, left : left + columns])
    if (rows, columns) == (height, width):
        return cut
    from PIL import Image

    return np.asarray(Image.fromarray(cut).resize((width, height), Image.Resampling.BILINEAR))
