"""The inside of vessels, and particles that go in."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from proctor.assets import SURFACE_PRIORITY, Hollow, attach, categories, make

VESSELS = [name for name in categories("arena") if make(name, 0).hollow is not None]
PARTICLES = [name for name in categories("arena") if make(name, 0).particle]


def test_the_volume_of_a_cone_and_of_a_cylinder():
    assert Hollow(((0.0, 0.03, 0.04), (0.1, 0.03, 0.04))).volume_m3() == pytest.approx(np.pi * 0.03**2 * 0.1)
    assert Hollow(((0.0, 0.0, 0.01), (0.06, 0.05, 0.06))).volume_m3() == pytest.approx(np.pi * 0.05**2 * 0.06 / 3)


def test_radii_between_and_beyond_the_points():
    hollow = Hollow(((0.01, 0.02, 0.03), (0.05, 0.04, 0.06)))
    assert hollow.inner(0.03) == pytest.approx(0.03)
    assert hollow.outer(0.03) == pytest.approx(0.045)
    np.testing.assert_allclose(hollow.inner(np.array([0.0, 0.1])), [0.02, 0.04])
    assert (hollow.floor_m, hollow.rim_m) == (0.01, 0.05)


def test_mugs_and_bowls_can_be_filled():
    assert {"blue_mug", "green_mug", "porcelain_mug", "porcelain_bowl", "new_bowl"} <= set(VESSELS)
    assert set(PARTICLES) == {"water_ball", "water_gulp"}


@pytest.mark.parametrize("name", VESSELS)
def test_the_hollow_is_where_the_colliders_leave_it(name, bench):
    """Rays from the axis meet the wall at the inner radius, one down the axis meets the floor."""
    asset = make(name, 3)
    hollow = asset.hollow
    b = bench([asset])
    down = b.hit(np.array([0.0, 0.0, 0.3]), np.array([0.0, 0.0, -1.0]))
    assert 0.3 - down == pytest.approx(hollow.floor_m, abs=1e-3)
    assert hollow.rim_m == pytest.approx(asset.height_m, abs=2e-3)
    for z in np.linspace(hollow.floor_m + 0.012, hollow.rim_m - 0.004, 6):
        for azimuth in np.radians([0, 15, 30, 100, 222]):
            found = b.hit(np.array([0.0, 0.0, z]), np.array([np.cos(azimuth), np.sin(azimuth), 0.0]))
            assert found == pytest.approx(float(hollow.inner(float(z))), abs=3e-3)


@pytest.mark.parametrize("name", [name for name in VESSELS if "mug" in name])
def test_no_handle_bulges_into_the_hollow(name):
    """Along the circle that the flat boxes of the wall leave free, from floor to rim, no collider stands out."""
    asset = make(name, 3)
    hollow = asset.hollow
    assert hollow is not None
    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, asset, "mug", free=False)
    spec.worldbody.add_geom(name="probe", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(1e-4, 0, 0))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    probe = model.geom("probe").id
    solid = [g for g in range(model.ngeom) if g != probe and (model.geom_contype[g] or model.geom_conaffinity[g])]
    nearest, between = [], np.zeros(6)
    for z in np.linspace(hollow.floor_m + 1e-3, hollow.rim_m - 1e-3, 12):
        for azimuth in np.radians(range(-30, 31, 6)):
            out = float(hollow.inner(float(z))) * np.cos(np.pi / 12)
            data.geom_xpos[probe] = (out * np.cos(azimuth), out * np.sin(azimuth), z)
            nearest.append(min(mujoco.mj_geomDistance(model, data, g, probe, 0.01, between) for g in solid))
    assert min(nearest) > 0


@pytest.mark.parametrize("name", PARTICLES)
def test_a_particle_is_a_point_mass_of_water(name):
    """Three slides, no rotation, the mass of its volume of water; it slips on a mug and grips a surface."""
    asset = make(name, 1)
    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, asset, "drop", free=True)
    attach(spec, spec.worldbody, make("blue_mug", 1), "mug", free=True)
    model = spec.compile()
    joints = [model.joint(i) for i in range(model.njnt) if model.joint(i).name.startswith("drop/")]
    assert [j.name for j in joints] == ["drop/x", "drop/y", "drop/z"]
    assert all(j.type[0] == mujoco.mjtJoint.mjJNT_SLIDE for j in joints)
    geom = model.geom("drop/body/0")
    assert model.body("drop").mass[0] == pytest.approx(1000 * 4 / 3 * np.pi * geom.size[0] ** 3)
    assert geom.condim[0] == 1
    assert model.geom("mug/base/0").priority[0] < geom.priority[0] < SURFACE_PRIORITY
