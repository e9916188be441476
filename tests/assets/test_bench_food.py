"""Laws of the food family of the bench suite: what is asked for is made, rests, and fits a hand."""

from __future__ import annotations

import time

import mujoco
import numpy as np
import pytest
from proctor.assets.knowledge._toy import TOYS
from test_assets_registry import digest

from proctor.assets import Asset, Look, attach, links, looks_of, make

OPEN_TEXT = {"text": ("7", "stained glass")}
FOOD = (
    "bakery", "condiment", "cube", "drink", "food", "fruit", "ingredient", "label", "number_cube", "painting",
    "picture_frame", "sample", "snack", "toy",
)  # fmt: skip


def kinds(name: str) -> list[Look]:
    """Every value of each of a category's looks, one look at a time beside the first values of the others.

    What a sample is asked about does not show.
    """
    looks = {key: values or OPEN_TEXT.get(key, ("one",)) for key, values in looks_of(name).items() if key != "property"}
    first = {key: values[0] for key, values in looks.items()}
    varied = [{**first, key: value} for key, values in looks.items() for value in values]
    return list(dict.fromkeys(tuple(choice.items()) for choice in varied))


KINDS = [(name, look) for name in FOOD for look in kinds(name)]
MOVABLE = [(name, look) for name, look in KINDS if make(name, 0, look).kind == "object"]


def _ids(case: tuple[str, Look]) -> str:
    return "-".join([case[0], *(value for _, value in case[1])]).replace(" ", "_")


@pytest.mark.parametrize("case", KINDS, ids=_ids)
def test_a_look_and_a_seed_fix_every_byte_and_seeds_differ(case):
    assert digest(make.__wrapped__(case[0], 3, case[1])) == digest(make.__wrapped__(case[0], 3, case[1]))
    assert len({digest(make(case[0], seed, case[1])) for seed in range(3)}) == 3


@pytest.mark.parametrize("name", FOOD)
def test_every_look_looks_different(name):
    looks = [look for look in kinds(name) if name != "toy" or look[0][1] in TOYS]
    assert len({digest(make(name, 0, look)) for look in looks}) == len(looks)


def test_a_toy_answers_to_its_archetype_and_to_its_name():
    for archetype, (name, _) in TOYS.items():
        plain, called = (make("toy", 5, (("kind", kind),)) for kind in (archetype, name))
        assert digest(plain) == digest(called)
        assert {archetype, name, "toy"} <= set(plain.nouns)


@pytest.mark.parametrize("case", MOVABLE, ids=_ids)
def test_grasps_fit_the_hand(case):
    """At most 65 mm wide, orthonormal frames, fingertips above the table, the palm above what it comes down on."""
    for seed in (0, 1, 2):
        asset = make(case[0], seed, case[1])
        assert asset.grasps or case[0] == "painting", "only a board that lies flat is not for the hand"
        for grasp in asset.grasps:
            closing, approach = np.array(grasp.closing), np.array(grasp.approach)
            assert np.linalg.norm(closing) == pytest.approx(1.0)
            assert np.linalg.norm(approach) == pytest.approx(1.0)
            assert closing @ approach == pytest.approx(0.0, abs=1e-9)
            assert 0.002 < grasp.width_m <= 0.065
            assert grasp.position[2] >= 0.0102
            if approach[2] < -0.99:
                assert asset.height_m - grasp.position[2] <= 0.0365


def _light(asset: Asset) -> None:
    colliders = [c for link in links(asset.root) for c in link.colliders]
    triangles = sum(len(v.mesh.faces) for link in links(asset.root) for v in link.visuals)
    assert len(colliders) <= 12
    assert triangles <= 2000
    for link in links(asset.root):
        for visual in link.visuals:
            assert visual.material.texture is None or max(visual.material.texture.shape) <= 512


@pytest.mark.parametrize("case", KINDS, ids=_ids)
def test_things_are_light_to_compile(case):
    _light(make(case[0], 0, case[1]))


def test_a_model_of_one_of_each_compiles_fast():
    """Below 30 ms an object, the best of three runs: what else the machine does is not the asset's fault."""
    spec = mujoco.MjSpec()
    for k, (name, look) in enumerate(KINDS):
        attach(spec, spec.worldbody, make(name, 0, look), f"o{k}", free=False)
    best = min(_seconds(spec) for _ in range(3))
    assert best / len(KINDS) < 0.030


def _seconds(spec: mujoco.MjSpec) -> float:
    start = time.perf_counter()
    spec.copy().compile()
    return time.perf_counter() - start


@pytest.mark.parametrize("case", MOVABLE, ids=_ids)
def test_rests_where_it_is_put(case, bench):
    """From 1 mm above the table: after 1 s upright, not moved, not sunk, still."""
    b = bench([make(case[0], seed, case[1]) for seed in (0, 1)])
    b.data.qpos[[2, 9]] = 0.001
    b.step(1.0)
    for k, (x, y) in enumerate(b.offsets):
        pos, vel = b.data.qpos[7 * k : 7 * k + 3], b.data.qvel[6 * k : 6 * k + 6]
        assert b.tilt_deg(f"o{k}") < 1.5
        assert np.hypot(pos[0] - x, pos[1] - y) < 2e-3
        assert abs(pos[2]) < 1e-3
        assert np.abs(vel[:3]).max() < 5e-3


@pytest.mark.parametrize("case", MOVABLE, ids=_ids)
def test_jaws_meet_the_object_where_the_grasp_says(case, bench):
    """Rays from both open fingers along the closing axis hit the object ``width_m`` apart, evenly."""
    asset = make(case[0], 1, case[1])
    b = bench([asset])
    for grasp in asset.grasps:
        position, closing = np.array(grasp.position), np.array(grasp.closing)
        ahead, behind = (b.hit(position - s * 0.042 * closing, s * closing) for s in (1, -1))
        assert ahead > 0
        assert behind > 0
        chord = 0.084 - ahead - behind
        askew = asset.rolls and grasp.cost > 0
        assert chord - 0.004 <= grasp.width_m <= chord + (0.02 if askew else 0.004)
        assert ahead == pytest.approx(behind, abs=0.005)
