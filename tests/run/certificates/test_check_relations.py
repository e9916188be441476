"""Relations in instructions: read from the words, and true on one side of each threshold and false on the other."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from world_bench import Bench, task_text

from proctor.run.certificates import CertificateJob, Finding, run_job
from proctor.run.certificates.referents import (
    BETWEEN,
    BEYOND,
    CLEAR_M,
    NEXT_TO_M,
    detour,
    gap,
    goal_trouble,
    meanings,
    possible,
)
from proctor.sim import TABLE_Z, nouns_of, yaw_matrix
from proctor.tasks.suites import find, find_all
from proctor.tasks.words import noun_phrases


# -- space -------------------------------------------------------------------------------------------------------------
def beside(bench: Bench, name: str, anchor: str, away: float, side: float = 1.0) -> None:
    """Stand a thing at a horizontal gap from another, along y; first put down far away, then moved up."""
    bench.look()
    x, y, _ = bench.scene.origin(anchor)
    bench.stand(name, x, y + side * 0.3)
    bench.look()
    excess = gap(bench.scene, name, anchor) - away
    bench.stand(name, x, y + side * (0.3 - excess))
    bench.look()
    assert gap(bench.scene, name, anchor) == pytest.approx(away, abs=2e-4)


@pytest.fixture(scope="module")
def shop(bench: Bench) -> Bench:
    """Things on the table, and a cabinet out of their way with its top drawer open."""
    bench.build(
        objects={
            "tomato_1": "tomato", "tomato_2": "tomato", "cereal_1": "cereal", "cereal_2": "cereal",
            "orange_1": "orange", "orange_2": "orange", "orange_3": "orange", "plate_1": "plate",
            "bowl_1": "white_bowl", "bowl_2": "white_bowl",
        },
        fixtures={"white_cabinet_1": "white_cabinet"},
        at={
            "tomato_1": (-0.3, 0.3), "tomato_2": (-0.3, -0.3), "cereal_1": (0.0, 0.0), "cereal_2": (0.0, 0.3),
            "orange_1": (-0.3, 0.0), "orange_2": (-0.2, 0.1), "orange_3": (-0.2, -0.1), "plate_1": (-0.1, -0.25),
            "bowl_1": (0.1, -0.3), "bowl_2": (0.3, -0.3), "white_cabinet_1": (0.3, 0.4),
        },
        regions="(top_region (:target white_cabinet_1))",
        init="(Open white_cabinet_1_top_region)",
    )  # fmt: skip
    return bench


def test_the_gap_is_what_mujoco_measures_between_upright_boxes(shop: Bench) -> None:
    scene, rng = shop.scene, np.random.default_rng(3)
    for _ in range(40):
        for name in ("cereal_1", "cereal_2"):
            at = (*rng.uniform(-0.12, 0.12, 2), TABLE_Z)
            shop.put(name, at, yaw_matrix(rng.uniform(-3, 3)))
        shop.look()
        fromto = np.zeros(6)
        (first,), (second,) = (scene.geoms(name).tolist() for name in ("cereal_1", "cereal_2"))
        apart = mujoco.mj_geomDistance(scene.model, scene.data, first, second, 1.0, fromto)
        assert gap(scene, "cereal_1", "cereal_2") == pytest.approx(max(apart, 0.0), abs=5e-4)


def test_gap_and_detour_of_balls_have_a_closed_form(shop: Bench) -> None:
    scene, rng = shop.scene, np.random.default_rng(4)
    names = ("orange_1", "orange_2", "orange_3")
    for _ in range(20):
        for name in names:
            shop.stand(name, *rng.uniform(-0.3, 0.3, 2))
        shop.look()
        centre = {name: scene.data.geom_xpos[scene.geoms(name)[0]][:2] for name in names}
        radius = {name: max(scene.model.geom_rbound[scene.geoms(name)]) for name in names}

        def between(a: str, b: str, centre: Any = centre, radius: Any = radius) -> float:
            return max(0.0, math.dist(centre[a], centre[b]) - radius[a] - radius[b])

        a, b, c = names
        assert gap(scene, a, b) == pytest.approx(between(a, b), abs=1e-3)
        if between(a, b) > 0.02:
            want = (between(a, c) + between(c, b) + 2 * radius[c]) / between(a, b)
            assert detour(scene, c, a, b) == pytest.approx(want, rel=0.05)


def next_to(bench: Bench, *candidates: str, anchor: str = "cereal_1") -> set[str]:
    bench.look()
    return set(possible(bench.scene, "next to", candidates, [anchor], ""))


def test_next_to_reaches_ten_centimetres(shop: Bench) -> None:
    shop.stand("cereal_1", 0.0, 0.0)
    for away, want in ((0.0, {"tomato_1"}), (NEXT_TO_M - 0.001, {"tomato_1"}), (NEXT_TO_M + 0.001, set())):
        beside(shop, "tomato_1", "cereal_1", away)
        assert next_to(shop, "tomato_1") == want


def test_another_that_is_hardly_farther_makes_it_ambiguous(shop: Bench) -> None:
    shop.stand("cereal_1", 0.0, 0.0)
    beside(shop, "tomato_1", "cereal_1", 0.02)
    for extra, want in ((-0.001, {"tomato_1", "tomato_2"}), (0.001, {"tomato_1"})):
        beside(shop, "tomato_2", "cereal_1", 0.02 + CLEAR_M + extra, side=-1.0)
        assert next_to(shop, "tomato_1", "tomato_2") == want


def test_what_is_higher_is_not_next_to(shop: Bench) -> None:
    shop.stand("cereal_1", 0.0, 0.0)
    beside(shop, "tomato_1", "cereal_1", 0.03)
    x, y, _ = shop.scene.origin("tomato_1")
    top = TABLE_Z + shop.scene.assets["cereal_1"].height_m
    for lift, want in ((-0.005, {"tomato_1"}), (0.005, set())):
        shop.put("tomato_1", (x, y, top + lift))
        assert next_to(shop, "tomato_1") == want


def on_plate(bench: Bench, name: str) -> None:
    """Stand a thing on the plate's floor, pressed in a little so that it touches."""
    site = bench.scene.assets["plate_1"].site("top_side")
    assert site is not None
    centre, _ = bench.scene.site_frame("plate_1", site)
    bench.put(name, (centre[0], centre[1], centre[2] - site.half[2] - 4e-4))
    bench.look()


