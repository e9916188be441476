"""The Panda's meshes: found in the installed ``robopal`` wheel, decimated once into a cache, never copied into the
repo.

Rendering on a CPU costs by the triangle, and the wheel's visual meshes have 130,000 of them. We weld the vertices that
the files split at normal seams (a decimator tears unwelded meshes apart), keep 9 % of the triangles and store them as
plain OBJ. Collision meshes are used as they are.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, build_once

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
