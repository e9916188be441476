"""The room around the task: table, floor, walls, pedestal, light and cameras.

How table, floor, walls and light look: as in every task, or with ``(:looks (main_table (seed 3)))`` as another room.

The other rooms share neither material nor light with the usual one: no wood in its tones, no grey-white walls. They are
for the track that asks what a policy makes of surfaces it has never seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.assets import textures
from proctor.core import named_rng

from ._panda import BASE_POS

Colour = tuple[float, float, float]
Image = NDArray[np.uint8]
_SIZE = 128
# Pairs of tones, none of them the brown of the usual table.
_TONES: tuple[tuple[Colour, Colour], ...] = (
    ((0.24, 0.32, 0.36), (0.36, 0.46, 0.50)),
    ((0.20, 0.36, 0.26), (0.34, 0.50, 0.38)),
    ((0.50, 0.26, 0.24), (0.66, 0.40, 0.36)),
    ((0.28, 0.26, 0.40), (0.44, 0.42, 0.58)),
    ((0.70, 0.62, 0.38), (0.84, 0.77, 0.52)),
    ((0.16, 0.17, 0.19), (0.30, 0.31, 0.34)),
)
_WALLS: tuple[Colour, ...] = ((0.42, 0.58, 0.62), (0.68, 0.50, 0.44), (0.50, 0.60, 0.42), (0.56, 0.50, 0.66))
_SUNS: tuple[Colour, ...] = ((0.62, 0.48, 0.34), (0.40, 0.48, 0.62), (0.40, 0.38, 0.36), (0.64, 0.62, 0.58))


@dataclass(frozen=True, slots=True)
class Room:
    """Images of the surfaces, and the main light's colour and direction."""

    floor: Image
    wall: Image
    table: Image
    sun: Colour = (0.52, 0.50, 0.47)
    sun_from: Colour = (0.25, 0.5, -1.0)


def room(seed: int | None) -> Room:
    """Return the usual room, or the other one that ``seed`` stands for."""
    return _usual() if seed is None else _other(seed)


def _usual() -> Room:
    rng = np.random.Generator(np.random.PCG64(11))
    floor = textures.wood(rng, (0.42, 0.38, 0.34), (0.50, 0.46, 0.41), rings=5)
    wall = textures.to_image(textures.blend((0.80, 0.78, 0.73), (0.85, 0.83, 0.79), textures.noise(rng, 64, 64, 4)))
    rng = np.random.Generator(np.random.PCG64(5))
    return Room(floor, wall, textures.wood(rng, (0.56, 0.41, 0.27), (0.69, 0.53, 0.37), size=256, rings=9))


def _other(seed: int) -> Room:
    rng = named_rng(seed, "room")
    tones = [_TONES[i] for i in rng.permutation(len(_TONES))]
    table, floor = (_PATTERNS[int(rng.integers(len(_PATTERNS)))](rng, *tones[i]) for i in (0, 1))
    shade = textures.varied(rng, _WALLS[int(rng.integers(len(_WALLS)))])
    light = tuple(min(0.98, value + 0.06) for value in shade)
    wall = textures.to_image(textures.blend(shade, light, textures.noise(rng, 64, 64, 4)))
    sun = textures.varied(rng, _SUNS[int(rng.integers(len(_SUNS)))])
    return Room(floor, wall, table, sun, (float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.6, 0.6)), -1.0))


