"""Operations on triangle meshes: join, move, bend, shade, measure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._model import Mesh, Quat, Vec3

Floats = NDArray[np.float64]


def columns(*parts: ArrayLike) -> Floats:
    """Put arrays side by side as the columns of one table."""
    return np.column_stack([np.asarray(part, float) for part in parts])


def make_mesh(
    vertices: ArrayLike, faces: ArrayLike, normals: ArrayLike, uv: ArrayLike, min_area_m2: float = 1e-12
) -> Mesh:
    """Pack arrays into a ``Mesh``, dropping triangles without area (they occur at the poles of a lathe)."""
    points = np.asarray(vertices, np.float64).reshape(-1, 3)
    triangles = np.asarray(faces, np.int32).reshape(-1, 3)
    a, b, c = (points[triangles[:, i]] for i in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    triangles = triangles[area > min_area_m2]
    used, inverse = np.unique(triangles, return_inverse=True)
    return Mesh(
        np.asarray(points[used], np.float32),
        np.asarray(inverse.reshape(-1, 3), np.int32),
        np.asarray(np.asarray(normals, np.float64).reshape(-1, 3)[used], np.float32),
        np.asarray(np.asarray(uv, np.float64).reshape(-1, 2)[used], np.float32),
    )


def merge(*meshes: Mesh) -> Mesh:
    """Join meshes that share a material into one."""
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.faces + int(k) for m, k in zip(meshes, offsets, strict=True)]).astype(np.int32),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uv for m in meshes]),
    )


def rotation(quat_wxyz: Quat) -> Floats:
    """Rotation matrix of a unit quaternion; SciPy's rounds otherwise, which would move every turned vertex."""
    w, x, y, z = quat_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def moved(mesh: Mesh, pos: Vec3 = (0.0, 0.0, 0.0), quat_wxyz: Quat = (1.0, 0.0, 0.0, 0.0)) -> Mesh:
    matrix = rotation(quat_wxyz)
    return Mesh(
        (mesh.vertices @ matrix.T + np.asarray(pos)).astype(np.float32),
        mesh.faces,
        (mesh.normals @ matrix.T).astype(np.float32),
        mesh.uv,
    )


def scaled(mesh: Mesh, factor: Vec3) -> Mesh:
    """Stretch along the axes by positive factors; normals follow."""
    normals = mesh.normals / np.asarray(factor)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    vertices = (mesh.vertices * np.asarray(factor)).astype(np.float32)
    return Mesh(vertices, mesh.faces, normals.astype(np.float32), mesh.uv)


def deformed(mesh: Mesh, field: Callable[[Floats], Floats]) -> Mesh:
    """Move every vertex by ``field`` (points [N, 3] to points [N, 3]) and shade the result smoothly."""
    return smooth_shaded(
        Mesh(field(mesh.vertices.astype(np.float64)).astype(np.float32), mesh.faces, mesh.normals, mesh.uv)
    )


def smooth_shaded(mesh: Mesh, weld_m: float = 1e-5) -> Mesh:
    """Recompute normals as the area-weighted mean over triangles that meet within ``weld_m`` of a vertex.

    Welding by position makes texture seams invisible to the light.
    """
    points = mesh.vertices.astype(np.float64)
    a, b, c = (points[mesh.faces[:, i]] for i in range(3))
    face_normals = np.cross(b - a, c - a)
    _, group = np.unique(np.round(points / weld_m).astype(np.int64), axis=0, return_inverse=True)
    group = group.reshape(-1)
    sums = np.zeros((int(group.max()) + 1, 3))
    for corner in range(3):
        np.add.at(sums, group[mesh.faces[:, corner]], face_normals)
    normals = sums[group]
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-20)
    return Mesh(mesh.vertices, mesh.faces, normals.astype(np.float32), mesh.uv)


def signed_volume(mesh: Mesh) -> float:
    """Volume by the divergence theorem: positive when triangles wind outwards (exact for closed meshes), in m³."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(np.float64) for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)
