"""Pictures of the station. OpenGL wants one thread, so there is one, and everybody else waits for it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError

# Width and height that each camera really has; other widths keep the proportions.
SIZES: Final = {"top": (1280, 720), "wrist": (640, 480), "station": (960, 720)}


class CameraLostError(ProctorError):
    """A camera does not answer."""


@dataclass(frozen=True, slots=True)
class _Shot:
    model: Any
    qpos: NDArray[np.float64]
    camera: str
    width: int
    height: int


class Photographer:
    """Takes pictures of states of models, in its own thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="twin-camera")
        self._renderers: dict[tuple[int, int], mujoco.Renderer] = {}
        self._model: Any = None
        self._data: Any = None
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = (1, 1, 1, 0, 0, 0)
        self._option.sitegroup[:] = 0

    def take(self, model: Any, qpos: NDArray[np.float64], camera: str, width: int | None) -> NDArray[np.uint8]:
        """Return an upright picture [H, W, 3]."""
        native_width, native_height = SIZES[camera]
        wide = width or native_width
        if not 16 <= wide <= native_width:
            raise ProctorError(f"camera {camera!r} gives pictures 16 to {native_width} pixels wide, not {wide}")
        shot = _Shot(model, qpos, camera, wide, round(wide * native_height / native_width))
        return self._thread.submit(self._render, shot).result()

    def close(self) -> None:
        self._thread.submit(self._forget).result()
        self._thread.shutdown()

    def _render(self, shot: _Shot) -> NDArray[np.uint8]:
        if self._model is not shot.model:
            self._forget()
            self._model, self._data = shot.model, mujoco.MjData(shot.model)
        size = (shot.width, shot.height)
        if size not in self._renderers:
            self._renderers[size] = _renderer(shot.model, *size)
        self._data.qpos[:] = shot.qpos
        # Kinematics and cameras are all a picture needs.
        mujoco.mj_kinematics(shot.model, self._data)
        mujoco.mj_comPos(shot.model, self._data)
        mujoco.mj_camlight(shot.model, self._data)
        renderer = self._renderers[size]
        renderer.update_scene(self._data, camera=shot.camera, scene_option=self._option)
        picture: NDArray[np.uint8] = renderer.render()
        return picture.copy()

    def _forget(self) -> None:
        for renderer in self._renderers.values():
            # Renderer.close deletes by number in whichever context is current.
            if renderer._gl_context is not None:
                renderer._gl_context.make_current()
            renderer.close()
        self._renderers.clear()
        self._model = self._data = None


def _renderer(model: Any, width: int, height: int) -> mujoco.Renderer:
    try:
        return mujoco.Renderer(model, height, width)
    except Exception as error:
        backend = os.environ.get("MUJOCO_GL", "default")
        reason = str(error).split(",")[0].splitlines()[0] if str(error) else type(error).__name__
        raise ProctorError(
            f"cannot render the station (MUJOCO_GL={backend}): {reason}; install libegl1 and libgl1-mesa-dri and set "
            f"MUJOCO_GL=egl; `proctor doctor` tells more"
        ) from error
