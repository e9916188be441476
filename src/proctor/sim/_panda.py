"""The robot: Panda arm and hand, the shape that is seen and the shape that touches.

The robot: Panda arm from the ``robopal`` wheel, parallel-jaw hand of our own with the Franka hand's dimensions.

Parameter values and why (shared/facts/expert.md): stiff joint servos with gravity compensation give a tool error below
0.2 mm at rest; one servo on finger 0 with a joint-equality mimic gives 70 N per finger *and* lateral stiffness, which
two independent force-limited fingers lack; pads have contact priority so that grasps do not depend on the object's
friction.

Bodies: ``robot/link0`` .. ``robot/link7``, ``robot/hand``, ``robot/finger0``, ``robot/finger1``; site ``robot/tcp``
with z = approach and y = closing direction; camera ``robot/wrist``.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import math
import shutil
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, build_once

PREFIX = "robot/"
TIMESTEP_S = 0.002
BASE_POS = (-0.66, 0.0, 0.912)
HOME_Q = np.array([0.0, -0.161, 0.0, -2.4446, 0.0, 2.2268, math.pi / 4])
SERVO_KP = np.array([4500.0, 4500.0, 3500.0, 3500.0, 2000.0, 2000.0, 2000.0])
SERVO_KV = np.array([300.0, 300.0, 230.0, 230.0, 80.0, 80.0, 60.0])
TORQUE_LIMIT_NM = (87.0, 87.0, 87.0, 87.0, 40.0, 12.0, 12.0)
JOINT_SPEED_LIMIT = np.array([2.175] * 4 + [2.61] * 3)

FINGER_OPEN_M = 0.040
FINGER_SQUEEZE_M = -0.015
GRIP_FORCE_N = 70.0
PAD_FRICTION = (1.6, 0.03, 0.001)
_STIFF = {"solref": (0.004, 1.0), "solimp": (0.95, 0.99, 0.001, 0.5, 2.0)}

# Robot geoms collide with everything except each other: type 2 against affinity 1.
_ROBOT_CONTACT = {"contype": 2, "conaffinity": 1}


def set_physics(spec: mujoco.MjSpec) -> None:
    """Solver settings that were found to hold grasps: see expert.md; line-search iterations below 50 fling objects."""
    option = spec.option
    option.timestep = TIMESTEP_S
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10
    option.iterations = 100
    option.ls_iterations = 100
    option.tolerance = 1e-8


def robot_spec(*, visuals: bool = True) -> mujoco.MjSpec:
    """Build the robot on its own. Without ``visuals`` it has kinematics only (for inverse kinematics)."""
    spec = mujoco.MjSpec.from_file(str(panda_xml()))
    set_physics(spec)
    for item in (*spec.keys, *spec.lights, *spec.actuators):
        spec.delete(item)
    if visuals:
        meshes = decimated_meshes()
        spec.modelfiledir = str(meshes)
        spec.meshdir = ""
        for mesh in spec.meshes:
            mesh.file = str(meshes / mesh.file.rsplit("/", 1)[-1])
    for geom in list(spec.geoms):
        if not visuals:
            spec.delete(geom)
        elif geom.contype or geom.conaffinity:
            geom.contype, geom.conaffinity = 2, 1
    if not visuals:
        for mesh in list(spec.meshes):
            spec.delete(mesh)
    for body in spec.bodies:
        body.gravcomp = 1
    spec.delete(spec.body("attachment"))
    _add_hand(spec, spec.body("link7"))
    for i in range(7):
        joint = f"joint{i + 1}"
        _servo(spec, f"arm{i}", joint, SERVO_KP[i], SERVO_KV[i], tuple(spec.joint(joint).range), TORQUE_LIMIT_NM[i])
    # The mimic constraint shares finger 0's force between both fingers.
    _servo(spec, "grip", "finger0", 8000.0, 150.0, (FINGER_SQUEEZE_M, FINGER_OPEN_M), 2 * GRIP_FORCE_N)
    return spec


def _servo(
    spec: mujoco.MjSpec, name: str, joint: str, kp: float, kv: float, ctrl: tuple[float, ...], force: float
) -> None:
    actuator = spec.add_actuator(
        name=name,
        target=joint,
        trntype=mujoco.mjtTrn.mjTRN_JOINT,
        biastype=mujoco.mjtBias.mjBIAS_AFFINE,
        ctrlrange=ctrl,
        forcerange=(-force, force),
        ctrllimited=1,
        forcelimited=1,
    )
    actuator.gainprm[0] = kp
    actuator.biasprm[:3] = (0.0, -kp, -kv)


def _add_hand(spec: mujoco.MjSpec, flange: Any) -> None:
    """Add palm, camera and fingers 107 mm below link 7, turned by -45 degrees as on the real arm."""
    hand = flange.add_body(
        name="hand", pos=(0, 0, 0.107), quat=(math.cos(math.pi / 8), 0, 0, -math.sin(math.pi / 8)), gravcomp=1
    )
    spec.add_material(name="hand_shell", rgba=(0.92, 0.92, 0.93, 1), specular=0.5, shininess=0.4)
    spec.add_material(name="hand_dark", rgba=(0.22, 0.22, 0.24, 1), specular=0.4, shininess=0.4)
    spec.add_material(name="hand_pad", rgba=(0.10, 0.10, 0.11, 1), specular=0.1, shininess=0.1)
    _box(hand, (0.030, 0.100, 0.018), (0, 0, 0.046), "hand_shell", 0.40)
    _box(hand, (0.030, 0.055, 0.014), (0, 0, 0.014), "hand_shell", 0.25)
    _box(hand, (0.0305, 0.085, 0.003), (0, 0, 0.064), "hand_dark", 0.05)
    hand.add_site(name="tcp", pos=(0, 0, 0.1034), group=4)
    # In front of the palm and tilted towards the tool point, so that both fingertips and what lies between them are in
    # view; the image's up points away from the arm (+x of the tool).
    tilt = math.radians(26)
    hand.add_camera(name="wrist", pos=(0.080, 0, 0.042), xyaxes=(0, 1, 0, math.cos(tilt), 0, math.sin(tilt)), fovy=75)
    for i, side in ((0, 1.0), (1, -1.0)):
        finger = hand.add_body(name=f"finger{i}", gravcomp=1)
        finger.add_joint(
            name=f"finger{i}",
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=(0, side, 0),
            range=(0, FINGER_OPEN_M),
            damping=[20, 0, 0],
            armature=0.1,
        )
        _box(finger, (0.010, 0.0075, 0.012), (0, side * 0.0085, 0.074), "hand_dark", 0.03)
        _box(finger, (0.0095, 0.004, 0.015), (0, side * 0.008, 0.0975), "hand_dark", 0.01)
        _box(
            finger,
            (0.009, 0.002, 0.008),
            (0, side * 0.002, 0.1034),
            "hand_pad",
            0.005,
            name=f"pad{i}",
            condim=4,
            friction=PAD_FRICTION,
            priority=1,
            **_STIFF,
        )
    mimic = spec.add_equality(name="mimic", type=mujoco.mjtEq.mjEQ_JOINT, objtype=mujoco.mjtObj.mjOBJ_JOINT)
    mimic.name1, mimic.name2 = "finger0", "finger1"
    mimic.data[:5] = (0, 1, 0, 0, 0)
    mimic.solref, mimic.solimp = _STIFF["solref"], _STIFF["solimp"]
    spec.add_exclude(bodyname1="finger0", bodyname2="finger1")


def _box(body: Any, half: tuple[float, ...], pos: tuple[float, ...], material: str, mass: float, **more: Any) -> None:
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=half,
        pos=pos,
        material=material,
        mass=mass,
        group=2,
        **_ROBOT_CONTACT,
        **more,
    )


# The Panda's meshes: found in the installed ``robopal`` wheel, decimated once into a cache, never copied into the
# repo.
#
# Rendering on a CPU costs by the triangle, and the wheel's visual meshes have 130,000 of them. We weld the vertices
# that the files split at normal seams (a decimator tears unwelded meshes apart), keep 9 % of the triangles and store
# them as plain OBJ. Collision meshes are used as they are.

KEEP_FRACTION = 0.09
MIN_FACES = 200
_RECIPE = f"1:{KEEP_FRACTION}:{MIN_FACES}"


def panda_xml() -> Path:
    """Return the path of the arm's MJCF inside the ``robopal`` wheel, which is located but never imported."""
    found = importlib.util.find_spec("robopal")
    if found is None or not found.submodule_search_locations:
        raise ProctorError("the Panda arm's model is missing: run `pip install robopal==0.4.1`")
    path = Path(found.submodule_search_locations[0]) / "assets/models/manipulators/Panda/panda.xml"
    if not path.is_file():
        raise ProctorError(
            f"the Panda arm's model is not at {path}: run `pip install --force-reinstall robopal==0.4.1`"
        )
    return path


