"""Puts an asset into a MuJoCo model under construction, under names that others can rely on.

Bodies ``{name}`` and ``{name}/{link}``; joints ``{name}/free`` and ``{name}/{joint}``; colliders ``{name}/{part}/{k}``
and visuals ``{name}/visual/{k}`` (``{name}/fill/{k}`` where they show a level of content), k counting from 0 over the
object; sites ``{name}/{site}``. Groups: 1 visuals, 3 colliders, 4 sites.
Meshes, textures and materials belong to (category, seed), so equal objects share them.

Contact parameters are those with which thin walls neither leak nor swallow: solref 0.006 s, sliding friction 0.6.

A particle has joints ``{name}/x``, ``/y``, ``/z`` instead of a free one, and contacts of its own: without friction,
stiff, and of higher priority than a vessel's wall or a finger's pad. That is 4 to 10 times faster than free balls with
friction, and no ball passes a wall in a 6 g shake, which with MuJoCo's own solref they do (shared/facts/physics.md,
section 1).
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ._model import Asset, Collider, Link, Material, Mesh, Visual

if TYPE_CHECKING:
    from collections.abc import Iterator

FRICTION = (0.6, 0.005, 0.0002)
SOLREF = (0.006, 1.0)
ROLLING_DAMPING = 3e-4
"""Free-joint damping (N·m·s/rad) of objects that roll: stops an egg within a second, invisible in free fall."""


PARTICLE_CONTACT = {"condim": 1, "priority": 2, "solref": (0.004, 1.0), "solimp": (0.95, 0.99, 0.0005, 0.5, 2.0)}
SURFACE_PRIORITY = 3
"""What a surface needs to give a particle, whose own contacts are slippery, the surface's friction."""


FIRM_CONTACT = {
    "condim": 6,
    "priority": 2,
    "friction": (1.5, 0.02, 0.001),
    "solref": (0.004, 1.0),
    "solimp": (0.98, 0.995, 0.001, 0.5, 2.0),
}
"""For what the ordinary contacts let slip: with them a 19 mm cylinder sinks 6 mm into the pads and is lost, with these
it is lifted (vlabench spec, section 0.4). The priority is above that of the pads."""


HARD_STOP: dict[str, Any] = {
    "solref_limit": (0.004, 1.0),
    "solimp_limit": (0.99, 0.999, 0.0005, 0.5, 2.0),
    "solref_friction": (0.004, 1.0),
}


