"""Take the views of an episode: clean and marked pictures of each camera, numbers equal in all of them."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from proctor.sim import CAMERAS, Scene, SimEnv

from .._names import number_marks
from ._draw import MIN_PIXELS, Marked, draw_marks
from ._things import Thing, things_of

# Where a point of the world is in a picture.


def pixel_of(
    scene: Scene, camera: str, point: tuple[float, float, float], size: tuple[int, int]
) -> tuple[int, int] | None:
    """Return (row, column) of ``point`` in a picture of ``size`` (height, width), None where it is outside.

    Pinhole with the camera looking along its -z: u = f x / -z, f = (height / 2) / tan(fovy / 2).
    """
    model, data = scene.model, scene.data
    index = model.camera(CAMERAS[camera]).id
    local = data.cam_xmat[index].reshape(3, 3).T @ (np.asarray(point) - data.cam_xpos[index])
    if local[2] >= -1e-6:
        return None
    height, width = size
    focal = 0.5 * height / math.tan(0.5 * math.radians(float(model.cam_fovy[index])))
    column = 0.5 * width + focal * local[0] / -local[2]
    row = 0.5 * height - focal * local[1] / -local[2]
    inside = 0 <= row < height and 0 <= column < width
    return (int(row), int(column)) if inside else None


VIEWS = ("head", "left", "right", "agentview")
"""The cameras of a question: three on the robot's side, from which labels are read, and one that faces it."""
SIZE = (480, 640)


@dataclass(frozen=True, slots=True)
class View:
    """A camera's clean and marked picture, as PNG files."""

    camera: str
    clean: bytes
    marked: bytes


@dataclass(frozen=True, slots=True)
class Viewed:
    """The views of an episode, and what each number marks in them."""

    views: tuple[View, ...]
    marks: dict[int, str]


def take_views(
    env: SimEnv,
    seed: int,
    cameras: Sequence[str] = VIEWS,
    size: tuple[int, int] = SIZE,
    known: Mapping[int, str] | None = None,
) -> Viewed:
    """Return the views of the episode that ``env`` is in; hidden things have no number.

    Things keep the numbers they are ``known`` by from an earlier look; what has come to light since gets the next ones.
    """
    known = dict(known or {})
    things = things_of(env.scene)
    shots = [(camera, env.render(camera, *size), env.geom_ids(camera, *size)) for camera in cameras]
    seen = [thing.name for thing in things if any(_visible(thing, ids) for _, _, ids in shots)]
    seen += [thing.name for thing in things if thing.point is not None and thing.entity in seen]
    new = number_marks(sorted(set(seen) - set(known.values())), seed)
    first = max(known, default=0)
    marks = known | {first + number: name for number, name in new.items()}
    numbers = {name: number for number, name in marks.items() if name in seen}
    views = []
    for camera, picture, ids in shots:
        marked = mark(env, camera, things, numbers, picture, ids)
        views.append(View(camera, png(picture), png(marked.picture)))
    return Viewed(tuple(views), marks)


def mark(
    env: SimEnv,
    camera: str,
    things: Sequence[Thing],
    numbers: Mapping[str, int],
    picture: NDArray[np.uint8],
    ids: NDArray[np.int32],
) -> Marked:
    points = {
        thing.name: pixel_of(env.scene, camera, thing.point, (picture.shape[0], picture.shape[1]))
        for thing in things
        if thing.point is not None
    }
    return draw_marks(picture, ids, things, numbers, points)


def _visible(thing: Thing, ids: NDArray[np.int32]) -> bool:
    return bool(thing.geoms) and int(np.isin(ids, list(thing.geoms)).sum()) >= MIN_PIXELS


def png(picture: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG")
    return buffer.getvalue()
