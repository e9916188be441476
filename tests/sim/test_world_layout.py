"""Start states: where the regions say, uniformly, without overlap; what cannot be built is refused with its place."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np
import pytest
from scipy import stats
from world_bench import Bench

from proctor.core import ProctorError, named_rng
from proctor.sim import TABLE_Z, LayoutError, SceneError, heading
from proctor.sim._layout import WIDENINGS_M, LayoutSampler

CABINET = {"white_cabinet_1": "white_cabinet"}


def draws(bench: Bench, name: str, count: int) -> np.ndarray:
    """Return (x, y, yaw) of ``count`` layouts, drawn without settling."""
    sampler = LayoutSampler(bench.scene)
    out = []
    for seed in range(count):
        sampler.sample(named_rng(seed, "layout"))
        out.append((*bench.scene.origin(name)[:2], heading(bench.scene.rotation(name))))
    return np.array(out)


def test_one_object_is_uniform_in_its_rectangle_and_yaw_range(bench: Bench) -> None:
    bench.build(objects={"mug_1": "red_coffee_mug"}, at={"mug_1": (-0.2, 0.1, -0.05, 0.3, -1.0, 2.0)})
    found = draws(bench, "mug_1", 200)
    for column, (low, high) in enumerate(((-0.2, -0.05), (0.1, 0.3), (-1.0, 2.0))):
        values = found[:, column]
        assert low <= values.min()
        assert values.max() <= high
        assert stats.kstest(values, stats.uniform(low, high - low).cdf).pvalue > 1e-3
    for first, second in itertools.combinations(range(3), 2):
        assert abs(stats.spearmanr(found[:, first], found[:, second]).statistic) < 0.25


def test_several_rectangles_are_all_used(bench: Bench) -> None:
    bench.build(
        objects={"apple_1": "apple"},
        at={},
        regions="(spots (:target main_table) (:ranges ((-0.2 -0.3 -0.1 -0.2) (0.0 0.0 0.1 0.1) (-0.2 0.2 -0.1 0.3))))",
        init="(On apple_1 main_table_spots)",
    )
    found = draws(bench, "apple_1", 90)
    inside = [
        ((found[:, 0] >= x) & (found[:, 0] <= x + 0.1) & (found[:, 1] >= y) & (found[:, 1] <= y + 0.1)).sum()
        for x, y in ((-0.2, -0.3), (0.0, 0.0), (-0.2, 0.2))
    ]
    assert sum(inside) == 90
    assert stats.chisquare(inside).pvalue > 1e-3


def closest(bench: Bench, names: Iterable[str]) -> float:
    """Brute force: the smallest distance between geoms of different things."""
    scene, segment = bench.scene, np.zeros(6)
    return min(
        mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 1.0, segment)
        for a, b in itertools.combinations(names, 2)
        for g in scene.geoms(a)
        for h in scene.geoms(b)
    )


def test_nothing_overlaps_in_a_crowd(bench: Bench) -> None:
    crowd = {
        "apple_1": "apple",
        "mug_1": "blue_mug",
        "bottle_1": "wine_bottle",
        "knife_1": "knife",
        "bowl_1": "new_bowl",
    }
    path = bench.write(objects=crowd, at=dict.fromkeys(crowd, (-0.2, -0.2, 0.1, 0.2, -3.1, 3.1)))
    for seed in range(6):
        scene = bench.start(path, seed)
        assert closest(bench, crowd) > 0.002, seed
        for name in crowd:
            assert abs(scene.origin(name)[2] - TABLE_Z) < 0.012


def test_things_start_at_least_four_millimetres_apart(bench: Bench) -> None:
    tight = {"apple_1": "apple", "mug_1": "blue_mug", "bottle_1": "wine_bottle"}
    bench.build(objects=tight, at=dict.fromkeys(tight, (-0.1, 0.0, 0.02, 0.12, -3.1, 3.1)))
    sampler = LayoutSampler(bench.scene)
    gaps = []
    for seed in range(80):
        sampler.sample(named_rng(seed, "layout"))
        gaps.append(closest(bench, tight))
    assert min(gaps) >= 0.004
    assert min(gaps) < 0.008, "the limit was tried"


def test_settled_things_are_at_rest_and_where_they_were_put(bench: Bench) -> None:
    scene = bench.build(
        objects={"bottle_1": "wine_bottle", "mug_1": "blue_mug"}, at={"bottle_1": (0, -0.2), "mug_1": (0, 0.2)}
    )
    for name in ("bottle_1", "mug_1"):
        assert np.abs(scene.data.joint(f"{name}/free").qvel).max() < 0.05
        assert np.linalg.norm(scene.origin(name) - scene.spawned[name].origin) < 0.003
        assert np.allclose(scene.references[name].origin, scene.origin(name))


@pytest.mark.parametrize("yaw", [0.0, 0.8])
@pytest.mark.parametrize("opened", [True, False])
def test_what_starts_in_a_drawer_lies_in_the_drawer(bench: Bench, yaw: float, opened: bool) -> None:
    path = bench.write(
        objects={"strawberry_1": "strawberry"},
        fixtures=CABINET,
        at={"white_cabinet_1": (0.0, 0.3, yaw)},
        regions="(middle_region (:target white_cabinet_1))",
        init="(In strawberry_1 white_cabinet_1_middle_region)"
        + (" (Open white_cabinet_1_middle_region)" if opened else ""),
    )
    spread = []
    for seed in range(5):
        scene = bench.start(path, seed)
        assert bench.holds("In strawberry_1 white_cabinet_1_middle_region")
        assert bench.holds("Open white_cabinet_1_middle_region") is opened
        assert bench.holds("Close white_cabinet_1_middle_region") is not opened
        drawer = scene.data.body("white_cabinet_1/drawer_middle")
        spread.append(drawer.xmat.reshape(3, 3).T @ (scene.origin("strawberry_1") - drawer.xpos))
    assert np.ptp(np.array(spread), axis=0)[:2].max() > 0.02, "not always in the same spot"


def test_stacks_are_built_from_the_bottom_up_whatever_the_order_in_the_file(bench: Bench) -> None:
    scene = bench.build(
        objects={"apple_1": "apple", "plate_1": "plate", "cutting_board_1": "cutting_board"},
        at={"cutting_board_1": (0.0, 0.2)},
        init="(On apple_1 plate_1) (On plate_1 cutting_board_1)",
    )
    assert bench.holds("On apple_1 plate_1")
    assert bench.holds("On plate_1 cutting_board_1")
    assert (
        scene.origin("apple_1")[2] > scene.origin("plate_1")[2] > scene.origin("cutting_board_1")[2] >= TABLE_Z - 1e-3
    )


def test_what_is_placed_off_the_table_and_not_asked_for_lies_there_too(bench: Bench) -> None:
    """Upstream's cereal of PrepositionCombinations L0: the task goes on without it."""
    scene = bench.build(**APPLE | {"at": {"apple_1": (0.0, 0.62)}})
    assert scene.origin("apple_1")[0] > 2.5
    for support in (NAMED, {"cost": "(Fall apple_1)"}, {"objects": {"plate_1": "plate", "egg_1": "egg"}}):
        at = {next(iter({**APPLE, **support}["objects"])): (0.0, 0.62)}
        init = "(On egg_1 plate_1)" if "objects" in support else ""
        with pytest.raises(SceneError, match="reaches beyond"):
            bench.build(**APPLE | support | {"at": at, "init": init})