def attach(spec: Any, parent_body: Any, asset: Asset, name: str, *, free: bool) -> Any:
    """Add ``asset`` to ``spec`` under ``parent_body`` and return its root body; ``free`` lets it move."""
    import mujoco

    body = parent_body.add_body(name=name)
    if free and asset.particle:
        for letter, axis in zip("xyz", np.eye(3), strict=True):
            body.add_joint(name=f"{name}/{letter}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    elif free:
        damping = [ROLLING_DAMPING if asset.rolls else 0.0, 0.0, 0.0]
        body.add_joint(name=f"{name}/free", type=mujoco.mjtJoint.mjJNT_FREE, damping=damping)
    _Builder(spec, asset, name).add(body, asset.root)
    return body


class _Builder:
    """Walks the links of one object; counts geoms over all of them."""

    def __init__(self, spec: Any, asset: Asset, name: str) -> None:
        self.spec, self.asset, self.name = spec, asset, name
        self.key = ":".join([asset.category, str(asset.seed), *(f"{key}={value}" for key, value in asset.look)])
        self.colliders: Iterator[int] = count()
        self.visuals: Iterator[int] = count()

    def add(self, body: Any, link: Link) -> None:
        import mujoco

        for visual in link.visuals:
            self._visual(body, visual)
        for collider in link.colliders:
            self._collider(body, collider)
        for site in self.asset.sites:
            if site.link == link.name:
                body.add_site(
                    name=f"{self.name}/{site.name}", type=mujoco.mjtGeom.mjGEOM_BOX, pos=site.pos,
                    quat=site.quat_wxyz, size=site.half, group=4, rgba=(0.2, 0.5, 1.0, 0.25),
                )  # fmt: skip
        for child in link.children:
            inner = body.add_body(name=f"{self.name}/{child.name}", pos=child.pos, quat=child.quat_wxyz)
            if child.joint is not None:
                joint = child.joint
                kinds = {"slide": mujoco.mjtJoint.mjJNT_SLIDE, "hinge": mujoco.mjtJoint.mjJNT_HINGE}
                # A model under construction counts angles in degrees unless its compiler says otherwise.
                turns = joint.kind == "hinge" and self.spec.compiler.degree
                limits = np.degrees(joint.range) if turns else joint.range
                inner.add_joint(
                    name=f"{self.name}/{joint.name}", type=kinds[joint.kind], axis=joint.axis, range=limits,
                    limited=True, damping=[joint.damping, 0.0, 0.0], frictionloss=joint.frictionloss,
                    armature=joint.armature, stiffness=[joint.stiffness, 0.0, 0.0],
                    springref=np.degrees(joint.rest) if turns else joint.rest,
                    **(HARD_STOP if joint.hard_stop else {}),
                )  # fmt: skip
            self.add(inner, child)

    def _collider(self, body: Any, c: Collider) -> None:
        import mujoco

        contact: dict[str, Any] = {"condim": 4, "friction": FRICTION, "solref": SOLREF}
        if self.asset.particle:
            contact = PARTICLE_CONTACT
        elif self.asset.contact == "firm":
            contact = FIRM_CONTACT
        body.add_geom(
            name=f"{self.name}/{c.part}/{next(self.colliders)}", size=(*c.size, 0.0, 0.0)[:3], pos=c.pos,
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{c.shape.upper()}"), quat=c.quat_wxyz, mass=c.mass_kg, group=3,
            rgba=(0.2, 0.8, 0.2, 1.0),
            contype=1, conaffinity=1, **contact,
        )  # fmt: skip

    def _visual(self, body: Any, visual: Visual) -> None:
        import mujoco

        k = next(self.visuals)
        key = f"{self.key}:{k}"
        if self.spec.mesh(key) is None:
            _add_mesh(self.spec, key, visual.mesh)
            _add_material(self.spec, key, visual.material)
        kind = "fill" if self.asset.fill and visual.part == self.asset.fill else "visual"
        body.add_geom(
            name=f"{self.name}/{kind}/{k}", type=mujoco.mjtGeom.mjGEOM_MESH, meshname=key, material=key, pos=visual.pos,
            quat=visual.quat_wxyz, contype=0, conaffinity=0, density=0.0, group=1,
        )  # fmt: skip


def _add_mesh(spec: Any, key: str, mesh: Mesh) -> None:
    import mujoco

    added = spec.add_mesh(name=key)
    added.uservert = mesh.vertices.ravel()
    added.userface = mesh.faces.ravel()
    added.usernormal = mesh.normals.ravel()
    added.usertexcoord = mesh.uv.ravel()
    # Visual meshes carry no mass and may be open surfaces, for which a volume inertia is undefined.
    added.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL


def _add_material(spec: Any, key: str, material: Material) -> None:
    import mujoco

    rgba = (1.0, 1.0, 1.0, material.alpha) if material.texture is not None else (*material.rgb, material.alpha)
    added = spec.add_material(
        name=key, rgba=rgba, specular=material.specular, shininess=material.shininess, emission=material.emission
    )
    if material.texture is not None:
        height, width, channels = material.texture.shape
        texture = spec.add_texture(
            name=key, type=mujoco.mjtTexture.mjTEXTURE_2D, width=width, height=height, nchannel=channels
        )
        texture.data = np.ascontiguousarray(material.texture).tobytes()
        added.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = key
