"""Laws of the knowledge suite's kitchen: buttons spring, receptacles keep things, sites lie where things rest."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.assets import links, make

CAP_M = 0.018
BUTTONED = ("button", "coffee_machine", "juicer")
RECEPTACLES = ("serving_plate", "tray", "board", "pan", "mug", "juicer")


def _cap(name: str):
    """The joint of a button: its spring, its preload and its travel."""
    (joint,) = [link.joint for link in links(make(name, 1).root) if link.joint is not None]
    return joint


def _pushed(b, force_n: float, seconds: float = 0.5) -> float:
    """Travel of the button after a force on its face."""
    dof = b.model.joint("o0/button").dofadr[0]
    b.data.qfrc_applied[dof] = force_n
    b.step(seconds)
    return float(b.data.joint("o0/button").qpos[0])


@pytest.mark.parametrize("name", BUTTONED)
def test_a_button_follows_hookes_law_and_springs_back(name, bench):
    """Weight helps by 0.2 N: at rest the preload wins; 2.5 N move it as far as spring and preload say."""
    b = bench([make(name, 1)])
    assert abs(_pushed(b, 0.0)) < 1e-4
    weight = 0.02 * 9.81
    joint = _cap(name)
    assert _pushed(b, 2.5) == pytest.approx((2.5 + weight) / joint.stiffness + joint.rest, abs=2e-4)
    assert abs(_pushed(b, 0.0)) < 1e-4


@pytest.mark.parametrize("name", BUTTONED)
def test_a_button_has_a_hard_stop(name, bench):
    """60 N, what an arm may push with, take it less than 0.5 mm beyond its travel."""
    b = bench([make(name, 2)])
    travel = _cap(name).range[1]
    assert travel - 1e-4 < _pushed(b, 60.0) < travel + 5e-4
    assert b.data.ncon == 0, "the housing would stop the cap before the whole travel"


@pytest.mark.parametrize("name", BUTTONED)
def test_a_button_is_where_it_says_and_faces_up(name, bench):
    asset = make(name, 3)
    b = bench([asset])
    (button,) = asset.buttons
    body = b.data.body(f"o0/{button.link}")
    face = body.xpos + body.xmat.reshape(3, 3) @ button.position
    np.testing.assert_allclose(body.xmat.reshape(3, 3) @ button.direction, (0, 0, -1), atol=1e-9)
    # A closed hand is 20 x 24 mm: over the whole cap nothing is higher than its face for 25 mm around.
    for angle in np.arange(0, 2 * np.pi, np.pi / 4):
        for reach, lower in ((0.9 * CAP_M, 0.001), (0.025, 0.012)):
            start = face + np.array([reach * np.cos(angle), reach * np.sin(angle), 0.05])
            assert b.hit(start, np.array([0.0, 0.0, -1.0])) >= 0.05 + lower - 0.0012


@pytest.mark.parametrize("name", RECEPTACLES)
def test_what_is_dropped_in_stays_in(name, bench):
    for seed in (5,):
        asset = make(name, seed)
        b = bench([asset], ball_radius_m=0.022)
        b.put("ball", (0.006, 0.004, asset.height_m + 0.03))
        b.step(1.5)
        assert b.inside("o0/inside", b.data.body("ball").xpos)


def test_a_pan_keeps_what_rolls_to_its_wall(bench):
    """On a table that slopes by 20 degrees a ball rolls to the pan's wall and stays; off a flat board it is gone."""
    kept = []
    for name in ("pan", "board"):
        b = bench([make(name, 4)], ball_radius_m=0.018)
        b.model.opt.gravity[:] = 9.81 * np.array([np.sin(np.radians(20)), 0.0, -np.cos(np.radians(20))])
        b.put("ball", (0.0, 0.0, 0.03))
        b.step(3.0)
        kept.append(b.inside("o0/inside", b.data.body("ball").xpos))
    assert kept == [True, False]


