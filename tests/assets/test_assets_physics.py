"""Objects at rest stay at rest, containers contain, drawers run freely."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from proctor.assets import categories, make

SEEDS = (0,)
OBJECTS = [name for name in categories("arena") if make(name, 0).kind == "object" and not make(name, 0).particle]
HOLLOW = [name for name in OBJECTS if make(name, 0).site("contain_region") and "mug" not in name]


@pytest.mark.parametrize("name", [n for n in OBJECTS if make(n, 0).rolls])
def test_a_nudged_fruit_comes_to_rest_nearby(name, bench):
    b = bench([make(name, seed) for seed in SEEDS])
    for k in range(len(SEEDS)):
        b.data.qvel[6 * k + 1] = 0.06
    b.step(2.5)
    for k, (x, y) in enumerate(b.offsets):
        assert np.hypot(b.data.qpos[7 * k] - x, b.data.qpos[7 * k + 1] - y) < 0.12
        assert np.abs(b.data.qvel[6 * k : 6 * k + 3]).max() < 0.02


@pytest.mark.parametrize("name", HOLLOW)
def test_a_ball_dropped_in_stays_in(name, bench):
    b = bench([make(name, 1)], ball_radius_m=0.018)
    b.put("ball", (0.01, 0.005, b.assets[0].height_m + 0.05))
    b.step(2.5)
    assert b.inside("o0/contain_region", b.data.body("ball").xpos)
    assert b.tilt_deg("o0") < 1.0


def test_bottle_stands_a_small_push_and_falls_from_a_large_one(bench):
    for degrees, stands in ((5.0, True), (35.0, False)):
        b = bench([make("wine_bottle", 0)])
        half = np.radians(degrees) / 2
        b.data.qpos[:7] = (0, 0, 0.04 * np.sin(2 * half), np.cos(half), 0, np.sin(half), 0)
        b.step(2.5)
        assert (b.tilt_deg("o0") < 2.0) == stands


@pytest.mark.parametrize(
    ("name", "layer"),
    [("short_cabinet", "top"), ("white_cabinet", "bottom"), ("wooden_cabinet", "middle")],
)
def test_drawer_runs_its_whole_range(name, layer, bench):
    """25 N open it fully and close it fully; nothing else moves, nothing rubs."""
    b = bench([make(name, 0)])
    address, dof = b.model.joint(f"o0/{layer}").qposadr[0], b.model.joint(f"o0/{layer}").dofadr[0]
    for force, end in ((25.0, 0.16), (-25.0, 0.0)):
        b.data.qfrc_applied[dof] = force
        b.step(2.0)
        assert b.data.qpos[address] == pytest.approx(end, abs=1e-3)
        others = [b.data.qpos[j] for j in range(b.model.nq) if j != address]
        assert np.abs(others).max() < 1e-3
    b.data.qfrc_applied[dof] = 0.0
    b.step(0.2)
    assert b.data.ncon == 0


@pytest.mark.parametrize(("name", "layer"), [("apple", "bottom"), ("mango", "middle"), ("onion", "top")])
def test_drawer_closes_over_fruit(name, layer, bench):
    """The largest of several instances fits: dropped into the open drawer it is still inside when that has closed."""
    fruit = max((make(name, seed) for seed in range(12)), key=lambda a: a.height_m)
    b = bench([make("white_cabinet", 0), fruit])
    address, dof = b.model.joint(f"o0/{layer}").qposadr[0], b.model.joint(f"o0/{layer}").dofadr[0]
    b.data.qpos[address] = 0.158
    mujoco.mj_forward(b.model, b.data)
    region = b.data.site(f"o0/{layer}_region").xpos.copy()
    # Towards the front, as a hand that stays clear of the cabinet would drop it.
    region += b.data.body(f"o0/drawer_{layer}").xmat.reshape(3, 3) @ (-0.03, 0.02, 0.0)
    b.put("o1/free", (region[0], region[1], region[2] - 0.02))
    b.step(1.0)
    b.data.qfrc_applied[dof] = -25.0
    b.step(2.0)
    assert b.data.qpos[address] < 0.005
    assert b.inside(f"o0/{layer}_region", b.data.body("o1").xipos)


def test_a_closed_cabinet_keeps_still(bench):
    b = bench([make("white_cabinet", 3)])
    b.step(1.0)
    assert np.abs(b.data.qpos).max() < 1e-4


def test_a_drawer_stays_where_it_was_left(bench):
    """A light touch (2 N for a second) and a shove (0.2 m/s) move it by less than a centimetre."""
    b = bench([make("white_cabinet", 0)])
    top, dof = b.data.joint("o0/top"), b.model.joint("o0/top").dofadr[0]
    top.qpos[0] = 0.08
    b.data.qfrc_applied[dof] = -2.0
    b.step(1.0)
    assert top.qpos[0] == pytest.approx(0.08, abs=5e-3)
    b.data.qfrc_applied[dof] = 0.0
    top.qpos[0], top.qvel[0] = 0.08, -0.2
    b.step(1.0)
    assert top.qpos[0] == pytest.approx(0.08, abs=0.01)


def test_a_knob_turns_through_its_range_and_stays_where_it_is_left(bench):
    """0.15 N·m, two fingertips on a 3 cm bar, turn it on and off; 0.02 N·m move it by less than 3 degrees."""
    b = bench([make("flat_stove", 0)])
    knob, dof = b.data.joint("o0/knob"), b.model.joint("o0/knob").dofadr[0]
    for torque, end in ((0.15, 1.6), (-0.15, 0.0)):
        b.data.qfrc_applied[dof] = torque
        b.step(1.5)
        assert knob.qpos[0] == pytest.approx(end, abs=0.04)
    knob.qpos[0], b.data.qfrc_applied[dof] = 1.0, 0.02
    b.step(1.0)
    assert knob.qpos[0] == pytest.approx(1.0, abs=0.05)
    b.data.qfrc_applied[dof] = 0.0
    b.step(0.1)
    assert b.data.ncon == 0


@pytest.mark.parametrize(
    ("name", "fixture", "site"),
    [
        ("akita_black_bowl", "flat_stove", "cook_region"),
        ("wine_bottle", "wine_rack", "top_region"),
        ("blue_mug", "wooden_shelf", "top_side"),
        ("egg", "wooden_shelf", "top_region"),
        ("apple", "wooden_shelf", "bottom_region"),
        ("green_mug", "short_cabinet", "top_side"),
    ],
)
def test_what_upstream_puts_on_a_fixture_stays_there(name, fixture, site, bench):
    b = bench([make(fixture, 1), make(name, 1)])
    at = b.data.site(f"o0/{site}")
    low = at.xpos[2] - b.model.site(f"o0/{site}").size[2]
    b.put("o1/free", (at.xpos[0], at.xpos[1], low + 0.002))
    b.step(1.0)
    assert b.inside(f"o0/{site}", b.data.body("o1").xipos)
    assert b.tilt_deg("o1") < 1.0
    assert np.abs(b.data.joint("o1/free").qvel).max() < 0.02
