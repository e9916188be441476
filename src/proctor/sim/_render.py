"""Pictures. One renderer per model and size, made when first asked for."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError

_CAPACITY = 3


class RendererPool:
    """Keeps the last few renderers: an OpenGL context with uploaded meshes is dear to make and to hold."""

    def __init__(self) -> None:
        self._pool: OrderedDict[tuple[int, int, int], tuple[mujoco.MjModel, mujoco.Renderer]] = OrderedDict()
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = (1, 1, 1, 0, 0, 0)
        self._option.sitegroup[:] = 0

    def render(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        camera: str,
        height: int,
        width: int,
        change: Callable[[mujoco.MjvScene], None] | None = None,
    ) -> NDArray[np.uint8]:
        """Return an upright picture [H, W, 3]; ``change`` may alter the list of things to draw."""
        renderer = self._get(model, height, width)
        renderer.update_scene(data, camera=camera, scene_option=self._option)
        if change is not None:
            change(renderer.scene)
        picture: NDArray[np.uint8] = renderer.render()
        return picture.copy()

    def geom_ids(
        self, model: mujoco.MjModel, data: mujoco.MjData, camera: str, height: int, width: int
    ) -> NDArray[np.int32]:
        """Return [H, W]: the geom that each pixel of the same picture shows, -1 where it shows none."""
        renderer = self._get(model, height, width)
        renderer.enable_segmentation_rendering()
        try:
            renderer.update_scene(data, camera=camera, scene_option=self._option)
            ids = renderer.render()
        finally:
            renderer.disable_segmentation_rendering()
        return np.where(ids[..., 1] == mujoco.mjtObj.mjOBJ_GEOM, ids[..., 0], -1).astype(np.int32)

    def depth(
        self, model: mujoco.MjModel, data: mujoco.MjData, camera: str, height: int, width: int
    ) -> NDArray[np.float32]:
        """Return [H, W]: the distance [m] of what each pixel shows from the camera's plane."""
        renderer = self._get(model, height, width)
        renderer.enable_depth_rendering()
        try:
            renderer.update_scene(data, camera=camera, scene_option=self._option)
            depth: NDArray[np.float32] = renderer.render()
        finally:
            renderer.disable_depth_rendering()
        return depth.copy()

    def _get(self, model: mujoco.MjModel, height: int, width: int) -> mujoco.Renderer:
        key = (id(model), height, width)
        if key in self._pool:
            self._pool.move_to_end(key)
            return self._pool[key][1]
        while len(self._pool) >= _CAPACITY:
            _free(self._pool.popitem(last=False)[1][1])
        renderer = _make(model, height, width)
        self._pool[key] = (model, renderer)
        return renderer

    def close(self) -> None:
        while self._pool:
            _free(self._pool.popitem()[1][1])


def _free(renderer: mujoco.Renderer) -> None:
    """Close a renderer in its own OpenGL context.

    `Renderer.close` deletes textures and meshes by number in whichever context is current: left to itself it takes
    those of the renderer that was used last.
    """
    context = renderer._gl_context
    if context is not None:
        context.make_current()
    renderer.close()


def _make(model: mujoco.MjModel, height: int, width: int) -> mujoco.Renderer:
    try:
        return mujoco.Renderer(model, height, width)
    except Exception as error:
        backend = os.environ.get("MUJOCO_GL", "default")
        reason = str(error).split(",")[0].splitlines()[0] if str(error) else type(error).__name__
        raise ProctorError(
            f"cannot render (MUJOCO_GL={backend}): {reason}; install libegl1 and libgl1-mesa-dri and set "
            f"MUJOCO_GL=egl, or install libosmesa6 and set MUJOCO_GL=osmesa; `proctor doctor` tells more"
        ) from error
