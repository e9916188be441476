"""Objects and fixtures, made in code: something to look at, something to touch, and the places that matter.

``make("apple", seed=3)`` returns an ``Asset``; ``attach`` puts it into a MuJoCo model. Instances of a category vary
with the seed in size, proportion, colour and pattern, and grasps and sites follow the instance's own dimensions.
"""

from . import _texture as textures
from ._hollow import Hollow
from ._mjcf import SURFACE_PRIORITY, attach
from ._model import (
    Asset,
    Collider,
    Grasp,
    Handle,
    Joint,
    Link,
    Material,
    Mesh,
    Opening,
    Site,
    Visual,
    inner_radius_m,
    links,
    mass_kg,
)
from ._registry import Blueprint, assets_hash, categories, category, make
from ._sheet import photograph, sheet

__all__ = [
    "SURFACE_PRIORITY",
    "Asset",
    "Blueprint",
    "Collider",
    "Grasp",
    "Handle",
    "Hollow",
    "Joint",
    "Link",
    "Material",
    "Mesh",
    "Opening",
    "Site",
    "Visual",
    "assets_hash",
    "attach",
    "categories",
    "category",
    "inner_radius_m",
    "links",
    "make",
    "mass_kg",
    "photograph",
    "sheet",
    "textures",
]
