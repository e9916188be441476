"""Where the hand must be for a held tool's stem to be somewhere."""

from __future__ import annotations

import math

import numpy as np

from proctor.sim import yaw_matrix

from .._arm import Array
from .._hands import Hands


def tool_for(hands: Hands, name: str, tip: Array, way: Array) -> tuple[Array, Array]:
    """Return the tool pose that has the end of the held thing's stem at ``tip`` and its direction along ``way``."""
    scene = hands.scene
    stem = scene.assets[name].stem
    assert stem is not None
    position, rotation = scene.tcp()
    along = scene.rotation(name) @ np.asarray(stem.direction)
    turn = yaw_matrix(math.atan2(way[1], way[0]) - math.atan2(along[1], along[0]))
    end = scene.origin(name) + scene.rotation(name) @ np.asarray(stem.tip)
    return tip - turn @ (end - position), turn @ rotation
