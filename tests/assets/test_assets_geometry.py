"""What is seen agrees with what is touched, and the annotations agree with both."""

from __future__ import annotations

import math

import numpy as np
import pytest

from proctor.assets import Asset, Collider, Link, Mesh, categories, inner_radius_m, links, make, mass_kg
from proctor.assets._mesh import rotation, signed_volume

SEEDS = (0, 1, 2, 3)
NAMES = categories("arena")
INSTANCES = [(name, seed) for name in NAMES for seed in SEEDS]

# Grams, from kitchen scales and shop labels: what a person would call normal for the thing.
MASS_G = {
    "apple": (90, 200), "lemon": (70, 140), "lime": (40, 90), "orange": (100, 200), "peach": (80, 180),
    "mango": (140, 300), "onion": (80, 200), "tomato": (70, 160), "banana": (90, 180), "egg": (45, 70),
    "strawberry": (10, 30), "plate": (150, 450), "bowl": (150, 350), "mug": (200, 380), "wine_bottle": (400, 850),
    "storage_box": (120, 300), "box": (400, 900), "cutting_board": (300, 900), "white_cabinet": (3000, 8000),
    "kiwi": (60, 120), "potato": (90, 220), "bell_pepper": (45, 150), "carrot": (40, 140), "cucumber": (120, 260),
    "vase": (200, 500), "teapot": (300, 700), "knife": (80, 160), "fork": (35, 90), "scissors": (50, 120),
    "cereal": (200, 400), "orange_juice": (150, 500), "candle": (70, 200), "donut": (40, 80), "bagel": (60, 120),
    "cake": (40, 120), "toy_car": (60, 180), "toy_motorbike": (60, 140), "toy_train": (80, 190), "mickey": (30, 90),
    "billiard_balls": (200, 320), "water_ball": (3, 6), "water_gulp": (8, 11), "broccoli": (25, 150),
    "cream_cheese": (150, 300), "ramekin": (150, 350), "wooden_cabinet": (3000, 8000), "short_cabinet": (3000, 6000),
    "flat_stove": (1000, 3000), "wooden_shelf": (800, 3000), "wine_rack": (500, 1500),
}  # fmt: skip


SOFT = {"stem", "flame"}
CABINETS = ("short_cabinet", "white_cabinet", "wooden_cabinet")


def _mass_range(name: str) -> tuple[float, float]:
    return MASS_G[max((key for key in MASS_G if key in name), key=len)]


def _collider_bounds(c: Collider) -> tuple[np.ndarray, np.ndarray]:
    """Exact axis-aligned bounds from each shape's support function."""
    matrix = rotation(c.quat_wxyz)
    if c.shape == "sphere":
        reach = np.full(3, c.size[0])
    elif c.shape == "box":
        reach = np.abs(matrix) @ np.array(c.size)
    elif c.shape == "ellipsoid":
        reach = np.linalg.norm(matrix * np.array(c.size), axis=1)
    elif c.shape == "capsule":
        reach = c.size[0] + np.abs(matrix[:, 2]) * c.size[1]
    else:
        reach = c.size[0] * np.hypot(matrix[:, 0], matrix[:, 1]) + np.abs(matrix[:, 2]) * c.size[1]
    return np.array(c.pos) - reach, np.array(c.pos) + reach


