"""Contact sheets: one row per category or kind, one column per seed, so that people can judge what code cannot."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, choose_gl_backend

from ._colliders import about_z
from ._mjcf import attach
from ._model import Asset
from ._registry import Look, categories, make

FOVY_DEG = 24.0
AZIMUTH_DEG = 28.0
ELEVATION_DEG = -30.0
YAW_RAD = -math.pi / 2
"""Turns handles (+x) to the right of the picture and fronts (-y) towards the camera."""
BENCH_YAW_RAD = 0.3
"""What has its front towards -x, as the knowledge suite's things to read and its fixtures do: nearly to the camera."""
OVERSAMPLING = 2
ROWS_PER_BLOCK = 12
"""Longer lists continue in further blocks to the right."""
_APART_M = 4.0
_GROUND = (0.83, 0.81, 0.78, 1.0)
_INK, _FAINT, _PAPER = (38, 40, 44), (120, 122, 126), (250, 249, 247)


def sheet(categories: Sequence[str], instances: int = 4, size: int = 192, *, colliders: bool = False) -> Any:
    """Return a labelled ``PIL.Image`` of ``instances`` seeds of each category, in square cells of ``size`` pixels.

    Cells of a row share one scale, so that differences in size can be seen. ``colliders`` shows what is touched instead
    of what is seen.
    """
    rows: list[tuple[str, str, Look]] = [(name.replace("_", "_\n"), name, ()) for name in categories]
    return catalogue(rows, instances, size, colliders=colliders)


def catalogue(
    entries: Sequence[tuple[str, str, Look]], instances: int = 4, size: int = 192, *, colliders: bool = False
) -> Any:
    """Return a page with one row per entry (label, category, look), one column per seed."""
    from PIL import Image, ImageDraw, ImageFont

    gap, header, label = 4, 28, max(110, size * 2 // 3)
    rows = -(-len(entries) // -(-len(entries) // ROWS_PER_BLOCK))
    block = label + instances * (size + gap) + gap
    page = Image.new("RGB", (block * -(-len(entries) // rows), header + rows * (size + gap) + gap), _PAPER)
    draw = ImageDraw.Draw(page)
    large = ImageFont.load_default(size=max(12, size // 13))
    small = ImageFont.load_default(size=max(11, size // 16))
    for k, (words, category, look) in enumerate(entries):
        left, top = (k // rows) * block, header + (k % rows) * (size + gap)
        draw.multiline_text((left + 12, top + size // 2), words, _INK, large, "lm")
        assets = [make(category, seed, look) for seed in range(instances)]
        for column, picture in enumerate(photograph(assets, size * OVERSAMPLING, colliders=colliders)):
            x = left + label + gap + column * (size + gap)
            page.paste(Image.fromarray(picture).resize((size, size), Image.Resampling.LANCZOS), (x, top))
            if k % rows == 0:
                draw.text((x + size // 2, header // 2), f"seed {column}", _FAINT, small, "mm")
    return page


def photograph(assets: Sequence[Asset], size: int, *, colliders: bool = False) -> list[NDArray[np.uint8]]:
    """Return one square picture [size, size, 3] of each asset, at one scale for all; drawers stand ajar."""
    choose_gl_backend()
    import mujoco

    spec = _studio(size, _APART_M * (len(assets) + 5))
    bench = categories("knowledge")
    for k, asset in enumerate(assets):
        body = attach(spec, spec.worldbody, asset, f"object{k}", free=False)
        body.pos = (0.0, _APART_M * k, 0.0)
        front = asset.face is not None or (asset.kind == "fixture" and asset.category in bench)
        body.quat = about_z(BENCH_YAW_RAD if front else YAW_RAD)
    model = spec.compile()
    data = mujoco.MjData(model)
    for joint in range(model.njnt):
        low, high = model.jnt_range[joint]
        data.qpos[model.jnt_qposadr[joint]] = low + (high - low) * (0.0, 0.3, 0.65)[joint % 3]
    mujoco.mj_forward(model, data)
    option = mujoco.MjvOption()
    option.geomgroup[:] = (1, not colliders, 0, colliders, 0, 0)
    camera = mujoco.MjvCamera()
    camera.azimuth, camera.elevation = AZIMUTH_DEG, ELEVATION_DEG
    reach = max(math.hypot(a.radius_m, a.height_m / 2) for a in assets)
    camera.distance = 1.08 * reach / math.sin(math.radians(FOVY_DEG / 2))
    pictures = []
    renderer = _renderer(model, size)
    try:
        for k, asset in enumerate(assets):
            # A directional light casts shadows only near its own position.
            model.light_pos[0] = np.array([0.0, _APART_M * k, 0.0]) - 1.5 * model.light_dir[0]
            mujoco.mj_forward(model, data)
            camera.lookat[:] = (0.0, _APART_M * k, (0.48 if asset.height_m > asset.radius_m else 0.3) * asset.height_m)
            renderer.update_scene(data, camera, option)
            pictures.append(renderer.render().copy())
    finally:
        renderer.close()
    return pictures


def _studio(size: int, ground_m: float) -> Any:
    """Return a spec with lights and a ground that reaches ``ground_m`` from the first object, beyond the last one."""
    import mujoco

    spec = mujoco.MjSpec()
    visual = spec.visual
    visual.global_.offwidth = visual.global_.offheight = size
    visual.global_.fovy = FOVY_DEG
    visual.headlight.ambient, visual.headlight.diffuse = (0.40,) * 3, (0.14,) * 3
    visual.headlight.specular = (0.0,) * 3
    visual.quality.shadowsize = 1024
    visual.map.znear, visual.map.shadowclip = 0.02, 0.5
    spec.stat.extent = 1.0
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=(ground_m, ground_m, 0.1), rgba=_GROUND, contype=0, conaffinity=0
    )
    sun = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    for direction, strength in (((0.30, -0.35, -1.0), 0.46), ((0.5, 0.6, -0.8), 0.14)):
        spec.worldbody.add_light(
            pos=(-1, -1, 3),
            dir=direction,
            type=sun,
            castshadow=strength > 0.3,
            diffuse=(strength,) * 3,
            specular=(0.5 * strength,) * 3,
        )
    return spec


def _renderer(model: Any, size: int) -> Any:
    import mujoco

    try:
        return mujoco.Renderer(model, size, size)
    except Exception as error:  # the backends raise whatever they like when a library is missing
        raise ProctorError(
            f"cannot render (MUJOCO_GL={os.environ.get('MUJOCO_GL', 'default')}): {type(error).__name__}; install "
            "libegl1 and libgl1-mesa-dri, or install libosmesa6 and set MUJOCO_GL=osmesa"
        ) from error
