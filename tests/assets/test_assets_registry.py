"""Names, seeds and what ``attach`` promises about names in the model."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

from proctor.assets import Asset, attach, categories, links, make
from proctor.core import ProctorError

# Every object and fixture category of VLA-Arena's 170 files (facts/vla_arena.md, 1.4) and of LIBERO-Goal's ten.
REQUIRED = [
    "akita_black_bowl", "apple", "bagel", "banana", "bell_pepper", "billiard_balls", "blue_mug", "box", "broccoli",
    "cake", "cake_n", "candle", "carrot", "ceramic_plate", "cereal", "chiffon_cake", "cream_cheese", "cucumber",
    "cutting_board", "cutting_board_no_rotation", "donut", "donut_n", "egg", "flat_stove", "fork",
    "glazed_rim_porcelain_ramekin", "green_mug", "kiwi", "kiwi_n", "knife", "knife_n", "lemon", "lime", "mango",
    "mickey", "new_bowl", "onion", "onion_n", "orange", "orange_juice", "patterned_mug", "peach", "pink_bowl",
    "plate", "porcelain_bowl", "porcelain_mug", "porcelain_plate", "potato", "red_coffee_mug", "rotated_fork",
    "rotated_fork_pi", "rotated_knife", "rotated_knife_pi", "rotated_scissors", "rotated_scissors_pi",
    "rotated_toy_motorbike", "rotated_toy_motorbike_x", "scissors", "short_cabinet", "strawberry", "teapot",
    "tomato", "tomato_n", "toy_car", "toy_motorbike", "toy_train", "vase", "water_ball", "white_bowl",
    "white_cabinet", "white_storage_box", "white_yellow_mug", "wine_bottle", "wine_rack", "wooden_cabinet",
    "wooden_shelf",
]  # fmt: skip


def digest(asset: Asset) -> str:
    """SHA-256 over everything an asset holds."""
    out = hashlib.sha256(repr((asset.radius_m, asset.height_m, asset.sites, asset.grasps, asset.handles)).encode())
    for link in links(asset.root):
        out.update(repr((link.name, link.pos, link.quat_wxyz, link.joint, link.colliders)).encode())
        for v in link.visuals:
            for array in (v.mesh.vertices, v.mesh.faces, v.mesh.normals, v.mesh.uv):
                out.update(array.tobytes())
            texture = b"" if v.material.texture is None else v.material.texture.tobytes()
            out.update(texture + repr((v.material.rgb, v.material.specular, v.material.alpha, v.part)).encode())
    return out.hexdigest()


def test_the_suites_categories_exist():
    assert set(REQUIRED) <= set(categories())
    assert list(categories()) == sorted(categories())


def test_siblings_differ_in_shape_and_in_colour():
    """Not only noise in a texture: sizes spread by several per cent, mean colours by a visible amount."""
    for name in ("akita_black_bowl", "plate", "apple", "blue_mug", "wine_bottle", "box", "banana"):
        some = [make(name, seed) for seed in range(6)]
        heights = np.array([a.height_m for a in some])
        assert 0.03 < np.ptp(heights) / heights.mean() < 0.35
        colours = [_mean_colour(a) for a in some]
        assert np.ptp(colours, axis=0).max() > 0.01


def _mean_colour(asset: Asset) -> np.ndarray:
    material = asset.root.visuals[0].material
    return np.array(material.rgb) if material.texture is None else material.texture.mean((0, 1)) / 255


def test_other_processes_make_the_same_bytes():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from test_assets_registry import digest;"
        "from proctor.assets import make; print(digest(make('new_bowl', 3)), digest(make('strawberry', 9)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    assert run.stdout.split() == [digest(make("new_bowl", 3)), digest(make("strawberry", 9))]


def test_unknown_category_suggests_the_nearest():
    with pytest.raises(ProctorError, match=r"unknown asset category 'aple'; did you mean 'apple'\?") as caught:
        make("aple", 0)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["green_mug", "white_cabinet", "apple", "flat_stove"])
def test_names_in_the_model(name):
    asset = make(name, 1)
    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, asset, "thing_1", free=asset.kind == "object")
    model = spec.compile()
    bodies = {model.body(i).name for i in range(1, model.nbody)}
    assert bodies == {"thing_1"} | {f"thing_1/{link.name}" for link in links(asset.root) if link is not asset.root}
    joints = {model.joint(i).name for i in range(model.njnt)}
    own = {f"thing_1/{link.joint.name}" for link in links(asset.root) if link.joint}
    assert joints == own | ({"thing_1/free"} if asset.kind == "object" else set())
    colliders = [model.geom(i).name for i in range(model.ngeom) if model.geom_contype[i]]
    assert [int(n.split("/")[-1]) for n in colliders] == list(range(len(colliders)))
    parts = [c.part for link in links(asset.root) for c in link.colliders]
    assert [n.split("/")[1] for n in colliders] == parts
    for i in range(model.ngeom):
        seen = "/visual/" in model.geom(i).name
        assert model.geom_group[i] == (1 if seen else 3)
        assert model.geom_contype[i] == model.geom_conaffinity[i] == (0 if seen else 1)
        if not seen:
            assert model.geom_condim[i] == 4
            np.testing.assert_allclose(model.geom_friction[i], (0.6, 0.005, 0.0002))
            np.testing.assert_allclose(model.geom_solref[i], (0.006, 1.0))
    for site in asset.sites:
        added = model.site(f"thing_1/{site.name}")
        assert added.group[0] == 4
        np.testing.assert_allclose(added.size, site.half)
    total = sum(c.mass_kg for link in links(asset.root) for c in link.colliders)
    assert model.body_subtreemass[1] == pytest.approx(total)


def test_rolling_objects_are_damped_and_others_are_not():
    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, make("egg", 0), "egg", free=True)
    attach(spec, spec.worldbody, make("plate", 0), "plate", free=True)
    model = spec.compile()
    np.testing.assert_allclose(model.dof_damping, [3e-4] * 6 + [0.0] * 6)


def test_equal_objects_share_meshes_and_pictures():
    spec = mujoco.MjSpec()
    for k in range(3):
        attach(spec, spec.worldbody, make("plate", 4), f"plate_{k}", free=True)
    attach(spec, spec.worldbody, make("plate", 5), "other", free=True)
    model = spec.compile()
    assert model.nmesh == 2
    assert model.ntex == 2


def test_a_hinge_turns_as_far_as_it_says_in_either_unit():
    for degree in (True, False):
        spec = mujoco.MjSpec()
        spec.compiler.degree = degree
        attach(spec, spec.worldbody, make("flat_stove", 0), "stove", free=False)
        np.testing.assert_allclose(spec.compile().joint("stove/knob").range, (0.0, 1.6))
