"""Meshes from a few numbers: lathe, tube, prism, bevelled slab; and the curves that feed them.

Ours and not trimesh's, which orders vertices otherwise, closes seams that textures need open and knows no creases: the
meshes would not be those that certificates were made with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._mesh import Floats, columns, make_mesh, merge, moved
from ._model import Mesh, Vec3

TAU = 2.0 * math.pi
ON_AXIS_M = 1e-5
"""Radius that stands for 'on the axis' of a lathe: a pole without a singular normal."""


def catmull_rom(points: ArrayLike, per_span: int = 4) -> Floats:
    """Smooth curve through ``points`` [K, D]: uniform Catmull-Rom, ends extended by reflection."""
    p = np.asarray(points, float)
    padded = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0.0, 1.0, per_span, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        spans.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack([*spans, p[-1:]])


def profile(points: ArrayLike, per_span: int = 4) -> Floats:
    """Smooth (r, z) curve for a lathe; radii stay non-negative."""
    curve = catmull_rom(points, per_span)
    curve[:, 0] = np.maximum(curve[:, 0], ON_AXIS_M)
    return curve


def oval(radius: float, half_height: float, centre_z: float, rows: int = 14) -> Floats:
    """(r, z) half-ellipse from the bottom pole to the top pole."""
    t = np.linspace(-math.pi / 2, math.pi / 2, rows)
    return columns(np.maximum(radius * np.cos(t), ON_AXIS_M), centre_z + half_height * np.sin(t))


def arc_length(curve: Floats) -> Floats:
    """Arc length along a curve, scaled to [0, 1]: the v coordinate of ``revolve`` and ``sweep``."""
    length = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))]
    return np.asarray(length / length[-1])


def rows_of(curve: Floats, count: int) -> tuple[Floats, Floats]:
    """(r, z) of a profile at the centres of ``count`` texture rows: lets a painter think in metres."""
    v = (np.arange(count) + 0.5) / count
    s = arc_length(curve)
    return np.interp(v, s, curve[:, 0]), np.interp(v, s, curve[:, 1])


def pixel_aspect(curve: Floats, rows: int, cols: int) -> Floats:
    """Width over height of a texture's pixels on a lathe, per row: what a painter needs to draw round dots."""
    radius, _ = rows_of(curve, rows)
    length = float(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum())
    return np.asarray((TAU * radius / cols) / (length / rows))


def revolve(curve: ArrayLike, segments: int = 24, crease_rad: float = 0.9, min_area_m2: float = 3e-8) -> Mesh:
    """Surface of revolution about z of an (r, z) curve that runs counter-clockwise (bottom, outside, top, inside).

    Normals are smooth except where the curve turns by more than ``crease_rad``. u goes once around, v along the curve.
    """
    p = np.asarray(curve, float)
    keep = np.r_[True, np.linalg.norm(np.diff(p, axis=0), axis=1) > 1e-7]
    p = p[keep]
    tangent = np.diff(p, axis=0)
    seg_normal = np.c_[tangent[:, 1], -tangent[:, 0]]
    seg_normal /= np.linalg.norm(seg_normal, axis=1, keepdims=True)
    v = arc_length(p)
    rings: list[tuple[int, Floats]] = []
    spans: list[tuple[int, int]] = []
    start = -1
    for i in range(len(p)):
        before, after = seg_normal[max(i - 1, 0)], seg_normal[min(i, len(seg_normal) - 1)]
        sharp = 0 < i < len(p) - 1 and float(before @ after) < math.cos(crease_rad)
        mean = before + after
        rings.append((i, before if sharp else mean / np.linalg.norm(mean)))
        if i:
            spans.append((start, len(rings) - 1))
        if sharp:
            rings.append((i, after))
        start = len(rings) - 1
    index = np.array([i for i, _ in rings])
    normal = np.array([n for _, n in rings])
    theta = np.linspace(0.0, TAU, segments + 1)
    cos, sin = np.cos(theta), np.sin(theta)
    vertices = np.stack(
        [np.outer(p[index, 0], cos), np.outer(p[index, 0], sin), np.repeat(p[index, 1:], segments + 1, 1)], -1
    )
    normals = np.stack(
        [np.outer(normal[:, 0], cos), np.outer(normal[:, 0], sin), np.repeat(normal[:, 1:], segments + 1, 1)], -1
    )
    uv = np.stack([np.tile(theta / TAU, (len(index), 1)), np.repeat(v[index][:, None], segments + 1, 1)], -1)
    return make_mesh(vertices, _grid_faces(spans, segments), normals, uv, min_area_m2)