def test_what_stands_on_it_is_not_next_to_it(shop: Bench) -> None:
    shop.stand("plate_1", -0.1, -0.25)
    beside(shop, "tomato_2", "plate_1", 0.04)
    on_plate(shop, "tomato_1")
    assert next_to(shop, "tomato_1", "tomato_2", anchor="plate_1") == {"tomato_2"}
    assert possible(shop.scene, "on", ("tomato_1", "tomato_2"), ["plate_1"], "") == ("tomato_1",)
    assert possible(shop.scene, "on", ("tomato_1", "tomato_2"), ["main_table"], "") == ("tomato_2",)
    beside(shop, "tomato_1", "plate_1", 0.03, side=-1.0)
    assert next_to(shop, "tomato_1", "tomato_2", anchor="plate_1") == {"tomato_1", "tomato_2"}
    assert possible(shop.scene, "on", ("tomato_1", "tomato_2"), ["plate_1"], "") == ()


def test_directions_are_the_robots_and_leave_a_centimetre_of_doubt(shop: Bench) -> None:
    shop.stand("cereal_1", 0.0, 0.0)
    for kind, x, y in (("left of", 0, 1), ("right of", 0, -1), ("behind", 1, 0), ("in front of", -1, 0)):
        for away, want in ((0.2, ("tomato_1",)), (0.005, ()), (-0.2, ())):
            shop.stand("tomato_1", x * away, y * away)
            shop.look()
            assert possible(shop.scene, kind, ("tomato_1",), ["cereal_1"], "") == want  # type: ignore[arg-type]
    shop.stand("tomato_1", 0.0, 0.2)
    for y, want in ((0.1, ("tomato_1", "tomato_2")), (-0.005, ("tomato_1", "tomato_2")), (-0.1, ("tomato_1",))):
        shop.stand("tomato_2", 0.2, y)
        shop.look()
        assert possible(shop.scene, "left of", ("tomato_1", "tomato_2"), ["cereal_1"], "") == want


