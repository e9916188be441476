"""Upstream's own task files run unmodified: they compile, and everything in them comes to rest where it was put.

The files are not ours and are not in the repository; without the folder that holds them these tests are skipped.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from world_bench import STILL, Bench, episode

from proctor.assets import categories, make
from proctor.tasks.cbddl import Task, atoms_of, read_task

DATA = Path(__file__).parents[3] / "shared" / "data"
FILES = sorted(DATA.glob("**/*.bddl"))
WORKSPACES = ("floor", "table")
SEEDS = (0, 1)

# Regions so close that our shapes overlap on every draw: widened, by centimetres.
OVERLAPPING = {
    # The middles lie 7 cm and 5 cm apart: an onion would start inside any stove wider than 8 cm.
    "safety_hazard_avoidance/level_0/pick_up_the_onion_and_place_it_on_the_akita_black_bowl_with_the_stove_turned_on",
    # 10 cm from the middle of the stove to that of the egg, 11 cm to that of a bowl 15 cm wide.
    "safety_hazard_avoidance/level_2/pick_up_the_egg_and_place_it_in_the_white_bowl_with_the_stove_turned_on",
}
MOST_WIDENED_M = 0.08
# Regions 4 to 8 cm apart: two large instances do not fit, others do.
TIGHT = {"robustness_static_distractors/level_2/pick_the_mango_on_the_table_and_place_it_on_the_bowl"}

pytestmark = pytest.mark.skipif(not FILES, reason="upstream's task files are not on this machine")


def _key(path: Path) -> str:
    return "/".join((*path.parts[-3:-1], path.stem))


@pytest.fixture(scope="module")
def tasks() -> dict[Path, Task]:
    return {path: read_task(path) for path in FILES}


def _parked(task: Task) -> set[str]:
    """What is declared and never placed, and neither goal nor cost asks for: it lies on the floor."""
    named = (*task.init, *(atom for expr in (task.goal, *task.cost) for atom in atoms_of(expr)))
    return {entity.name for entity in task.objects} - {str(arg) for atom in named for arg in atom.args}


def test_the_lists_name_files_that_exist(tasks):
    assert {*OVERLAPPING, *TIGHT} <= {_key(path) for path in FILES}
    assert len(FILES) >= 78
    assert sum(bool(_parked(task)) for task in tasks.values()) >= 4


def test_every_category_has_an_asset(tasks):
    used = {e.category for task in tasks.values() for e in (*task.fixtures, *task.objects)} - set(WORKSPACES)
    assert used <= set(categories())


def test_every_region_without_ranges_is_a_site_of_its_target(tasks):
    """Regions of things that the file never declares (LIBERO's bowl drainer) are left out."""
    checked = 0
    for path, task in tasks.items():
        for region in task.regions:
            entity = task.entity(region.target)
            if region.ranges or entity is None:
                continue
            assert make(entity.category, 0).site(region.name), f"{path}: {entity.category} has no {region.name}"
            checked += 1
    assert checked > 100


def _reset(bench: Bench, path: Path, seed: int) -> float:
    """Reset; check that nothing but what is parked lies below the table, and nothing but a mover is faster than 5 cm/s.

    Returns by how much regions were widened.
    """
    bench.env.reset(episode(path, seed))
    scene = bench.scene
    movers = {mover.name for mover in scene.task.movers}
    for name in scene.movable:
        assert name in movers or np.abs(scene.data.joint(f"{name}/free").qvel[:3]).max() < 0.05, name
        assert (scene.origin(name)[2] > 0.895) == (name not in _parked(scene.task)), name
    return next((event.value for event in bench.env.monitor.events if event.kind == "layout_widened"), 0.0)


def _name(path: object) -> str:
    return _key(path) if isinstance(path, Path) else str(path)


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_everything_comes_to_rest(path, bench: Bench, tasks):
    for seed in SEEDS:
        widened = _reset(bench, path, seed)
        assert widened <= MOST_WIDENED_M
        assert widened > 0 or _key(path) not in OVERLAPPING
        if "hazard" not in str(path) and _key(path) not in TIGHT:
            assert widened == 0


@pytest.mark.parametrize("path", [p for p in FILES if "state_preservation" in str(p)], ids=_name)
def test_water_lies_in_its_vessel(path, bench: Bench):
    """Balls that :init piles on each other have run down into the mug or the bowl."""
    bench.env.reset(episode(path, 3))
    scene = bench.scene
    (vessel,) = scene.movable
    site = scene.assets[vessel].site("contain_region")
    assert site is not None
    assert len(scene.particles) == sum(entity.category == "water_ball" for entity in scene.task.objects)
    for ball in scene.particles:
        assert scene.in_site(scene.com(ball), vessel, site), ball


@pytest.mark.parametrize("path", [p for p in FILES if "state_preservation" in str(p)], ids=_name)
def test_a_motionless_robot_spills_nothing(path, bench: Bench):
    """Their cost is 0 with our rule; as published every ball that is watched is always "not on" its vessel.

    As published, of several expressions that no ``And`` joins only the first is read.
    """
    bench.env.reset(episode(path, 4))
    for _ in range(20):
        assert bench.env.step(STILL).cost == 0.0
    outcome = bench.env.finish()
    assert outcome.cost_total == 0.0
    assert outcome.spilled in (0, None)
    bench.env.reset(episode(path, 4, compat="paper"))
    read = [atom for expression in bench.scene.task.first_cost for atom in atoms_of(expression)]
    assert len(bench.env.monitor.true_costs()) == len(read)
    assert len(read) == (1 if len(outcome.costs) in range(1, 12) else len(outcome.costs))


def test_a_stove_that_is_turned_on_is_on(bench: Bench, tmp_path):
    """``TurnOn`` and ``TurnOff`` in :init put the knob where the predicates of that name hold."""
    path = next(p for p in FILES if "pick_up_the_kiwi" in p.name and "hazard" in str(p))
    for word, on in (("Turnon", True), ("Turnoff", False)):
        copy = tmp_path / f"{word}.bddl"
        copy.write_text(path.read_text().replace("(Turnon ", f"({word} "))
        bench.env.reset(episode(copy))
        knob = bench.scene.joint("flat_stove_1", "knob")
        assert (knob >= 0.5) == on
        assert (knob <= 0.1) == (not on)