def decimated_meshes() -> Path:
    """Return the folder with the robot's light meshes, making it on first use (about ten seconds)."""
    source = panda_xml().parent / "meshes"
    version = importlib.metadata.version("fast-simplification")
    key = hashlib.sha256(f"{_RECIPE}:{version}:{source_hash()}".encode()).hexdigest()[:12]

    def build(folder: Path) -> None:
        for mesh in sorted(source.iterdir()):
            _convert(mesh, folder / mesh.name)

    return build_once(f"panda-{key}", build)


def source_hash() -> str:
    """SHA-256 over the arm's model file, its small meshes, and name and size of the large ones: the robot's
    fingerprint.
    """
    digest = hashlib.sha256()
    xml = panda_xml()
    for path in (xml, *sorted((xml.parent / "meshes").iterdir())):
        digest.update(f"{path.name}:{path.stat().st_size}".encode())
        if path.suffix != ".obj":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _convert(source: Path, target: Path) -> None:
    if source.suffix != ".obj" or "collision" in source.name:
        shutil.copyfile(source, target)
        return
    vertices, faces = _read_obj(source)
    vertices, faces = _weld(vertices, faces)
    if len(faces) > MIN_FACES:
        import fast_simplification

        wanted = max(MIN_FACES, int(len(faces) * KEEP_FRACTION))
        vertices, faces = fast_simplification.simplify(
            vertices.astype(np.float32), faces.astype(np.int32), target_count=wanted
        )
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    target.write_text("\n".join(lines) + "\n")


def _read_obj(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    vertices: list[list[float]] = []
    faces: list[list[int]] = []
    for line in path.read_text().splitlines():
        words = line.split()
        if words and words[0] == "v":
            vertices.append([float(word) for word in words[1:4]])
        elif words and words[0] == "f":
            corner = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces += [[corner[0], corner[i], corner[i + 1]] for i in range(1, len(corner) - 1)]
    return np.array(vertices), np.array(faces)


def _weld(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    unique, index = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    faces = index.ravel()[faces]
    proper = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    return unique, faces[proper]