def sideways(bench: Bench, name: str, ratio: float) -> None:
    """Move a thing away from the middle between the two oranges until the way through it is ``ratio`` times as long."""
    low, high = 0.0, 0.5
    for _ in range(30):
        middle = (low + high) / 2
        bench.stand(name, middle, 0.0)
        bench.look()
        if detour(bench.scene, name, "orange_1", "orange_2") < ratio:
            low = middle
        else:
            high = middle


def test_between_is_hardly_a_detour(shop: Bench) -> None:
    shop.stand("orange_1", 0.0, 0.2)
    shop.stand("orange_2", 0.0, -0.2)
    anchors = ["orange_1", "orange_2"]
    for ratio, want in ((BETWEEN - 0.01, ("tomato_1",)), (BETWEEN + 0.01, ())):
        sideways(shop, "tomato_1", ratio)
        assert possible(shop.scene, "between", ("tomato_1",), anchors, "") == want
    sideways(shop, "tomato_1", 1.05)
    for ratio, want in ((BEYOND - 0.01, ("tomato_1", "tomato_2")), (BEYOND + 0.01, ("tomato_1",))):
        sideways(shop, "tomato_2", ratio)
        assert possible(shop.scene, "between", ("tomato_1", "tomato_2"), anchors, "") == want
    # Behind one of them, on the same line, is not between.
    shop.stand("tomato_1", 0.0, 0.28)
    shop.look()
    assert possible(shop.scene, "between", ("tomato_1",), anchors, "") == ()


def test_a_layer_ends_where_its_drawer_ends(shop: Bench) -> None:
    scene = shop.scene
    site = scene.assets["white_cabinet_1"].site("top_region")
    assert site is not None
    centre, frame = scene.site_frame("white_cabinet_1", site)
    lift = scene.com("tomato_1") - scene.origin("tomato_1")
    for share, inside in ((0.0, True), (0.98, True), (1.02, False)):
        for axis in range(2):
            offset = np.zeros(3)
            offset[axis] = share * site.half[axis]
            shop.put("tomato_1", centre + frame @ offset - lift)
            shop.look()
            found = possible(scene, "in", ("tomato_1",), ["white_cabinet_1"], "top")
            assert (found == ("tomato_1",)) is inside
            assert possible(scene, "in", ("tomato_1",), ["white_cabinet_1"], "middle") == ()


def test_on_the_top_layer_must_be_one_thing_under_both_readings(shop: Bench) -> None:
    scene = shop.scene
    lid, drawer = (scene.assets["white_cabinet_1"].site(name) for name in ("top_side", "top_region"))
    assert lid is not None
    assert drawer is not None
    top, _ = scene.site_frame("white_cabinet_1", lid)
    inside, _ = scene.site_frame("white_cabinet_1", drawer)
    both = ("bowl_1", "bowl_2")
    shop.put("bowl_1", (top[0], top[1], top[2] - lid.half[2] - 2e-4))
    shop.stand("bowl_2", 0.0, 0.0)
    shop.look()
    assert possible(scene, "on", both, ["white_cabinet_1"], "") == ("bowl_1",)
    assert possible(scene, "on", both, ["white_cabinet_1"], "top") == ("bowl_1",)
    shop.put("bowl_2", inside - (0, 0, 0.03))
    shop.look()
    assert possible(scene, "on", both, ["white_cabinet_1"], "") == ("bowl_1",)
    assert possible(scene, "on", both, ["white_cabinet_1"], "top") == both