def test_a_rectangle_partly_off_the_table_keeps_what_is_not_asked_for_on_it(bench: Bench) -> None:
    path = bench.write(**APPLE | {"at": {"apple_1": (0.3, 0.5, 0.4, 0.7, 0, 0)}})
    found = []
    for seed in range(8):
        bench.start(path, seed)
        x, y, z = bench.env.scene.origin("apple_1")
        assert z == pytest.approx(TABLE_Z, abs=2e-3)
        assert 0.3 <= x <= 0.4
        assert 0.5 <= y <= 0.6 - bench.env.scene.assets["apple_1"].radius_m + 2e-3
        found.append(y)
    assert np.ptp(found) > 0.01


# -- refusals ------------------------------------------------------------------------------------------
def test_an_impossible_layout_names_the_pair(bench: Bench) -> None:
    where = {"white_cabinet_1": (0.0, 0.3), "apple_1": (0.0, 0.3)}
    with pytest.raises(
        LayoutError, match=r"no free layout in 400 draws, most often apple_1 and white_cabinet_1 overlap"
    ):
        bench.build(objects={"apple_1": "apple"}, fixtures=CABINET, at=where)


def _widened_m(bench: Bench) -> list[float]:
    return [event.value for event in bench.env.monitor.events if event.kind == "layout_widened"]