def _stone(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    grain = 0.6 * textures.noise(rng, _SIZE, _SIZE, 5, (8, 8)) + 0.4 * rng.random((_SIZE, _SIZE))
    return textures.to_image(textures.blend(dark, light, grain))


def _marble(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    veins = np.abs(2 * textures.noise(rng, _SIZE, _SIZE, 5, (2, 2)) - 1)
    return textures.to_image(textures.blend(dark, light, textures.step(0.0, 0.12, veins)))


def _tiles(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    across = np.arange(_SIZE) % (_SIZE // 4)
    joint = (across[:, None] < 2) | (across[None, :] < 2)
    shade = np.where(joint, 0.0, 0.55 + 0.45 * textures.noise(rng, _SIZE, _SIZE, 4))
    return textures.to_image(textures.blend(dark, light, shade))


def _cloth(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    weave = 0.5 + 0.25 * np.sin(np.arange(_SIZE)[:, None] * np.pi / 2) + 0.25 * np.sin(np.arange(_SIZE) * np.pi / 2)
    stripe = (np.arange(_SIZE) // 16 % 2) * 0.4
    return textures.to_image(textures.blend(dark, light, 0.6 * weave + stripe + 0.1 * rng.random((_SIZE, _SIZE))))


def _paint(rng: np.random.Generator, dark: Colour, light: Colour) -> Image:
    return textures.to_image(textures.blend(dark, light, textures.noise(rng, _SIZE, _SIZE, 3)))


_PATTERNS = (_stone, _marble, _tiles, _cloth, _paint)


# What surrounds the task: table, floor, walls, pedestal, light, cameras.
#
# Geometry of the reference (robosuite's table arena as VLA-Arena uses it): table top 1.0 x 1.2 m at z = 0.90 centred
# on the origin, robot base at x = -0.66, agentview at (0.6586, 0, 1.6104). Render budget, fixed once because it
# changes what policies see: no shadows, no multisampling, two lights.

TABLE_HALF = (0.5, 0.6, 0.025)
TABLE_Z = 0.90
TABLE = "table"
AGENTVIEW = "agentview"
HEAD = "head"
# What is to be read faces the robot; these look from its side. Eye [m], what it looks at [m], vertical view [degrees].
# From right above the base the arm would hide the table: the head is before its column and under its elbow.
ROBOT_SIDE = {
    HEAD: ((-0.52, 0.0, 1.36), (-0.15, 0.0, 0.95), 78.0),
    "left": ((-0.62, 0.40, 1.50), (-0.12, 0.0, 0.95), 58.0),
    "right": ((-0.62, -0.40, 1.50), (-0.12, 0.0, 0.95), 58.0),
}
_TABLE_CONTACT = {"condim": 4, "friction": (0.6, 0.005, 0.0001), "solref": (0.006, 1.0)}
_DECOR = {"contype": 0, "conaffinity": 0, "group": 1}


def add_scenery(spec: mujoco.MjSpec, room: Room) -> None:
    """Add everything that every table task shares, in the looks of ``room``."""
    visual = spec.visual
    visual.global_.offwidth = visual.global_.offheight = 1024
    visual.quality.offsamples = 0
    visual.headlight.ambient = (0.34, 0.34, 0.34)
    visual.headlight.diffuse = (0.16, 0.16, 0.16)
    visual.headlight.specular = (0.0, 0.0, 0.0)
    visual.map.znear = 0.01
    spec.stat.extent = 1.5
    spec.stat.center = (0.0, 0.0, 1.0)
    world = spec.worldbody
    sun = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    world.add_light(
        pos=(-0.4, -1.0, 3.0),
        dir=room.sun_from,
        type=sun,
        castshadow=False,
        diffuse=room.sun,
        specular=(0.25,) * 3,
    )
    world.add_light(
        pos=(1.0, 1.2, 2.5),
        dir=(-0.5, -0.6, -1),
        type=sun,
        castshadow=False,
        diffuse=(0.16, 0.17, 0.20),
        specular=(0.05,) * 3,
    )
    _add_room(spec, room)
    _add_table(spec, room)
    world.add_camera(name=AGENTVIEW, pos=(0.6586, 0.0, 1.6104), quat=(0.638, 0.305, 0.305, 0.638), fovy=45)
    world.add_camera(
        name="beauty", pos=(0.72, 0.62, 1.58), xyaxes=_look((0.72, 0.62, 1.58), (-0.10, 0.0, 0.98)), fovy=44
    )
    world.add_camera(
        name="close", pos=(0.42, 0.40, 1.32), xyaxes=_look((0.42, 0.40, 1.32), (-0.06, 0.02, 0.95)), fovy=42
    )
    world.add_camera(
        name="side", pos=(-0.05, 1.05, 1.35), xyaxes=_look((-0.05, 1.05, 1.35), (-0.05, 0.0, 0.98)), fovy=45
    )
    for name, (eye, at, fovy) in ROBOT_SIDE.items():
        world.add_camera(name=name, pos=eye, xyaxes=_look(eye, at), fovy=fovy)


def _add_room(spec: mujoco.MjSpec, room: Room) -> None:
    world = spec.worldbody
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=(0.86, 0.88, 0.90),
        rgb2=(0.62, 0.66, 0.70),
        width=32,
        height=192,
    )
    _material(spec, "floor", room.floor, repeat=(5, 5), specular=0.1)
    _material(spec, "wall", room.wall, repeat=(3, 3))
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    world.add_geom(name="floor", type=plane, size=(4, 4, 0.1), material="floor", **_TABLE_CONTACT)
    box = mujoco.mjtGeom.mjGEOM_BOX
    world.add_geom(name="wall_back", type=box, size=(0.05, 4, 1.6), pos=(-2.0, 0, 1.6), material="wall", **_DECOR)
    world.add_geom(name="wall_left", type=box, size=(4, 0.05, 1.6), pos=(0, 2.2, 1.6), material="wall", **_DECOR)
    world.add_geom(name="wall_right", type=box, size=(4, 0.05, 1.6), pos=(0, -2.2, 1.6), material="wall", **_DECOR)
    half = BASE_POS[2] / 2
    world.add_geom(
        name="pedestal",
        type=box,
        size=(0.11, 0.11, half),
        pos=(BASE_POS[0], 0, half),
        rgba=(0.27, 0.28, 0.30, 1),
        **_DECOR,
    )


def _add_table(spec: mujoco.MjSpec, room: Room) -> None:
    _material(spec, "table_wood", room.table, specular=0.15)
    cylinder = mujoco.mjtGeom.mjGEOM_CYLINDER
    top = TABLE_Z - TABLE_HALF[2]
    table = spec.worldbody.add_body(name=TABLE, pos=(0, 0, top))
    add_table_top(table).material = "table_wood"
    leg = (TABLE_Z - 2 * TABLE_HALF[2]) / 2
    for i, (x, y) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        pos = (x * (TABLE_HALF[0] - 0.05), y * (TABLE_HALF[1] - 0.05), -TABLE_HALF[2] - leg)
        table.add_geom(
            name=f"{TABLE}/leg{i}", type=cylinder, size=(0.025, leg, 0), pos=pos, material="table_wood", **_DECOR
        )


def add_table_top(table: mujoco.MjsBody) -> mujoco.MjsGeom:
    """Add the board that things stand on; its middle is the body's origin."""
    box = mujoco.mjtGeom.mjGEOM_BOX
    return table.add_geom(name=f"{TABLE}/top", type=box, size=TABLE_HALF, group=1, **_TABLE_CONTACT)


def _material(
    spec: mujoco.MjSpec,
    name: str,
    image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    repeat: tuple[float, float] = (1, 1),
    specular: float = 0.0,
) -> None:
    height, width, channels = image.shape
    texture = spec.add_texture(
        name=name, type=mujoco.mjtTexture.mjTEXTURE_2D, width=width, height=height, nchannel=channels
    )
    texture.data = np.ascontiguousarray(image).tobytes()
    material = spec.add_material(name=name, specular=specular, shininess=0.3, texrepeat=repeat)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name


def _look(eye: tuple[float, ...], at: tuple[float, ...]) -> tuple[float, ...]:
    """Return the camera axes (x right, y up) that look from ``eye`` at ``at``."""
    back = np.subtract(eye, at)
    back /= np.linalg.norm(back)
    right = np.cross((0.0, 0.0, 1.0), back)
    right /= np.linalg.norm(right)
    return (*right.tolist(), *np.cross(back, right).tolist())