def revolve_box(curve: ArrayLike, half_x: float, half_y: float, per_corner: int = 4, uv_per_m: float = 0.0) -> Mesh:
    """Lathe whose axis is widened to a rectangle: a body with rounded vertical corners and the curve as its section.

    The four quarters of a surface of revolution are moved to the rectangle's corners and joined; both ends close with
    the flat rectangle itself. ``uv_per_m`` > 0 maps textures from above in metres, else as in ``revolve``.
    """
    quarter = revolve(curve, 4 * per_corner, min_area_m2=0.0)
    theta = np.round(quarter.uv[:, 0].astype(float) * 4 * per_corner).astype(int)
    pieces: list[Mesh] = []
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    offsets = [np.array([sx * half_x, sy * half_y, 0.0]) for sx, sy in signs]
    columns = theta[quarter.faces]
    for k, offset in enumerate(offsets):
        inside = (columns.min(1) >= k * per_corner) & (columns.max(1) <= (k + 1) * per_corner)
        pieces.append(make_mesh(quarter.vertices + offset, quarter.faces[inside], quarter.normals, quarter.uv))
        seam = np.flatnonzero(theta == (k + 1) * per_corner)
        pieces.append(_bridge(quarter, seam, offset, offsets[(k + 1) % 4]))
    ends = np.asarray(curve, float)[[0, -1], 1]
    for z, up in zip(ends, (-1.0, 1.0), strict=True):
        corners = np.array([(sx * half_x, sy * half_y, z) for sx, sy in signs])
        faces = [(0, 1, 2), (0, 2, 3)] if up > 0 else [(0, 2, 1), (0, 3, 2)]
        pieces.append(
            make_mesh(corners, faces, np.tile((0.0, 0.0, up), (4, 1)), np.tile((0.5, 0.5 + 0.5 * up), (4, 1)))
        )
    joined = merge(*pieces)
    if uv_per_m <= 0:
        return joined
    return Mesh(
        joined.vertices, joined.faces, joined.normals, np.asarray(joined.vertices[:, :2] * uv_per_m, np.float32)
    )


def _bridge(quarter: Mesh, seam: NDArray[np.intp], start: Floats, stop: Floats) -> Mesh:
    """Flat strip along one side of a box lathe: the seam's column, swept from ``start`` to ``stop``."""
    count = len(seam)
    vertices = np.vstack([quarter.vertices[seam] + start, quarter.vertices[seam] + stop])
    faces = []
    for a in range(count - 1):
        # Rings are doubled at creases; the strip between the two copies has no height and is dropped as degenerate.
        faces += [(a, a + count, a + 1 + count), (a, a + 1 + count, a + 1)]
    return make_mesh(vertices, faces, np.tile(quarter.normals[seam], (2, 1)), np.tile(quarter.uv[seam], (2, 1)))


def _grid_faces(spans: Sequence[tuple[int, int]], segments: int) -> Floats:
    j = np.arange(segments)
    quads = []
    for low, high in spans:
        a, c = low * (segments + 1) + j, high * (segments + 1) + j
        quads += [np.c_[a, a + 1, c + 1], np.c_[a, c + 1, c]]
    return np.vstack(quads)


