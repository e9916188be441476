"""``FaceUp a``, ``FacedCamera a``, ``Upright a``: instantaneous.

``FaceUp``: the side of ``a`` that is read has looked up, within 30 degrees, for 0.5 s. ``FacedCamera``: it has looked
at the camera ``head``, within 70 degrees, for 0.5 s: a card that stands before the robot is seen from above and from
the side, at 44 degrees in the middle of the work area and at 64 in its near corners; what is turned away looks away by
more than 110. ``Upright``: the axis of ``a`` is within 15 degrees of vertical. Source: vlabench spec, section 0.2 (30
degrees for the camera, which no standing card meets).

``compat="paper"``: at one instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._contacts import Condition
from .._errors import SceneError
from .._room import HEAD
from .._rotation import Array
from .._scene import Scene
from ._registry import posed, predicate

FACE_UP_DEG = 30.0
FACED_DEG = 70.0
FACED_S = 0.5
UPRIGHT_DEG = 15.0


@predicate("FaceUp", "instantaneous")
def face_up(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that the face of ``a`` looks up."""
    return _faces(scene, a, lambda: np.array([0.0, 0.0, 1.0]), FACE_UP_DEG, compat)


@predicate("FacedCamera", "instantaneous")
def faced_camera(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that the face of ``a`` looks at the camera before the robot."""
    camera = scene.model.camera(HEAD).id

    def towards() -> Array:
        way: Array = scene.data.cam_xpos[camera] - scene.com(a)
        return way / float(np.linalg.norm(way))

    return _faces(scene, a, towards, FACED_DEG, compat)


def _faces(scene: Scene, a: str, towards: Callable[[], Array], within_deg: float, compat: str) -> Condition:
    name = posed(scene, a)
    face = scene.assets[name].face
    if face is None:
        raise SceneError(f"{a!r} has no face that could be read; name a card or a tile")
    cosine = math.cos(math.radians(within_deg))

    def faces() -> bool:
        return float(scene.rotation(name) @ face @ towards()) >= cosine

    if compat == "paper":
        return faces
    return scene.shared(("faces", name, within_deg), lambda: scene.lasting.lasts(faces, FACED_S))


@predicate("Upright", "instantaneous")
def upright(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` stands upright."""
    name, cosine = posed(scene, a), math.cos(math.radians(UPRIGHT_DEG))
    return lambda: float(scene.rotation(name)[2, 2]) >= cosine
