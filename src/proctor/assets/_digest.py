"""What an object is, as a digest: its geometry, looks, words and annotations, and what MuJoCo makes of its body.

Of the compiled model the masses, inertias, contacts, joints and materials enter. Meshes enter as they are built: MuJoCo
turns them into a frame of inertia, which is arbitrary for what is round.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from proctor.core import digest_of

from ._mjcf import attach
from ._model import Asset
from ._registry import Look, make

_COMPILED = (
    "body_mass", "body_ipos", "geom_type", "geom_contype", "geom_conaffinity", "geom_condim", "geom_priority",
    "geom_friction", "geom_solref", "geom_solimp", "geom_margin", "geom_gap", "geom_group", "geom_rgba", "jnt_type",
    "jnt_axis", "jnt_range", "jnt_margin", "jnt_stiffness", "jnt_solref", "jnt_solimp", "qpos_spring", "dof_damping",
    "dof_frictionloss", "dof_armature", "dof_solref", "dof_solimp", "mat_rgba", "mat_specular", "mat_shininess",
    "mat_emission", "site_size",
)  # fmt: skip


@lru_cache(maxsize=8192)
def asset_digest(category: str, seed: int, look: Look = ()) -> str:
    """Return 16 hexadecimal digits over one instance; its category and its seed are only how it came about."""
    import mujoco

    asset: Asset = make(category, seed, look)
    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, asset, "it", free=asset.kind == "object")
    model = spec.compile()
    compiled = [getattr(model, name) for name in _COMPILED]
    return digest_of([replace(asset, category="", seed=0), *compiled, np.sort(model.body_inertia, axis=1)])
