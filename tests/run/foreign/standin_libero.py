"""Stand-ins for LIBERO's objects and scenes, which cannot be had without the Hugging Face Hub: boxes of our own.

They have the names, joints and sites that ``libero_object`` asks for, so the real LIBERO and robosuite code loads them,
accepts the package's real start states, steps and renders. What they cannot show is LIBERO's own physics and looks.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

HOPE = [
    "alphabet_soup",
    "bbq_sauce",
    "butter",
    "chocolate_pudding",
    "cream_cheese",
    "ketchup",
    "milk",
    "orange_juice",
    "salad_dressing",
    "tomato_sauce",
]
_BOX = """<mujoco model="{name}"><worldbody><body><body name="object">
<geom name="g" type="box" size="0.02 0.02 0.03" group="0" rgba="0.8 0.3 0.2 1" density="300"/>
<geom name="v" type="box" size="0.02 0.02 0.03" group="1" rgba="0.8 0.3 0.2 1" contype="0" conaffinity="0" mass="0"/>
{sites}</body>
<site name="bottom_site" pos="0 0 -0.03" size="0.005" rgba="0 0 0 0"/>
<site name="top_site" pos="0 0 0.03" size="0.005" rgba="0 0 0 0"/>
<site name="horizontal_radius_site" pos="0.02 0.02 0" size="0.005" rgba="0 0 0 0"/>
</body></worldbody></mujoco>"""
_CONTAIN = '<site name="contain_region" type="box" size="0.05 0.05 0.05" pos="0 0 0.05" quat="1 0 0 0" rgba="0 0 0 0"/>'
_FLOOR = """<mujoco model="floor"><asset>
<texture name="texplane" type="2d" file="../textures/light-gray-floor-tile.png"/>
<texture name="tex-wall" type="2d" file="../textures/light-gray-plaster.png"/>
<material name="floorplane" texture="texplane"/><material name="walls_mat" texture="tex-wall"/></asset>
<worldbody><body name="floor"><geom name="floor" type="plane" size="3 3 0.1" material="floorplane" condim="3"/></body>
<light pos="1 1 3" dir="-0.3 -0.3 -1" directional="true"/>
<camera name="frontview" pos="1.6 0 1.45" quat="0.56 0.43 0.43 0.56"/>
<camera name="agentview" pos="0.9 0 0.8" quat="0.64 0.3 0.3 0.64"/></worldbody></mujoco>"""


def write_assets(folder: Path) -> Path:
    """Write the stand-ins and return their folder."""
    for part in ("scenes", "textures"):
        (folder / part).mkdir(parents=True)
    (folder / "scenes" / "libero_floor_base_style.xml").write_text(_FLOOR)
    for picture in ("light-gray-floor-tile", "light-gray-plaster"):
        Image.fromarray(np.full((8, 8, 3), 160, np.uint8)).save(folder / "textures" / f"{picture}.png")
    for kind, names in (("stable_hope_objects", HOPE), ("stable_scanned_objects", ["basket"])):
        for name in names:
            place = folder / kind / name
            place.mkdir(parents=True)
            sites = _CONTAIN if name == "basket" else ""
            (place / f"{name}.xml").write_text(_BOX.format(name=name, sites=sites))
    return folder