def _bounds(link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of a link's colliders and of its visuals, as [low, high] rows; stems and flames are not touched."""
    touched = np.array([_collider_bounds(c) for c in link.colliders])
    seen = [(v.mesh.vertices @ rotation(v.quat_wxyz).T + v.pos) for v in link.visuals if v.part not in SOFT]
    points = np.concatenate(seen)
    return (
        np.array([touched[:, 0].min(0), touched[:, 1].max(0)]),
        np.array([points.min(0), points.max(0)]),
    )


def _meshes(asset: Asset) -> list[Mesh]:
    return [visual.mesh for link in links(asset.root) for visual in link.visuals]


@pytest.mark.parametrize(("name", "seed"), INSTANCES)
def test_seen_and_touched_agree(name, seed):
    """Bounds of visuals and colliders differ by at most 4 mm per side (an onion's dry tip may stick out 8 mm)."""
    for link in links(make(name, seed).root):
        if not link.colliders:
            continue
        touched, seen = _bounds(link)
        gap = np.abs(touched - seen)
        assert gap[0].max() < 0.004
        assert gap[1, :2].max() < 0.004
        assert gap[1, 2] < (0.008 if name == "onion" else 0.004)


# Objects only: a fixture's footprint includes its handles, which belong to other links.
@pytest.mark.parametrize(("name", "seed"), [i for i in INSTANCES if make(*i).kind == "object"])
def test_footprint_and_height_bound_the_object(name, seed):
    asset = make(name, seed)
    touched, _ = _bounds(asset.root)
    assert touched[0, 2] == pytest.approx(0.0, abs=0.0016)
    assert touched[1, 2] <= asset.height_m + 0.001
    corners = [
        (_corners(c) @ rotation(c.quat_wxyz).T + c.pos) if c.shape == "box" else np.array(_collider_bounds(c))
        for c in asset.root.colliders
    ]
    if all(c.shape == "box" for c in asset.root.colliders):
        far = max(float(np.hypot(p[:, 0], p[:, 1]).max()) for p in corners)
    else:
        far = float(np.abs(touched[:, :2]).max())
    assert far <= asset.radius_m + 0.003
    assert asset.radius_m <= 1.5 * far + 0.002


def _corners(c: Collider) -> np.ndarray:
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return np.asarray(signs * np.array(c.size))


@pytest.mark.parametrize(("name", "seed"), INSTANCES)
def test_meshes_face_outwards_and_are_light(name, seed):
    asset = make(name, seed)
    total = 0
    for mesh in _meshes(asset):
        total += len(mesh.faces)
        assert mesh.vertices.dtype == mesh.normals.dtype == mesh.uv.dtype == np.float32
        assert np.isfinite(mesh.vertices).all()
        assert np.isfinite(mesh.uv).all()
        assert mesh.faces.min() >= 0
        assert mesh.faces.max() < len(mesh.vertices)
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-3)
        centred = Mesh(mesh.vertices - mesh.vertices.mean(0), mesh.faces, mesh.normals, mesh.uv)
        assert signed_volume(centred) > 0
        a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
        flat = np.cross(b - a, c - a)
        agree = np.einsum("ij,ij->i", flat, mesh.normals[mesh.faces].mean(1)) > 0
        assert agree.mean() > 0.985
    assert total <= (1700 if asset.kind == "fixture" else 1250)
    for link in links(asset.root):
        for visual in link.visuals:
            texture = visual.material.texture
            assert texture is None or (max(texture.shape[:2]) <= 128 and texture.dtype == np.uint8)


@pytest.mark.parametrize("name", NAMES)
def test_masses_are_realistic_and_vary(name):
    low, high = _mass_range(name)
    masses = [1000 * mass_kg(make(name, seed)) for seed in range(12)]
    assert min(masses) >= low
    assert max(masses) <= high
    assert all(c.mass_kg > 0 for link in links(make(name, 0).root) for c in link.colliders)


@pytest.mark.parametrize(("name", "seed"), [i for i in INSTANCES if make(*i).grasps])
def test_grasps_are_frames_that_fit_the_hand(name, seed):
    """Axes are orthonormal, the width fits, the fingertips clear the table and the palm clears the top."""
    asset = make(name, seed)
    for grasp in asset.grasps:
        closing, approach = np.array(grasp.closing), np.array(grasp.approach)
        assert np.linalg.norm(closing) == pytest.approx(1.0)
        assert np.linalg.norm(approach) == pytest.approx(1.0)
        assert closing @ approach == pytest.approx(0.0, abs=1e-9)
        assert approach[2] < -0.7
        assert 0.002 < grasp.width_m <= 0.078
        assert grasp.position[2] >= 0.0102
        assert asset.height_m - grasp.position[2] <= 0.036


@pytest.mark.parametrize(("name", "seed"), [i for i in INSTANCES if make(*i).grasps])
def test_jaws_meet_the_object_where_the_grasp_says(name, seed, bench):
    """Rays from both open fingers along the closing axis hit a collider of the named part ``width_m`` apart."""
    asset = make(name, seed)
    b = bench([asset])
    reach = 0.042
    for grasp in asset.grasps:
        position, closing = np.array(grasp.position), np.array(grasp.closing)
        ahead = b.hit(position - reach * closing, closing)
        behind = b.hit(position + reach * closing, -closing)
        assert ahead > 0
        assert behind > 0
        chord = 2 * reach - ahead - behind
        askew = asset.rolls and grasp.cost > 0
        # Across an ellipsoid askew, the jaws touch beside the ray and span more than it.
        assert chord - 0.004 <= grasp.width_m <= chord + (0.02 if askew else 0.004)
        assert ahead == pytest.approx(behind, abs=0.005), "off centre: one finger would push the object"
        assert any(c.part == grasp.part for c in asset.root.colliders)


