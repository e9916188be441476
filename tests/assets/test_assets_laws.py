"""Laws of every category: what is seen agrees with what is touched, the annotations with both, and it stays at rest.

One seed, and every kind where a category has kinds: each is a shape of its own.
"""

from __future__ import annotations

import numpy as np
import pytest
from test_assets_registry import digest

from proctor.assets import (
    Asset,
    Collider,
    Link,
    Look,
    Mesh,
    categories,
    inner_radius_m,
    links,
    looks_of,
    make,
    mass_kg,
    meshes,
)

rotation, signed_volume = meshes.rotation, meshes.signed_volume
SEED = 1
ARENA = categories("arena")
FOOD = (
    "bakery", "condiment", "cube", "drink", "food", "fruit", "ingredient", "label", "number_cube", "painting",
    "picture_frame", "sample", "snack", "toy",
)  # fmt: skip
"""Knowledge categories whose things stand alone on a table; cards, flowers and tubes stand only in something."""
KITCHEN = ("serving_plate", "tray", "board", "pan", "mug", "lid", "cue")
STANDING = (*ARENA, *FOOD, *KITCHEN)
SOFT = {"stem", "flame"}
CABINETS = ("short_cabinet", "white_cabinet", "wooden_cabinet")

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
ANY_MASS_G = (5, 12_000)


def kinds(name: str) -> list[Asset]:
    """One instance of every kind of a category, or the one that its seed draws."""
    looks: list[Look] = [(("kind", kind),) for kind in looks_of(name).get("kind") or ()] or [()]
    return [make(name, SEED, look) for look in looks]


def mass_range(name: str) -> tuple[float, float]:
    known = [key for key in MASS_G if key in name] if name in ARENA else []
    return MASS_G[max(known, key=len)] if known else ANY_MASS_G


def collider_bounds(c: Collider) -> tuple[np.ndarray, np.ndarray]:
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


def bounds(link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of a link's colliders and of its visuals, as [low, high] rows; stems and flames are not touched."""
    touched = np.array([collider_bounds(c) for c in link.colliders])
    seen = np.concatenate(
        [v.mesh.vertices @ rotation(v.quat_wxyz).T + v.pos for v in link.visuals if v.part not in SOFT]
    )
    return np.array([touched[:, 0].min(0), touched[:, 1].max(0)]), np.array([seen.min(0), seen.max(0)])


@pytest.mark.parametrize("name", categories())
def test_a_seed_and_a_look_fix_every_byte_and_others_differ(name):
    for asset in kinds(name)[:1]:
        again = make.__wrapped__(name, SEED, asset.look)
        assert digest(again) == digest(asset)
        assert digest(make(name, SEED + 1, asset.look)) != digest(asset)
        assert make(name, SEED, asset.look) is asset
    # A toy answers to two names.
    assert len({digest(asset) for asset in kinds(name)}) == len(kinds(name)) // (2 if name == "toy" else 1)


@pytest.mark.parametrize("name", categories())
def test_meshes_face_outwards_masses_are_plausible_and_sizes_are_bounds(name):
    for asset in kinds(name):
        low, high = mass_range(name)
        assert low <= 1000 * mass_kg(asset) <= high
        assert (0.0 if name in ARENA else -1e-9) < inner_radius_m(asset) <= asset.radius_m + 1e-3
        triangles = 0
        for link in links(asset.root):
            assert all(c.mass_kg > 0 and min(c.size) > 0 for c in link.colliders)
            for visual in link.visuals:
                _is_sound(visual.mesh, closed=name in ARENA)
                triangles += len(visual.mesh.faces)
                texture = visual.material.texture
                assert texture is None or texture.dtype == np.uint8
        assert triangles <= (2000 if name in ARENA or name in FOOD else 6000)
        if name in ARENA:
            _seen_is_touched(asset)


def _is_sound(mesh: Mesh, *, closed: bool) -> None:
    """``closed``: enough for a volume; the knowledge suite's things have open and sharply bent surfaces."""
    assert mesh.vertices.dtype == mesh.normals.dtype == mesh.uv.dtype == np.float32
    assert np.isfinite(mesh.vertices).all()
    assert np.isfinite(mesh.uv).all()
    assert mesh.faces.min() >= 0
    assert mesh.faces.max() < len(mesh.vertices)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-3)
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
    agree = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces].mean(1)) > 0
    assert agree.mean() > (0.985 if closed else 0.90)
    centred = Mesh(mesh.vertices - mesh.vertices.mean(0), mesh.faces, mesh.normals, mesh.uv)
    assert not closed or signed_volume(centred) > 0