# -- a whole instruction -----------------------------------------------------------------------------------------------
TABLE: dict[str, Any] = {
    "objects": {
        "tomato_1": "tomato", "tomato_2": "tomato", "cereal_1": "cereal", "plate_1": "plate", "vase_1": "vase",
    },
    "at": {
        "tomato_1": (-0.15, 0.12), "tomato_2": (-0.15, -0.12), "cereal_1": (-0.03, 0.15), "plate_1": (0.05, -0.1),
        "vase_1": (-0.05, -0.25),
    },
    "goal": "(On tomato_1 plate_1)",
    "language": "Pick up the tomato next to the cereal and place it on the plate",
}  # fmt: skip


def referent(tmp_path: Path, text: str) -> Finding:
    """Return the one finding about referents that the questions without a policy give."""
    path = tmp_path / "task.cbddl"
    path.write_text(text)
    (ref,) = find(str(path))
    found = [f for question in ("text", "start") for f in run_job(CertificateJob(ref, question, 1, 0)).findings]
    (finding,) = [f for f in found if f.certificate == "referent"]
    return finding


@pytest.mark.parametrize(
    ("change", "passed", "detail"),
    [
        ({}, True, "tomato next to the cereal=tomato_1, plate=plate_1"),
        ({"goal": "(On tomato_2 plate_1)"}, False, "layout 0: the goal moves tomato_2, which the instruction does not"),
        ({"goal": "(On tomato_1 vase_1)"}, False, "layout 0: the goal takes tomato_1 to vase_1, which the instruction"),
        (
            {"at": TABLE["at"] | {"tomato_2": (-0.12, 0.2)}},
            False,
            "layout 0: 'tomato next to the cereal' may be tomato_1 or tomato_2",
        ),
        (
            {"at": TABLE["at"] | {"tomato_1": (-0.3, -0.2)}},
            False,
            "layout 0: 'tomato next to the cereal' may be nothing",
        ),
        ({"language": "Pick up the tomato and place it on the plate"}, False, "'tomato' may be tomato_1 or tomato_2"),
        (
            {"language": "Pick up the tomato beside it and place it on the plate"},
            False,
            "layout 0: 'it' may be nothing",
        ),
    ],
)
def test_the_certificate_asks_every_layout(tmp_path: Path, change: dict[str, Any], passed: bool, detail: str) -> None:
    finding = referent(tmp_path, task_text(**(TABLE | change)))
    assert finding.passed is passed
    assert detail in finding.detail


def test_beside_it_is_beside_what_was_picked_up(bench: Bench) -> None:
    scene = bench.build(
        objects={"tomato_1": "tomato", "bowl_1": "white_bowl", "bowl_2": "white_bowl", "vase_1": "vase"},
        at={"tomato_1": (0.0, 0.0), "bowl_1": (0.0, 0.13), "bowl_2": (0.0, -0.25), "vase_1": (0.0, -0.4)},
        goal="(On tomato_1 bowl_1)",
    )
    phrases = noun_phrases("Pick the tomato and place it on the bowl beside it", nouns_of(scene.task))
    found = meanings(scene, phrases)
    assert found == {"tomato": ("tomato_1",), "bowl beside it": ("bowl_1",)}
    assert goal_trouble(scene, found) == ""
    phrases = noun_phrases("Pick the tomato and place it on the bowl next to the vase", nouns_of(scene.task))
    found = meanings(scene, phrases)
    assert isinstance(found, dict)
    assert found["bowl next to the vase"] == ("bowl_2",)
    assert goal_trouble(scene, found) == "the goal takes tomato_1 to bowl_1, which the instruction does not name"


def test_every_phrase_of_the_preposition_suite_means_what_its_goal_says() -> None:
    tasks = find_all(["arena/preposition_combinations"])
    assert len(tasks) == 15
    for task in tasks:
        found = {f.certificate: f for f in run_job(CertificateJob(task, "start", 1, 7)).findings}
        assert found["referent"].passed, (task.id, found["referent"].detail)
        assert found["referent"].detail.count("=") == 2
