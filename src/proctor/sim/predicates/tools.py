"""``DrivenBy n tool f`` and ``StruckBy a (...)``: terminal.

``DrivenBy``: of the way that the joint of ``n`` (a nail) has gone since settling, at least the share ``f`` was gone in
control steps in which ``tool``, or that part of it, touched ``n`` and no finger did. Severity: that share.
``StruckBy``: when ``a`` was first faster than 5 cm/s, one of the listed things touched it, in that control step or the
one before, and the robot did not. Source: vlabench spec, section 0.2; pushing with the hammer counts (section 9).
"""

from __future__ import annotations

from proctor.assets import links

from .. import _placing
from .._contacts import Condition, Graded
from .._errors import SceneError
from .._scene import ROBOT_NAMES, Scene
from ._registry import posed, predicate


def joint_of(scene: Scene, name: str) -> str:
    """Return the joint that ``name`` means, or the only one of the thing that it names, as MuJoCo calls it."""
    place = scene.place(name)
    if place.joint is not None:
        return f"{place.entity}/{place.joint.name}"
    asset = scene.assets.get(place.entity)
    joints = [link.joint.name for link in links(asset.root) if link.joint] if asset else []
    if len(joints) != 1:
        raise SceneError(f"{name!r} is not a joint and has {len(joints)} of them; name one, as in panel_1/nail2")
    return f"{place.entity}/{joints[0]}"


@predicate("DrivenBy", "terminal")
def driven_by(scene: Scene, n: str, tool: str, share: float, *, compat: str) -> Condition:
    """Build the condition that ``tool`` moved ``n``."""
    address = int(scene.model.joint(joint_of(scene, n)).qposadr[0])
    mine = scene.geoms(n)
    by_tool = scene.contacts.latched(scene.geoms(tool), mine)
    by_finger = scene.contacts.latched(scene.gripper_geoms, mine)
    driven = scene.tools.driven(lambda: float(scene.data.qpos[address]), by_tool, by_finger)
    return Graded(lambda: driven() >= share, driven, "share")


@predicate("StruckBy", "terminal")
def struck_by(scene: Scene, a: str, names: tuple[int | str, ...], *, compat: str) -> Condition:
    """Build the condition that one of ``names`` set ``a`` in motion."""
    name = posed(scene, a)
    mine = scene.geoms(name)
    touches = [scene.contacts.latched(scene.geoms(posed(scene, other)), mine) for other in names]
    robot = scene.contacts.latched(scene.geoms(ROBOT_NAMES[0]), mine)
    return scene.tools.struck(lambda: _placing.speeds(scene, name)[0], lambda: any(t() for t in touches), robot)
