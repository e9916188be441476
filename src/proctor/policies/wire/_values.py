"""Specs and observations as maps and arrays, the way they travel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from proctor.core import EnvSpec, EpisodeSpec, Observation, PolicySpec

from ._frames import FrameError, Message

Spec = TypeVar("Spec", PolicySpec, EnvSpec, EpisodeSpec)
STATE = "state"
IMAGE = "image/"


def spec_to_map(spec: PolicySpec | EnvSpec | EpisodeSpec) -> dict[str, Any]:
    return asdict(spec)


def spec_from_map(kind: type[Spec], values: Any) -> Spec:
    """Rebuild a spec. Names that this version does not know are ignored, so that a newer side can talk to us."""
    if not isinstance(values, Mapping):
        raise FrameError(f"{kind.__name__} is {type(values).__name__}, not a map")
    known = {field.name: values[field.name] for field in fields(kind) if field.name in values}
    try:
        return msgspec.convert(known, kind)
    except msgspec.ValidationError as error:
        raise FrameError(f"{kind.__name__}: {error}") from None


def observation_arrays(observation: Observation) -> dict[str, NDArray[Any]]:
    """Return the arrays of an observation: ``state`` and ``image/CAMERA``."""
    arrays: dict[str, NDArray[Any]] = {f"{IMAGE}{name}": image for name, image in observation.images.items()}
    arrays[STATE] = observation.state
    return arrays


def observation_from(message: Message, instruction: str) -> Observation:
    """Rebuild an observation from a message; text and step are in its fields."""
    state = message.arrays.get(STATE)
    if state is None or state.ndim != 1 or state.dtype.kind != "f":
        raise FrameError("the observation has no array 'state' of real numbers")
    step = message.fields.get("step")
    if not isinstance(step, int):
        raise FrameError("the observation has no integer 'step'")
    images = {name[len(IMAGE) :]: array for name, array in message.arrays.items() if name.startswith(IMAGE)}
    for camera, image in images.items():
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise FrameError(f"the image of camera {camera!r} is {image.dtype} {image.shape}, expected uint8 (H, W, 3)")
    return Observation(images, np.asarray(state, dtype=np.float64), instruction, step)
