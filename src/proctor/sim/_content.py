"""What is in vessels, drawn: the level of their content, and the stream while something runs. Only pictures change.

The geoms that show a content are drawn as high as it stands: scaled along the vessel's axis from their bottom in the
list of things to draw, so that neither the model nor the physics knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from ._flow import SPOUT
from ._mouths import mouths
from ._rotation import Array
from ._scene import Scene
from ._scenery import TABLE_Z

EMPTY = 0.02
"""Levels below this are not drawn."""
STREAM_M = 0.004
STREAM_RGBA = np.array([0.85, 0.80, 0.70, 0.9], np.float32)


@dataclass(frozen=True, slots=True)
class _Fill:
    owner: str
    bottom: float


class Content:
    """The contents of one scene that are seen."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._fills: dict[int, _Fill] = {}
        for geom in range(scene.model.ngeom):
            owner, _, rest = scene.model.geom(geom).name.partition("/")
            if rest.startswith("fill/") and scene.flow.shown(owner) is not None:
                self._fills[geom] = _Fill(owner, _bottom(scene, geom, owner))

    def draw(self, picture: mujoco.MjvScene) -> None:
        """Change a list of things to draw before it is drawn."""
        if self._fills:
            self._levels(picture)
        for source, receiver in self._scene.flow.now.streams:
            self._stream(picture, source, receiver)

    def _levels(self, picture: mujoco.MjvScene) -> None:
        for item in picture.geoms[: picture.ngeom]:
            fill = self._fills.get(item.objid) if item.objtype == mujoco.mjtObj.mjOBJ_GEOM else None
            if fill is None:
                continue
            level = self._scene.flow.shown(fill.owner) or 0.0
            if level < EMPTY:
                item.rgba[3] = 0.0
                continue
            up = self._scene.rotation(fill.owner)[:, 2]
            foot = self._scene.origin(fill.owner) + up * fill.bottom
            squash = np.eye(3) - (1.0 - level) * np.outer(up, up)
            item.mat[:] = squash @ np.asarray(item.mat).reshape(3, 3)
            item.pos[:] = foot + squash @ (np.asarray(item.pos) - foot)

    def _stream(self, picture: mujoco.MjvScene, source: str, receiver: str) -> None:
        if picture.ngeom >= picture.maxgeom:
            return
        start = self._start(source)
        end = start.copy()
        end[2] = self._scene.origin(receiver.partition("/")[0])[2] + 0.01 if receiver else TABLE_Z
        if end[2] >= start[2]:
            return
        item = picture.geoms[picture.ngeom]
        mujoco.mjv_initGeom(
            item, mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.zeros(3), np.zeros(9), self._colour(source)
        )
        mujoco.mjv_connector(item, mujoco.mjtGeom.mjGEOM_CAPSULE, STREAM_M, start, end)
        picture.ngeom += 1

    def _start(self, source: str) -> Array:
        asset = self._scene.assets[source]
        if asset.spout is not None:
            return self._scene.flow.spout(source)
        return mouths(self._scene, f"{source}/{SPOUT}")[0].middle()

    def _colour(self, source: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        """Return the colour of what runs out of a vessel: that of its drawn content."""
        model = self._scene.model
        for geom, fill in self._fills.items():
            if fill.owner == source and model.geom_matid[geom] >= 0:
                return np.array([*model.mat_rgba[model.geom_matid[geom], :3], STREAM_RGBA[3]], np.float32)
        return STREAM_RGBA


def _bottom(scene: Scene, geom: int, owner: str) -> float:
    """Return the lowest height of a mesh geom in its owner's frame."""
    model, data = scene.model, scene.data
    mujoco.mj_kinematics(model, data)
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = model.mesh_vert[first : first + count].astype(np.float64)
    world = data.geom_xpos[geom] + vertices @ data.geom_xmat[geom].reshape(3, 3).T
    local = (world - scene.origin(owner)) @ scene.rotation(owner)
    return float(local[:, 2].min())
