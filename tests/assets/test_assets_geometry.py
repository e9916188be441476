"""Handles, drawers, containers, sharp parts, turned and unseen things: what the annotations of families promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_assets_laws import ARENA, CABINETS, bounds, rotation

from proctor.assets import Asset, inner_radius_m, make

NAMES = ARENA


@pytest.mark.parametrize("name", CABINETS)
def test_cabinet_handles_are_bars_with_room_for_fingers(name, bench):
    cabinet = make(name, 0)
    b = bench([cabinet])
    layers = {"bottom", "top"} if name == "short_cabinet" else {"bottom", "middle", "top"}
    assert {h.joint for h in cabinet.handles} == layers
    assert cabinet.height_m <= 0.28
    for handle in cabinet.handles:
        body = b.data.body(f"o0/{handle.link}")
        turn = body.xmat.reshape(3, 3)
        centre = body.xpos + turn @ handle.position
        closing, pull = turn @ handle.closing, turn @ handle.pull
        np.testing.assert_allclose(turn @ handle.pull, (0, -1, 0), atol=1e-9)
        for side in (1, -1):
            assert b.hit(centre + side * 0.04 * closing, -side * closing) == pytest.approx(0.034, abs=0.001)
        # The pads are 16 mm high and the tips 4 mm thick: at least 20 mm between the bar and the front.
        assert b.hit(centre + 0.007 * -pull, -pull) > 0.020


@pytest.mark.parametrize("name", CABINETS)
def test_regions_open_and_close_as_the_brief_says(name):
    for site in make(name, 0).sites:
        if site.opening is None:
            assert site.name == "top_side"
            continue
        opening = site.opening
        assert opening.closed_below < opening.open_above < opening.init_open[0] < opening.init_open[1] < 0.16
        assert 2 * site.half[2] >= 0.070


@pytest.mark.parametrize("name", [n for n in NAMES if n.endswith(("bowl", "box")) and n != "white_storage_box"])
def test_containers_take_any_fruit(name):
    """The widest fruit fits between the walls with room for the fingers on either side of a box."""
    widest = max(g.width_m for fruit in ("apple", "orange", "mango") for s in range(3) for g in make(fruit, s).grasps)
    for seed in range(2):
        site = make(name, seed).site("contain_region")
        assert site is not None
        assert 2 * min(site.half[:2]) > widest + (0.10 if name == "box" else 0.04)
        assert make(name, seed).height_m <= (0.05 if name == "box" else 0.07)


def test_widths_of_fruit_leave_the_hand_a_margin():
    for name in (
        "apple",
        "orange",
        "peach",
        "onion",
        "tomato",
        "lemon",
        "lime",
        "mango",
        "egg",
        "strawberry",
        "banana",
    ):
        for seed in range(4):
            assert all(g.width_m <= 0.072 for g in make(name, seed).grasps)
            assert make(name, seed).height_m <= 0.075


@pytest.mark.parametrize("name", [n for n in NAMES if make(n, 0).part_aliases])
def test_sharp_parts_stay_clear_of_the_hand(name):
    """Pads of 18 mm on a grasp leave more than 1 cm to every sharp part, which is what upstream's costs ask for."""
    for seed in (0, 1):
        asset = make(name, seed)
        sharp = [c for c in asset.root.colliders if c.part in set(asset.part_aliases.values())]
        assert sharp
        for grasp in asset.grasps:
            for c in sharp:
                local = rotation(c.quat_wxyz).T @ (np.array(grasp.position) - c.pos)
                assert np.linalg.norm(np.maximum(np.abs(local) - c.size, 0.0)) > 0.009 + 0.010