@pytest.mark.parametrize(("name", "seed"), [(n, s) for n in NAMES for s in (0, 1) if make(n, s).sites])
def test_sites_rest_on_what_carries_them(name, seed, bench):
    """A ray down from a site's centre meets the supporting collider at the site's lower face."""
    asset = make(name, seed)
    b = bench([asset])
    for site in asset.sites:
        if site.opening is not None:
            b.data.joint(f"o0/{site.opening.joint}").qpos[0] = site.opening.init_open[0]
    import mujoco

    mujoco.mj_forward(b.model, b.data)
    for site in asset.sites:
        at = b.data.site(f"o0/{site.name}")
        assert at.xmat[8] == pytest.approx(1.0)
        assert min(site.half) > 0.01
        below = b.hit(at.xpos, np.array([0.0, 0.0, -1.0]))
        assert below == pytest.approx(site.half[2], abs=0.0015)
        assert max(site.half[:2]) <= asset.radius_m


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", CABINETS)
def test_cabinet_handles_are_bars_with_room_for_fingers(name, seed, bench):
    cabinet = make(name, seed)
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
    widest = max(g.width_m for fruit in ("apple", "orange", "mango") for s in range(12) for g in make(fruit, s).grasps)
    for seed in range(8):
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
        for seed in range(20):
            assert all(g.width_m <= 0.072 for g in make(name, seed).grasps)
            assert make(name, seed).height_m <= 0.075
    assert math.isclose(max(g.width_m for s in range(40) for g in make("apple", s).grasps), 0.0708, abs_tol=0.003)


@pytest.mark.parametrize("name", [n for n in NAMES if make(n, 0).part_aliases])
def test_sharp_parts_stay_clear_of_the_hand(name):
    """Pads of 18 mm on a grasp leave more than 1 cm to every sharp part, which is what upstream's costs ask for."""
    for seed in SEEDS:
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
    for seed in SEEDS:
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
    seen, unseen = ([make(n, s) for s in range(16)] for n in (name, f"{name}_n"))
    assert set(unseen[0].nouns) <= set(seen[0].nouns)
    slim = [[a.height_m / _width(a) for a in family] for family in (seen, unseen)]
    colour = [np.array([_colour(a) for a in family]) for family in (seen, unseen)]
    apart_in_shape = max(slim[0]) < min(slim[1]) or max(slim[1]) < min(slim[0])
    apart_in_colour = any(
        colour[0][:, k].max() < colour[1][:, k].min() or colour[1][:, k].max() < colour[0][:, k].min() for k in range(3)
    )
    assert apart_in_shape or apart_in_colour


def _width(asset: Asset) -> float:
    touched, _ = _bounds(asset.root)
    return float(touched[1, 1] - touched[0, 1])


def _colour(asset: Asset) -> np.ndarray:
    material = asset.root.visuals[0].material
    return np.array(material.rgb) if material.texture is None else material.texture.mean((0, 1)) / 255


@pytest.mark.parametrize("seed", SEEDS)
def test_a_knob_is_a_bar_that_fingers_can_turn(seed, bench):
    """The handle's closing axis meets the bar 4.8 mm from its middle, above the deck by a fingertip's 10 mm."""
    stove = make("flat_stove", seed)
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


@pytest.mark.parametrize("name", NAMES)
def test_the_inner_circle_lies_in_the_outer_one(name):
    for seed in (0, 1):
        asset = make(name, seed)
        assert 0.0 < inner_radius_m(asset) <= asset.radius_m + 1e-3


def test_inner_circles_of_known_shapes():
    assert inner_radius_m(make("flat_stove", 0)) == pytest.approx(0.08)
    assert inner_radius_m(make("cake", 0)) == pytest.approx(make("cake", 0).radius_m)
    assert inner_radius_m(make("white_cabinet", 0)) == pytest.approx(0.10, abs=0.01)
