"""Vision levels: what the pictures of one episode look like, by the task and by the level.

Levels are cumulative (VLA-Arena, section 2.3): V1 light, V2 and object colours, V3 and camera position, V4 and noise.
Every value is drawn from the episode's seed under its own name, so the light of V1 is that of V4, and two policies see
the same thing. Colours and cameras are written into the model; light and noise are applied to finished pictures.
Physics reads none of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco

from proctor.core import VISION_LEVELS, did_you_mean, named_rng
from proctor.tasks.cbddl import Task

from .._errors import SceneError
from .._room import AGENTVIEW
from . import camera, colour
from .light import Image, Light
from .noise import VARIANCE, Gaussian, NoiseModel, noise_model


class Vision:
    """The appearance of a compiled task. ``begin`` sets it for an episode; ``values`` are what was drawn for it."""

    def __init__(
        self, model: mujoco.MjModel, task: Task, cameras: Mapping[str, str], noise_variance: float = VARIANCE
    ) -> None:
        self.values: dict[str, float | str] = {}
        self._model, self._task, self._variance = model, task, noise_variance
        self._task_offsets = camera.task_offsets(task, cameras)
        self._rgba, self._positions = model.geom_rgba.copy(), model.cam_pos.copy()
        self._lights: list[Light] = []
        self._noises: list[NoiseModel] = []
        self._seed = 0

    def begin(self, seed: int, level: str) -> None:
        """Draw and set what episode ``seed`` looks like at ``level``. Call it before the physics is stepped."""
        degree = _degree(level)
        self.values, self._seed = {}, seed
        self._set_light(degree >= 1)
        self._set_colours(degree >= 2 or self._task.random_color)
        self._set_cameras(degree >= 3)
        self._set_noise(degree >= 4)

    def perturb(self, image: Image, camera_name: str, step: int) -> Image:
        """Return a picture of ``camera_name`` at control step ``step`` as a policy sees it: a pure function."""
        for light in self._lights:
            image = light.apply(image)
        if self._noises:
            rng = named_rng(self._seed, "noise", camera_name, step)
            for noise in self._noises:
                image = noise.apply(image, rng)
        return image

    def _set_light(self, drawn: bool) -> None:
        settings = self._task.image_settings
        self._lights = [Light.of(settings)] if settings is not None else []
        if drawn:
            light = Light.draw(self._seed)
            self._lights.append(light)
            self.values |= light.values()

    def _set_colours(self, drawn: bool) -> None:
        self._model.geom_rgba[:] = self._rgba
        if drawn:
            objects = [entity.name for entity in self._task.objects]
            colours = colour.draw_colours(self._model, objects, self._seed)
            colour.paint(self._model, colours)
            self.values |= colour.values(self._model, colours)

    def _set_cameras(self, drawn: bool) -> None:
        positions = self._model.cam_pos
        positions[:] = self._positions
        for name, offset in self._task_offsets.items():
            positions[self._model.camera(name).id] += offset
        if drawn:
            shift = camera.draw_offset(self._seed)
            positions[self._model.camera(AGENTVIEW).id] += shift
            self.values |= {f"camera_d{axis}_m": float(part) for axis, part in zip("xyz", shift, strict=True)}

    def _set_noise(self, added: bool) -> None:
        self._noises = [noise_model(self._task.noise)] if self._task.noise is not None else []
        if added:
            self._noises.append(Gaussian(variance=self._variance))
            self.values["noise_variance"] = self._variance


def _degree(level: str) -> int:
    if level not in VISION_LEVELS:
        raise SceneError(
            f"unknown vision level {level!r} (there are {', '.join(VISION_LEVELS)}){did_you_mean(level, VISION_LEVELS)}"
        )
    return VISION_LEVELS.index(level)