@pytest.mark.parametrize(
    ("name", "original", "degrees"),
    [
        (name, name.removeprefix("rotated_").removesuffix("_pi").removesuffix("_x").removesuffix("_no_rotation"), turn)
        for name, turn in {
            "cutting_board_no_rotation": 0, "rotated_fork": 90, "rotated_fork_pi": 180, "rotated_knife": 90,
            "rotated_knife_pi": 180, "rotated_scissors": 90, "rotated_scissors_pi": 180, "rotated_toy_motorbike": 90,
            "rotated_toy_motorbike_x": 180,
        }.items()
    ],
)  # fmt: skip
def test_turned_categories_are_the_original_turned(name, original, degrees):
    """The long axis of a turned thing's colliders lies where the stated yaw puts the original's."""
    for seed in (0, 1):
        plain, turned = _heavy_end(make(original, seed)), _heavy_end(make(name, seed))
        yaw = math.degrees(math.atan2(plain[0] * turned[1] - plain[1] * turned[0], plain @ turned))
        assert abs(yaw) == pytest.approx(degrees, abs=12)
        assert yaw >= 0 or degrees == 180 or degrees == 0
        assert len(make(name, seed).grasps) == len(make(original, seed).grasps)


def _heavy_end(asset: Asset) -> np.ndarray:
    """From the middle of all colliders' volumes to the named end: blade, tines, handlebar or the whole length."""
    ends = [c for c in asset.root.colliders if c.part in ("blade", "tines", "handlebar")]
    if not ends:
        (board,) = asset.root.colliders
        return rotation(board.quat_wxyz)[:2, 0]
    return np.mean([c.pos for c in ends], axis=0)[:2]


@pytest.mark.parametrize("name", ["tomato", "kiwi", "onion", "donut", "cake", "knife"])
def test_unseen_instances_lie_outside_the_seen_family(name):
    """Proportions or colours of X and X_n do not overlap over many seeds, but both fit the hand and the noun."""
    seen, unseen = ([make(n, s) for s in range(8)] for n in (name, f"{name}_n"))
    assert set(unseen[0].nouns) <= set(seen[0].nouns)
    slim = [[a.height_m / _width(a) for a in family] for family in (seen, unseen)]
    colour = [np.array([_colour(a) for a in family]) for family in (seen, unseen)]
    apart_in_shape = max(slim[0]) < min(slim[1]) or max(slim[1]) < min(slim[0])
    apart_in_colour = any(
        colour[0][:, k].max() < colour[1][:, k].min() or colour[1][:, k].max() < colour[0][:, k].min() for k in range(3)
    )
    assert apart_in_shape or apart_in_colour


def _width(asset: Asset) -> float:
    touched, _ = bounds(asset.root)
    return float(touched[1, 1] - touched[0, 1])


def _colour(asset: Asset) -> np.ndarray:
    material = asset.root.visuals[0].material
    return np.array(material.rgb) if material.texture is None else material.texture.mean((0, 1)) / 255


def test_a_knob_is_a_bar_that_fingers_can_turn(bench):
    """The handle's closing axis meets the bar 4.8 mm from its middle, above the deck by a fingertip's 10 mm."""
    stove = make("flat_stove", 0)
    b = bench([stove])
    (handle,) = stove.handles
    body = b.data.body(f"o0/{handle.link}")
    turn = body.xmat.reshape(3, 3)
    centre, closing = body.xpos + turn @ handle.position, turn @ handle.closing
    for side in (1, -1):
        assert b.hit(centre + side * 0.04 * closing, -side * closing) == pytest.approx(0.0352, abs=0.001)
    assert handle.position[2] >= 0.0102
    np.testing.assert_allclose(np.abs(handle.pull), (0, 0, 1))
    switch = stove.site("switch")
    assert switch is not None
    assert switch.opening is not None
    assert switch.opening.closed_below < switch.opening.open_above < switch.opening.init_open[0]


def test_inner_circles_of_known_shapes():
    assert inner_radius_m(make("flat_stove", 0)) == pytest.approx(0.08)
    assert inner_radius_m(make("cake", 0)) == pytest.approx(make("cake", 0).radius_m)
    assert inner_radius_m(make("white_cabinet", 0)) == pytest.approx(0.10, abs=0.01)
