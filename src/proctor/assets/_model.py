"""What an object is made of: geometry to look at, geometry to touch, and the places that matter.

Frame: the origin is the centre of the footprint, z = 0 is the support plane, so an object at rest stands upright at
the height of its support. Metres, kilograms, radians; quaternions are wxyz.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._hollow import Hollow

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles with smooth normals and texture coordinates."""

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """How a surface looks; ``texture`` is [H, W, 3] uint8 or None."""

    rgb: Vec3 = (0.8, 0.8, 0.8)
    texture: NDArray[np.uint8] | None = None
    specular: float = 0.3
    shininess: float = 0.4
    emission: float = 0.0
    alpha: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Visual:
    """A mesh that is seen and never touched."""

    mesh: Mesh
    material: Material
    part: str = "body"
    pos: Vec3 = (0.0, 0.0, 0.0)
    quat_wxyz: Quat = IDENTITY


@dataclass(frozen=True, slots=True)
class Collider:
    """A primitive that is touched and carries mass; ``size`` as MuJoCo's half sizes for the shape."""

    shape: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid"]
    size: tuple[float, ...]
    mass_kg: float
    part: str = "body"
    pos: Vec3 = (0.0, 0.0, 0.0)
    quat_wxyz: Quat = IDENTITY


@dataclass(frozen=True, slots=True)
class Joint:
    """A slide or hinge between a link and its parent; a spring of ``stiffness`` pulls it towards ``rest``.

    ``hard_stop`` makes its limits and its dry friction stiff: a position-controlled arm pushes an ordinary limit of
    8 mm to 18 mm.
    """

    name: str
    kind: Literal["slide", "hinge"]
    axis: Vec3
    range: tuple[float, float]
    damping: float = 0.0
    frictionloss: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    hard_stop: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A rigid piece of an asset. The root link has no joint of its own (the world decides: free or fixed)."""

    name: str
    visuals: tuple[Visual, ...] = ()
    colliders: tuple[Collider, ...] = ()
    pos: Vec3 = (0.0, 0.0, 0.0)
    quat_wxyz: Quat = IDENTITY
    joint: Joint | None = None
    children: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """When a jointed site counts as open or closed, and where ``Open`` in ``:init`` puts it (joint units)."""

    joint: str
    open_above: float
    closed_below: float
    init_open: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Site:
    """A box-shaped place of an asset, in the frame of ``link``.

    ``place``: things rest on its lower face (``On``); ``contain``: things lie inside it (``In``); ``hole``: something
    long goes in along its z axis, from the +z end (``Inserted``). ``half`` are the half extents; ``pos`` its centre.
    The +z face of a ``contain`` site is the opening. ``opening`` ties it to a drawer or a door.
    """

    name: str
    kind: Literal["place", "contain", "hole"]
    pos: Vec3
    half: Vec3
    link: str = "root"
    quat_wxyz: Quat = IDENTITY
    opening: Opening | None = None


@dataclass(frozen=True, slots=True)
class Grasp:
    """A parallel-jaw grasp in the object frame.

    ``position`` is the point between the pads; ``closing`` the axis along which the fingers close; ``approach`` the
    direction in which the hand comes. ``cost`` is a preference, lower is better. ``width_m`` is what the jaws span.
    """

    position: Vec3
    closing: Vec3
    approach: Vec3 = (0.0, 0.0, -1.0)
    cost: float = 0.0
    width_m: float = 0.0
    part: str = "body"


@dataclass(frozen=True, slots=True)
class Handle:
    """A bar to pull: ``position`` and ``closing`` axis in the frame of ``link``; ``pull`` is the opening direction."""

    name: str
    link: str
    joint: str
    position: Vec3
    closing: Vec3
    pull: Vec3


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press: ``position`` is the middle of its face in the frame of ``link``, ``direction`` the way in."""

    name: str
    link: str
    joint: str
    position: Vec3
    direction: Vec3 = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True)
class Spout:
    """Where a vessel gives out what is in it: a point on the rim's plane, and the way the mouth looks when upright."""

    position: Vec3
    axis: Vec3 = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Stem:
    """What goes into a hole: the end that goes first, and the direction in which it goes, in the object frame."""

    tip: Vec3
    direction: Vec3 = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Asset:
    """One instance of a category, made from ``seed``. Makers leave category, seed and look to the registry.

    ``radius_m`` bounds the footprint (for layouts), ``height_m`` the top. ``rolls`` objects get a little joint damping
    so that they come to rest. ``elongated`` objects are longer than a hand is wide and are laid along the long side of
    a container. ``nouns`` are the words an instruction may call it by, those for this instance alone (a mango among
    the fruits) before those of its category. ``hollow`` is what loose things lie in. A ``particle`` is a point mass:
    it moves and never turns, three slides instead of a free joint.

    ``look`` is what was asked for besides the seed (the rank of a card, the title of a book). ``contact``: ``firm`` for
    what is too thin or too slippery to be held with the ordinary contacts. ``face`` is the outward normal of the side
    that is read; ``fill`` names the visual part that shows a level of content.
    """

    root: Link
    radius_m: float
    height_m: float
    sites: tuple[Site, ...] = ()
    grasps: tuple[Grasp, ...] = ()
    handles: tuple[Handle, ...] = ()
    rolls: bool = False
    elongated: bool = False
    hollow: Hollow | None = None
    particle: bool = False
    kind: Literal["object", "fixture"] = "object"
    part_aliases: dict[int, str] = field(default_factory=dict)
    contact: Literal["normal", "firm"] = "normal"
    buttons: tuple[Button, ...] = ()
    spout: Spout | None = None
    stem: Stem | None = None
    face: Vec3 | None = None
    fill: str = ""
    nouns: tuple[str, ...] = ()
    category: str = ""
    seed: int = 0
    look: tuple[tuple[str, str], ...] = ()

    def site(self, name: str) -> Site | None:
        return next((s for s in self.sites if s.name == name), None)


def links(root: Link) -> Iterator[Link]:
    """Yield ``root`` and all links under it, parents first."""
    yield root
    for child in root.children:
        yield from links(child)


def mass_kg(asset: Asset) -> float:
    """Total mass of an asset's colliders."""
    return sum(collider.mass_kg for link in links(asset.root) for collider in link.colliders)


def inner_radius_m(asset: Asset) -> float:
    """Radius of a circle about the origin that lies in the footprint: how far colliders reach on all four sides.

    Each collider counts with the smaller of its horizontal half sizes; what moves on a joint (drawers, knobs) is left
    out.
    """
    reach = [0.0, 0.0, 0.0, 0.0]
    for link in links(asset.root):
        if link.joint is not None:
            continue
        for collider in link.colliders:
            half = min(collider.size[:2]) if collider.shape in ("box", "ellipsoid") else collider.size[0]
            for side, value in enumerate((collider.pos[0], collider.pos[1], -collider.pos[0], -collider.pos[1])):
                reach[side] = max(reach[side], value + half)
    return min(reach)
