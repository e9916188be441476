"""V2, and ``:random_color``: every material of every movable object gets a colour of its own.

VLA-Arena, section 8.2 and Table 4: red, green and blue ~ U(0.2, 0.8) independently. The colour multiplies the
material's texture, and takes the place of the plain colour of a material that has none: MuJoCo's rule for a geom's
rgba, which the reference uses too. "Interactive objects" (8.2), "all objects" (2.3): what a task declares under
``:objects``. The reference also tints fixtures, table, walls and floor. A see-through material keeps its own alpha: the
paper's A = 1 would hide what a glass holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mujoco

from proctor.core import named_rng

CHANNEL = (0.2, 0.8)
_DECIMALS = 4

Rgb = tuple[float, float, float]


def draw_colours(model: mujoco.MjModel, objects: Iterable[str], seed: int) -> dict[int, Rgb]:
    """Draw a colour for each visual geom of ``objects``, by geom id. An object's colours depend on its name alone.

    Drawn to four decimals, so that a row can hold the exact colour in few characters.
    """
    colours: dict[int, Rgb] = {}
    geoms = materials(model)
    for name in objects:
        rng = named_rng(seed, "vision", "color", name)
        for geom in geoms.get(name, ()):
            red, green, blue = rng.uniform(*CHANNEL, 3).round(_DECIMALS).tolist()
            colours[geom] = (red, green, blue)
    return colours


def materials(model: mujoco.MjModel) -> Mapping[str, list[int]]:
    """Return the geoms that show a material, by the object that they belong to, in the order of the model."""
    found: dict[str, list[int]] = {}
    for geom in range(model.ngeom):
        owner, visual, _ = model.geom(geom).name.partition("/visual/")
        if visual and model.geom_matid[geom] >= 0:
            found.setdefault(owner, []).append(geom)
    return found


def paint(model: mujoco.MjModel, colours: Mapping[int, Rgb]) -> None:
    for geom, rgb in colours.items():
        model.geom_rgba[geom] = (*rgb, model.mat_rgba[model.geom_matid[geom]][3])


def values(model: mujoco.MjModel, colours: Mapping[int, Rgb]) -> dict[str, str]:
    """Return the colours as ``color/OBJECT/K`` = ``R G B``; K counts the object's materials from 0."""
    names = {geom: model.geom(geom).name.replace("/visual/", "/") for geom in colours}
    return {f"color/{names[geom]}": " ".join(f"{part:.{_DECIMALS}f}" for part in rgb) for geom, rgb in colours.items()}