def _seen_is_touched(asset: Asset) -> None:
    """Bounds differ by at most 4 mm per side (an onion's dry tip may stick out 8 mm), and height and radius hold."""
    for link in links(asset.root):
        if link.colliders:
            touched, seen = bounds(link)
            gap = np.abs(touched - seen)
            assert gap[0].max() < 0.004
            assert gap[1, :2].max() < 0.004
            assert gap[1, 2] < (0.008 if asset.category == "onion" else 0.004)
    if asset.kind == "object":
        touched, _ = bounds(asset.root)
        assert touched[0, 2] == pytest.approx(0.0, abs=0.0016)
        assert touched[1, 2] <= asset.height_m + 0.001
        assert float(np.abs(touched[:, :2]).max()) <= asset.radius_m + 0.003


@pytest.mark.parametrize("name", categories())
def test_grasps_fit_the_hand_and_jaws_meet_where_they_say(name, bench):
    """Orthonormal axes, a width that fits, fingertips over the table, the palm over the top; then rays of both jaws."""
    widest = 0.078 if name in ARENA else 0.065
    for asset in kinds(name):
        b = bench([asset]) if asset.grasps and name in STANDING else None
        for grasp in asset.grasps:
            position, closing, approach = (np.array(v) for v in (grasp.position, grasp.closing, grasp.approach))
            assert np.linalg.norm(closing) == pytest.approx(1.0)
            assert np.linalg.norm(approach) == pytest.approx(1.0)
            assert closing @ approach == pytest.approx(0.0, abs=1e-9)
            assert 0.0015 < grasp.width_m <= widest
            assert any(c.part == grasp.part for c in asset.root.colliders)
            if b is None:
                continue
            if name in ARENA:
                assert approach[2] < -0.7
            if approach[2] < -0.99 or name in ARENA:
                assert asset.height_m - grasp.position[2] <= 0.0365
            assert name in KITCHEN or grasp.position[2] >= 0.0102
            ahead, behind = (b.hit(position - s * 0.042 * closing, s * closing) for s in (1, -1))
            assert min(ahead, behind) > 0
            chord = 0.084 - ahead - behind
            # Across an ellipsoid askew, the jaws touch beside the ray and span more than it.
            askew = asset.rolls and grasp.cost > 0
            assert chord - 0.004 <= grasp.width_m <= chord + (0.02 if askew else 0.004)
            assert ahead == pytest.approx(behind, abs=0.005), "off centre: one finger would push the object"


@pytest.mark.parametrize("name", [name for name in STANDING if make(name, SEED).kind == "object"])
def test_it_rests_where_it_is_put(name, bench):
    """From 1 mm above the table: after 0.8 s upright, not moved, not sunk, still."""
    for asset in kinds(name):
        if asset.kind == "fixture" or asset.particle:
            continue
        b = bench([asset])
        b.data.qpos[2] = 0.001
        b.step(0.8)
        assert b.tilt_deg("o0") < (1.0 if name in ARENA else 1.5), asset.look
        assert np.hypot(*b.data.qpos[:2]) < 2e-3
        assert abs(b.data.qpos[2]) < 1e-3
        assert np.abs(b.data.qvel[:3]).max() < 5e-3
        assert min((c.dist for c in b.data.contact), default=0.0) > -1e-3


@pytest.mark.parametrize("name", [name for name in ARENA if make(name, SEED).sites])
def test_sites_rest_on_what_carries_them(name, bench):
    """A ray down from a site's centre meets the supporting collider at the site's lower face."""
    import mujoco

    asset = make(name, SEED)
    b = bench([asset])
    for site in asset.sites:
        if site.opening is not None:
            b.data.joint(f"o0/{site.opening.joint}").qpos[0] = site.opening.init_open[0]
    mujoco.mj_forward(b.model, b.data)
    for site in asset.sites:
        at = b.data.site(f"o0/{site.name}")
        assert at.xmat[8] == pytest.approx(1.0)
        assert min(site.half) > 0.01
        assert b.hit(at.xpos, np.array([0.0, 0.0, -1.0])) == pytest.approx(site.half[2], abs=0.0015)
        assert max(site.half[:2]) <= asset.radius_m
