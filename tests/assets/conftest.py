"""A table in MuJoCo with the world's size, contact and solver settings, to put assets on.

The size matters: MuJoCo's convex collision of an ellipsoid with a box places the contact wrongly by millimetres when
the box is metres wide.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np
import pytest

from proctor.assets import Asset, attach


class Bench:
    """Assets side by side on a table at z = 0; object ``k`` is named ``o{k}``."""

    def __init__(self, assets: Sequence[Asset], *, ball_radius_m: float = 0.0) -> None:
        spec = mujoco.MjSpec()
        option = spec.option
        option.timestep, option.impratio, option.ls_iterations = 0.002, 10, 100
        option.integrator, option.cone = mujoco.mjtIntegrator.mjINT_IMPLICITFAST, mujoco.mjtCone.mjCONE_ELLIPTIC
        box = mujoco.mjtGeom.mjGEOM_BOX
        contact = {"condim": 4, "friction": (0.6, 0.005, 0.0001), "solref": (0.006, 1.0)}
        spec.worldbody.add_geom(name="table", type=box, size=(0.5, 0.6, 0.025), pos=(0, 0, -0.025), **contact)
        self.assets = list(assets)
        self.offsets = [(0.35 * k - 0.175 * (len(assets) - 1), 0.0) for k in range(len(assets))]
        for k, asset in enumerate(assets):
            free = asset.kind == "object"
            body = attach(spec, spec.worldbody, asset, f"o{k}", free=free)
            body.pos = (*self.offsets[k], 0.0)
        if ball_radius_m:
            ball = spec.worldbody.add_body(name="ball", pos=(0, 0, 5))
            ball.add_joint(name="ball", type=mujoco.mjtJoint.mjJNT_FREE, damping=[3e-4, 0, 0])
            ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(ball_radius_m, 0, 0), mass=0.05, **contact)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    def step(self, seconds: float) -> None:
        mujoco.mj_step(self.model, self.data, round(seconds / self.model.opt.timestep))

    def put(self, joint: str, pos: Sequence[float]) -> None:
        start = self.model.joint(joint).qposadr[0]
        self.data.qpos[start : start + 7] = (*pos, 1, 0, 0, 0)
        first = self.model.joint(joint).dofadr[0]
        self.data.qvel[first : first + 6] = 0
        mujoco.mj_forward(self.model, self.data)

    def tilt_deg(self, body: str) -> float:
        return float(np.degrees(np.arccos(np.clip(self.data.body(body).xmat[8], -1, 1))))

    def inside(self, site: str, point: np.ndarray) -> bool:
        """Is a world point within a box site?"""
        s = self.data.site(site)
        local = s.xmat.reshape(3, 3).T @ (point - s.xpos)
        return bool((np.abs(local) <= self.model.site(site).size).all())

    def hit(self, start: np.ndarray, direction: np.ndarray) -> float:
        """Distance to the first collider along a ray, or -1."""
        groups = np.array([0, 0, 0, 1, 0, 0], np.uint8)
        return float(
            mujoco.mj_ray(self.model, self.data, start, direction, groups, 1, -1, np.zeros(1, np.int32), np.zeros(3))
        )


@pytest.fixture
def bench() -> type[Bench]:
    return Bench
