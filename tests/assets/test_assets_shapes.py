"""Generators against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.assets import colliders, meshes, shapes, textures

times, vec3, wall, z_onto = colliders.times, colliders.vec3, colliders.wall, colliders.z_onto
deformed, merge, moved, rotation = meshes.deformed, meshes.merge, meshes.moved, meshes.rotation
scaled, signed_volume, smooth_shaded = meshes.scaled, meshes.signed_volume, meshes.smooth_shaded
catmull_rom, extrude, oval, pixel_aspect = shapes.catmull_rom, shapes.extrude, shapes.oval, shapes.pixel_aspect
revolve, revolve_box, slab, sweep = shapes.revolve, shapes.revolve_box, shapes.slab, shapes.sweep
noise, speckle, step, wood = textures.noise, textures.speckle, textures.step, textures.wood
SIZE = st.floats(0.005, 0.2)


@given(SIZE, SIZE)
@settings(max_examples=25, deadline=None)
def test_lathe_of_an_ellipse_has_its_volume(radius, half_height):
    mesh = revolve(oval(radius, half_height, 0.0, 60), 90, min_area_m2=0.0)
    assert signed_volume(mesh) == pytest.approx(4 / 3 * math.pi * radius**2 * half_height, rel=0.01)


@given(SIZE, SIZE, SIZE, st.floats(0.0, 0.004))
@settings(max_examples=25, deadline=None)
def test_slab_volume_lies_between_the_box_and_the_box_without_its_bevels(x, y, z, bevel):
    volume = signed_volume(slab((x, y, z), bevel))
    cut = 2 * bevel**2 * 2 * (x + y + z)
    assert 8 * x * y * z - cut - 1e-12 <= volume * (1 + 1e-4)
    assert volume <= 8 * x * y * z * (1 + 1e-4)


def test_slab_is_closed():
    """Every edge of the welded mesh belongs to two triangles, once in each direction."""
    for mesh in (slab((0.03, 0.02, 0.01), 0.002), extrude([(0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1)], 0.02)):
        _assert_closed(mesh)


def test_box_lathe_is_closed_and_has_the_volume_of_a_rounded_prism():
    c, x, y, h = 0.012, 0.10, 0.07, 0.02
    mesh = revolve_box([(1e-5, 0.0), (c, 0.0), (c, h), (1e-5, h)], x, y, per_corner=12)
    area = 4 * x * y + 4 * c * (x + y) + math.pi * c**2
    assert signed_volume(mesh) == pytest.approx(area * h, rel=0.003)


def _assert_closed(mesh):
    _, weld = np.unique(np.round(mesh.vertices / 1e-5).astype(int), axis=0, return_inverse=True)
    faces = weld.reshape(-1)[mesh.faces]
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forward = {tuple(e) for e in edges}
    assert len(forward) == len(edges)
    assert all((b, a) in forward for a, b in forward)


def test_straight_tube_is_a_cylinder():
    mesh = sweep([(0, 0, 0), (0, 0, 0.05), (0, 0, 0.1)], 0.02, 64)
    assert signed_volume(mesh) == pytest.approx(math.pi * 0.02**2 * 0.1, rel=0.005)


def test_curve_passes_through_its_points():
    points = np.random.default_rng(0).random((6, 2))
    np.testing.assert_allclose(catmull_rom(points, 5)[::5], points, atol=1e-12)


def test_sphere_normals_are_radial_and_survive_a_stretch():
    ball = revolve(oval(0.04, 0.04, 0.0, 40), 48)
    np.testing.assert_allclose(ball.normals, ball.vertices / 0.04, atol=0.05)
    flat = scaled(ball, (1.0, 1.0, 0.5))
    expected = flat.vertices / np.array([1.0, 1.0, 0.25])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(flat.normals, expected, atol=0.06)
    np.testing.assert_allclose(smooth_shaded(ball).normals, ball.normals, atol=0.06)


def test_moving_keeps_volume_and_deforming_by_nothing_keeps_shape():
    part = extrude([(0, 0), (0.1, 0), (0.05, 0.08)], 0.02)
    turned = moved(part, (1.0, 2.0, 3.0), times(z_onto((1, 1, 0)), z_onto((0, 1, 1))))
    assert signed_volume(turned) == pytest.approx(signed_volume(part), rel=1e-2)
    assert signed_volume(merge(part, moved(part, (0.3, 0, 0)))) == pytest.approx(2 * signed_volume(part), rel=1e-4)
    np.testing.assert_array_equal(deformed(part, lambda p: p).vertices, part.vertices)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: np.linalg.norm(d) > 0.1))
def test_z_onto_turns_z_onto_the_direction(direction):
    turned = rotation(z_onto(direction)) @ (0, 0, 1)
    np.testing.assert_allclose(turned, np.array(direction) / np.linalg.norm(direction), atol=1e-6)


@given(st.integers(8, 24), st.floats(0.02, 0.1), st.floats(0.0, 0.03))
@settings(max_examples=30, deadline=None)
def test_walls_leave_no_gap(count, radius, flare):
    """At the seam between two neighbours, both boxes reach it: a point there is inside each of them."""
    boxes = wall((radius, 0.0), (radius + flare, 0.05), 0.004, count, 0.1, "wall")
    first = boxes[0]
    a = math.pi / count
    middle = math.hypot(first.pos[0], first.pos[1])
    seam = np.array([middle, middle * math.tan(a), first.pos[2]])
    local = rotation(first.quat_wxyz).T @ (seam - vec3(first.pos))
    assert (np.abs(local) <= np.array(first.size) + 1e-9).all()
    assert sum(b.mass_kg for b in boxes) == pytest.approx(0.1)


def test_noise_tiles_and_fills_its_range():
    image = noise(np.random.default_rng(1), 64, 48, 3, (4, 3))
    assert image.min() == 0.0
    assert image.max() == 1.0
    inner = np.abs(np.diff(image, axis=0)).max()
    assert np.abs(image[0] - image[-1]).max() <= 2 * inner


def test_step_rises_and_falls():
    x = np.linspace(-1, 2, 50)
    up, down = step(0.0, 1.0, x), step(1.0, 0.0, x)
    assert (np.diff(up) >= 0).all()
    np.testing.assert_allclose(up + down, 1.0)


def test_wood_runs_along_u():
    image = wood(np.random.default_rng(2), (0.3, 0.2, 0.1), (0.8, 0.6, 0.4)).astype(float).mean(-1)
    assert np.abs(np.diff(image, axis=0)).mean() > 2 * np.abs(np.diff(image, axis=1)).mean()


def test_specks_are_round_on_the_surface():
    """On a lathe four times wider than tall per pixel, a speck spans four times fewer columns than rows."""
    rng = np.random.default_rng(3)
    image = speckle(rng, np.zeros((256, 256, 3)), (1.0, 1.0, 1.0), 1, 12.0, np.full(256, 4.0))
    lit = image[..., 0] > 0.4
    rows, cols = lit.any(1).sum(), lit.any(0).sum()
    assert 3.0 < rows / cols < 5.0


def test_pixel_aspect_of_a_cylinder():
    curve = np.array([(0.05, 0.0), (0.05, 0.1)])
    np.testing.assert_allclose(pixel_aspect(curve, 64, 64), math.pi, rtol=1e-6)