@pytest.mark.parametrize("name", ["serving_plate", "tray", "board", "pan", "pedestal"])
def test_floors_of_sites_are_where_things_rest(name, bench):
    for seed in range(3):
        asset = make(name, seed)
        b = bench([asset])
        for site in asset.sites:
            at = b.data.site(f"o0/{site.name}")
            for x, y in ((0.0, 0.0), (0.6, 0.0), (-0.4, 0.5)):
                start = at.xpos + np.array([x * site.half[0], y * site.half[1], 0.0])
                assert b.hit(start, np.array([0.0, 0.0, -1.0])) == pytest.approx(site.half[2], abs=0.001)


def test_a_lid_closes_the_juicer(bench):
    """Set down 3 mm off the middle it lies on the rim, level and still, and covers the whole opening."""
    for seed in range(2):
        b = bench([make("juicer", seed), make("lid", seed + 7)])
        juicer, lid = b.assets
        x = b.offsets[0][0]
        b.put("o1/free", (x + 0.003, 0.0, juicer.height_m + 0.002))
        b.step(0.6)
        at = b.data.body("o1").xpos
        assert at[2] == pytest.approx(juicer.height_m, abs=0.001)
        assert b.tilt_deg("o1") < 0.5
        assert b.inside("o0/top", at + np.array([0, 0, 0.005]))
        inside = juicer.site("inside")
        assert inside is not None
        assert lid.radius_m - 0.003 > inside.half[0] + 0.002


def test_a_mug_stands_in_the_bay_under_the_spout(bench):
    """All mugs fit under the nozzle with 5 cm to lift them by, and their middle is over the drip tray."""
    for seed in range(20):
        machine, mug = make("coffee_machine", seed), make("mug", seed)
        bay, spout = machine.site("bay"), machine.site("spout")
        assert bay is not None
        assert spout is not None
        floor = bay.pos[2] - bay.half[2]
        assert spout.pos[2] + spout.half[2] - floor > mug.height_m + 0.04
        assert min(bay.half[:2]) > mug.root.colliders[0].size[0] + 0.015
        np.testing.assert_allclose(bay.pos[:2], spout.pos[:2])
    b = bench([make("coffee_machine", 0), make("mug", 0)])
    b.put("o1/free", (b.offsets[0][0], 0.0, floor + 0.001))
    b.step(0.5)
    assert b.tilt_deg("o1") < 0.5
    assert b.inside("o0/spout", b.data.body("o1").xpos + np.array([0, 0, 0.01]))


def test_the_level_in_a_mug_is_inside_it():
    for seed in range(12):
        mug = make("mug", seed)
        assert mug.spout is not None
        assert mug.hollow is not None
        (drink,) = [v for v in mug.root.visuals if v.part == mug.fill]
        points = drink.mesh.vertices + np.asarray(drink.pos)
        radius = np.hypot(points[:, 0], points[:, 1])
        assert (radius < mug.hollow.inner(points[:, 2]) + 1e-6).all()
        assert mug.hollow.floor_m < points[:, 2].min()
        assert points[:, 2].max() < mug.height_m
        np.testing.assert_allclose(mug.spout.position, (0, 0, mug.height_m))


def test_the_drink_is_drawn_by_a_geom_of_its_own(bench):
    b = bench([make("mug", 0)])
    assert [b.model.geom(g).name for g in range(b.model.ngeom) if "/fill/" in b.model.geom(g).name]


def test_looks_are_what_was_asked_for():
    red = make("button", 3, (("color", "red"),))
    (cap,) = [link for link in links(red.root) if link.joint is not None]
    r, g, blue = cap.visuals[0].material.rgb
    assert r > 2 * max(g, blue)


def test_a_cues_tip_lies_ahead_of_the_hand():
    cue = make("cue", 1)
    tip = max(c.pos[0] for c in cue.root.colliders if c.part == "tip")
    assert all(tip > grasp.position[0] + 0.14 for grasp in cue.grasps)