def test_regions_are_widened_only_as_far_as_needed_and_the_episode_says_so(bench: Bench) -> None:
    both = {"apple_1": "apple", "plate_1": "plate"}
    bench.build(objects=both, at={"apple_1": (0, 0.2), "plate_1": (0.3, 0.2)})
    assert _widened_m(bench) == []
    scene = bench.build(objects=both, at={"apple_1": (0, 0.2), "plate_1": (0.08, 0.2)})
    (widened,) = _widened_m(bench)
    gap = np.linalg.norm(scene.origin("apple_1")[:2] - scene.origin("plate_1")[:2])
    assert gap > 0.08
    assert np.abs(scene.origin("apple_1")[:2] - (0, 0.2)).max() <= widened + 1e-3
    assert widened in WIDENINGS_M


def test_what_is_never_placed_and_not_asked_for_lies_on_the_floor_behind_the_cameras(bench: Bench) -> None:
    scene = bench.build(**APPLE | {"objects": {"apple_1": "apple", "egg_1": "egg"}})
    assert scene.origin("egg_1")[0] > 2.5
    assert abs(scene.origin("egg_1")[2]) < 0.01


APPLE: dict[str, Any] = {"objects": {"apple_1": "apple"}, "at": {"apple_1": (0.0, 0.2)}}
NAMED: dict[str, Any] = {"goal": "(Up apple_1)"}


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (
            APPLE | {"objects": {"apple_1": "apple", "egg_1": "egg"}, "goal": "(On egg_1 apple_1)"},
            r"'egg_1' is never placed in :init",
        ),
        (APPLE | {"fixtures": CABINET}, r"'white_cabinet_1' is never placed in :init"),
        (
            APPLE
            | {
                "fixtures": CABINET,
                "at": {"apple_1": (0, -0.3), "white_cabinet_1": (0, 0.3)},
                "regions": "(attic (:target white_cabinet_1))",
                "goal": "(In apple_1 white_cabinet_1_attic)",
            },
            r"white_cabinet has no site 'attic' .* its sites are bottom_region, middle_region, top_region, top_side",
        ),
        (
            APPLE | NAMED | {"at": {"apple_1": (0.3, 0.5, 0.51, 0.59, 0, 0)}},
            r"'main_table_apple_1_spot' reaches beyond the 1.0 x",
        ),
        (APPLE | NAMED | {"at": {"apple_1": (0.3, -0.61, 0.4, 0.0, 0, 0)}}, r"reaches beyond the 1.0 x 1.2 m table"),
        (APPLE | {"blocks": "(:camera agentvue 0.1 0 0)"}, r"no camera 'agentvue' .*did you mean 'agentview'"),
        (APPLE | {"objects": {"apple_1": "appel"}}, r"appel.*did you mean"),
        (
            APPLE | {"fixtures": {"table": "plate"}, "at": {"apple_1": (0, 0.2), "table": (0, -0.3)}},
            r"belongs to the scene",
        ),
        (APPLE | {"goal": "(Open apple_1)"}, r"'apple_1' cannot be opened"),
        (APPLE | {"goal": "(TurnOn apple_1)"}, r"'apple_1' has no switch"),
    ],
)
def test_what_cannot_be_built_is_refused_with_file_line_and_column(
    bench: Bench, task: dict[str, Any], message: str
) -> None:
    path = bench.write(**task)
    with pytest.raises(SceneError, match=rf"^{path}:\d+:\d+: .*{message}") as refused:
        bench.start(path)
    assert "\n" not in str(refused.value)


def test_a_region_beyond_the_table_is_refused_at_every_seed(bench: Bench) -> None:
    path = bench.write(**(APPLE | NAMED | {"at": {"apple_1": (0.0, 0.2, 0.5001, 0.3, 0, 0)}}))
    for seed in range(3):
        with pytest.raises(SceneError, match="reaches beyond"):
            bench.start(path, seed)


def test_a_task_without_a_table_is_refused(bench: Bench, tmp_path: Any) -> None:
    path = bench.write(**APPLE)
    path.write_text(path.read_text().replace("main_table - table", "main_table - plate"))
    with pytest.raises(SceneError, match="exactly one fixture of category 'table'"):
        bench.start(path)


def test_a_missing_file_is_one_line(bench: Bench, tmp_path: Any) -> None:
    with pytest.raises(Exception, match=r"nowhere\.cbddl") as missing:
        bench.start(tmp_path / "nowhere.cbddl")
    assert isinstance(missing.value, ProctorError) or type(missing.value).__name__ == "CbddlError"
    assert "\n" not in str(missing.value)
