"""Objects and fixtures, made in code: something to look at, something to touch, and the places that matter.

``make("apple", seed=3)`` returns an ``Asset``; ``attach`` puts it into a MuJoCo model. Instances of a category vary
with the seed in size, proportion, colour and pattern, and grasps and sites follow the instance's own dimensions.
"""

from . import _colliders as colliders
from . import _mesh as meshes
from . import _recipes as recipes
from . import _shapes as shapes
from . import _texture as textures
from ._count import CategoryCount, appearance, kinds_of, tally
from ._digest import asset_digest
from ._hollow import Hollow
from ._mjcf import SURFACE_PRIORITY, attach
from ._model import (
    Asset,
    Button,
    Collider,
    Grasp,
    Handle,
    Joint,
    Link,
    Material,
    Mesh,
    Opening,
    Site,
    Spout,
    Stem,
    Visual,
    inner_radius_m,
    links,
    mass_kg,
)
from ._registry import Look, categories, category, looks_of, make
from ._sheet import catalogue, photograph, sheet

__all__ = [
    "SURFACE_PRIORITY",
    "Asset",
    "Button",
    "CategoryCount",
    "Collider",
    "Grasp",
    "Handle",
    "Hollow",
    "Joint",
    "Link",
    "Look",
    "Material",
    "Mesh",
    "Opening",
    "Site",
    "Spout",
    "Stem",
    "Visual",
    "appearance",
    "asset_digest",
    "attach",
    "catalogue",
    "categories",
    "category",
    "colliders",
    "inner_radius_m",
    "kinds_of",
    "links",
    "looks_of",
    "make",
    "mass_kg",
    "meshes",
    "photograph",
    "recipes",
    "shapes",
    "sheet",
    "tally",
    "textures",
]