def sweep(path: ArrayLike, radius: ArrayLike, segments: int = 10, aspect: float = 1.0, capped: bool = True) -> Mesh:
    """Tube along ``path`` [K, 3] with ``radius`` per point; ``aspect`` stretches the section's second axis."""
    p = np.asarray(path, float)
    count = len(p)
    radii = np.broadcast_to(np.asarray(radius, float), (count,))
    tangents = np.gradient(p, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    theta = np.linspace(0.0, TAU, segments + 1)
    up = np.array([0.0, 0.0, 1.0]) if abs(tangents[0, 2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    vertices, normals = [], []
    for i in range(count):
        x = np.cross(up, tangents[i])
        x /= np.linalg.norm(x)
        y = np.cross(tangents[i], x)
        up = y
        vertices.append(p[i] + radii[i] * (np.outer(np.cos(theta), x) + aspect * np.outer(np.sin(theta), y)))
        normal = np.outer(np.cos(theta), x) + np.outer(np.sin(theta), y) / aspect
        normals.append(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    v = arc_length(p)
    uv = np.stack([np.tile(theta / TAU, (count, 1)), np.repeat(v[:, None], segments + 1, 1)], -1)
    tube = make_mesh(
        np.concatenate(vertices),
        _grid_faces([(i, i + 1) for i in range(count - 1)], segments),
        np.concatenate(normals),
        uv,
    )
    if not capped:
        return tube
    caps = [_fan(vertices[0][::-1], p[0], -tangents[0], 0.0), _fan(vertices[-1], p[-1], tangents[-1], 1.0)]
    return merge(tube, *caps)


def _fan(ring: Floats, centre: Floats, normal: Floats, v: float) -> Mesh:
    count = len(ring)
    j = np.arange(count - 1)
    uv = np.c_[np.linspace(0.0, 1.0, count + 1), np.full(count + 1, v)]
    return make_mesh(
        np.vstack([ring, centre]), np.c_[np.full(count - 1, count), j, j + 1], np.tile(normal, (count + 1, 1)), uv
    )


def extrude(polygon: ArrayLike, height: float, uv_per_m: float = 0.0) -> Mesh:
    """Flat-shaded prism over a counter-clockwise polygon that its centroid sees whole; z from -height/2 to height/2.

    ``uv_per_m`` > 0 gives texture coordinates in metres times that number, else the bounding box maps to [0, 1].
    """
    p = np.asarray(polygon, float)
    low = p.min(0)
    span = np.full(2, 1.0 / uv_per_m) if uv_per_m > 0 else np.maximum(p.max(0) - low, 1e-9)
    count, centre = len(p), p.mean(0)
    parts = []
    j = np.arange(count)
    for sign in (1.0, -1.0):
        flat = np.vstack([p, centre])
        faces = np.c_[np.full(count, count), j, (j + 1) % count]
        if sign < 0:
            faces = faces[:, ::-1]
        vertices = np.c_[flat, np.full(count + 1, sign * height / 2)]
        parts.append(make_mesh(vertices, faces, np.tile((0.0, 0.0, sign), (count + 1, 1)), (flat - low) / span))
    for a, b in zip(p, np.roll(p, -1, axis=0), strict=True):
        edge = b - a
        normal = np.array([edge[1], -edge[0], 0.0]) / max(float(np.linalg.norm(edge)), 1e-12)
        corners = [(*a, -height / 2), (*b, -height / 2), (*b, height / 2), (*a, height / 2)]
        run = float(np.linalg.norm(edge)) / span[0]
        rise = height / span[1] if uv_per_m > 0 else 1.0
        parts.append(
            make_mesh(
                corners, [(0, 1, 2), (0, 2, 3)], np.tile(normal, (4, 1)), [(0, 0), (run, 0), (run, rise), (0, rise)]
            )
        )
    return merge(*parts)


def slab(
    half: Vec3, bevel: float = 0.002, uv_per_m: float = 8.0, grain_axis: int = 0, centre: Vec3 = (0.0, 0.0, 0.0)
) -> Mesh:
    """Box with bevelled edges that shade as rounded ones: 24 vertices, 44 triangles.

    Texture coordinates are metric, with v across and u along ``grain_axis`` on every face that contains it.
    """
    h = np.asarray(half, float)
    bevel = min(bevel, float(h.min()) * 0.999)
    vertices: list[Floats] = []
    normals: list[Floats] = []
    uv: list[tuple[float, float]] = []
    index: dict[tuple[int, int, int, int], int] = {}
    for sx in (-1, 1):
        for sy in (-1, 1):
            for sz in (-1, 1):
                sign = np.array([sx, sy, sz])
                for axis in range(3):
                    inset = np.full(3, bevel)
                    inset[axis] = 0.0
                    point = sign * (h - inset)
                    normal = np.zeros(3)
                    normal[axis] = sign[axis]
                    along, across = _face_axes(axis, grain_axis)
                    index[sx, sy, sz, axis] = len(vertices)
                    vertices.append(point + np.asarray(centre))
                    normals.append(normal)
                    uv.append((point[along] * uv_per_m + 0.37 * axis, point[across] * uv_per_m + 0.21 * axis))
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            loop = []
            for sb, sc in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                loop.append(index[_corner({axis: side, b: sb, c: sc}, axis)])
            _quad(faces, loop, side)
        for sb in (-1, 1):
            for sc in (-1, 1):
                loop = [index[_corner({axis: s, b: sb, c: sc}, k)] for s, k in ((-1, b), (1, b), (1, c), (-1, c))]
                _quad(faces, loop, -sb * sc)
    for sx in (-1, 1):
        for sy in (-1, 1):
            for sz in (-1, 1):
                a, b, c = (index[sx, sy, sz, k] for k in range(3))
                faces.append((a, b, c) if sx * sy * sz > 0 else (a, c, b))
    return make_mesh(vertices, faces, normals, uv)


def _corner(signs: dict[int, int], axis: int) -> tuple[int, int, int, int]:
    return signs[0], signs[1], signs[2], axis


def _face_axes(axis: int, grain_axis: int) -> tuple[int, int]:
    others = [k for k in range(3) if k != axis]
    if grain_axis in others:
        others.remove(grain_axis)
        return grain_axis, others[0]
    return others[0], others[1]


def _quad(faces: list[tuple[int, int, int]], loop: Sequence[int], side: int) -> None:
    a, b, c, d = loop if side > 0 else loop[::-1]
    faces += [(a, b, c), (a, c, d)]


def slabs(*boxes: tuple[Vec3, Vec3], bevel: float = 0.002, uv_per_m: float = 8.0, grain_axis: int = 0) -> Mesh:
    """Several slabs of one material as (half, centre) pairs."""
    return merge(*(moved(slab(half, bevel, uv_per_m, grain_axis), centre) for half, centre in boxes))


def arc(centre: Vec3, radius_x: float, radius_z: float, start_rad: float, stop_rad: float, count: int = 12) -> Floats:
    """Elliptic arc in the xz plane, as points [count, 3]: the line of a mug's handle."""
    a = np.linspace(start_rad, stop_rad, count)
    return columns(centre[0] + radius_x * np.cos(a), np.full(count, centre[1]), centre[2] + radius_z * np.sin(a))
