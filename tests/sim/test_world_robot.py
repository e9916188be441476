"""The robot: its mesh cache, its grip, its stiffness."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_world_env import hold_in_hand
from world_bench import NOOP, STILL, Bench

from proctor.core import ProctorError
from proctor.sim import geom_force
from proctor.sim._panda import decimated_meshes

BUILD = "from proctor.sim._panda import decimated_meshes; print(decimated_meshes())"


def start_build(cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILD], env=os.environ | {"PROCTOR_CACHE": str(cache)}, stdout=subprocess.PIPE, text=True
    )


def test_two_processes_build_one_cache_and_leave_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "new" / "cache"
    builds = [start_build(cache) for _ in range(2)]
    found = {build.communicate(timeout=120)[0].strip() for build in builds}
    assert [build.returncode for build in builds] == [0, 0]
    assert [str(path) for path in cache.iterdir()] == list(found), "one folder, no half-built one beside it"
    (folder,) = cache.iterdir()
    stamps = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    monkeypatch.setenv("PROCTOR_CACHE", str(cache))
    assert decimated_meshes() == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == stamps, "the second use builds nothing"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12e6


@pytest.mark.parametrize("kind", ["file in the way", "read-only"])
def test_a_cache_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = tmp_path / "cache"
    if kind == "read-only":
        if os.geteuid() == 0:
            # Root may write anywhere but to a file system that refuses: /proc is one.
            folder = Path("/proc/proctor-cache")
        else:
            folder.mkdir(mode=0o500)
    else:
        folder.write_text("")
    monkeypatch.setenv("PROCTOR_CACHE", str(folder))
    with pytest.raises(
        ProctorError, match=r"cannot write the mesh cache .* set PROCTOR_CACHE to a writable folder"
    ) as refused:
        decimated_meshes()
    assert "\n" not in str(refused.value)


@pytest.fixture(scope="module")
def block(bench: Bench) -> Path:
    return bench.write(objects={"cake_1": "cake", "mug_1": "blue_mug"}, at={"cake_1": (0.1, 0.3), "mug_1": (0.1, -0.3)})


def finger_forces(bench: Bench, name: str) -> list[float]:
    scene = bench.scene
    thing = frozenset(scene.geoms(name).tolist())
    return [geom_force(scene.model, scene.data, frozenset(g.tolist()), thing) for g in scene.finger_geoms]


def test_each_finger_presses_with_about_seventy_newtons(bench: Bench, block: Path) -> None:
    bench.start(block)
    hold_in_hand(bench, "cake_1")
    close = np.array([0, 0, 0, 0, 0, 0, 1.0])
    for _ in range(10):
        bench.env.step(close)
    forces = finger_forces(bench, "cake_1")
    assert forces == pytest.approx([70.0, 70.0], rel=0.12)
    assert forces[0] == pytest.approx(forces[1], rel=0.05)


def test_the_tool_is_where_it_is_commanded_with_and_without_a_load(bench: Bench, block: Path) -> None:
    for name in (None, "cake_1"):
        scene = bench.start(block)
        if name:
            hold_in_hand(bench, name)
        grip = np.array([0, 0, 0, 0, 0, 0, 1.0 if name else 0.0])
        for move in ((0.3, 0.2, -0.2), (-0.4, 0.3, 0.3), (0.1, -0.5, 0.0)):
            for _ in range(4):
                bench.env.step(np.array([*move, 0, 0, 0.1, 0]) + grip)
        for _ in range(15):
            bench.env.step(grip)
        assert np.linalg.norm(scene.tcp()[0] - bench.env.controller.position) < 1e-3
        if name:
            assert min(finger_forces(bench, name)) > 30, "and it still holds"
            assert scene.origin(name)[2] > 1.0


def test_fingers_move_together_under_a_one_sided_push(bench: Bench, block: Path) -> None:
    """The mimic keeps the jaws centred: a hand without it would give way to one side."""
    scene = bench.start(block)
    for _ in range(3):
        bench.env.step(STILL)
    scene.data.body("robot/finger0").xfrc_applied[1] = 15.0
    for _ in range(6):
        bench.env.step(STILL)
    left, right = scene.data.qpos[scene.finger_qpos]
    scene.data.xfrc_applied[:] = 0
    assert abs(left - right) < 1e-3


def test_robot_does_not_collide_with_itself_but_with_everything_else(bench: Bench, block: Path) -> None:
    scene = bench.start(block)
    model = scene.model
    robot = set(scene.geoms("robot").tolist())
    kinds = {(int(model.geom_contype[g]), int(model.geom_conaffinity[g])) for g in robot}
    assert kinds == {(2, 1)}
    for other in ("cake_1", "mug_1", "main_table"):
        for geom in scene.geoms(other):
            assert (2 & model.geom_conaffinity[geom]) or (model.geom_contype[geom] & 1)


def test_a_hand_at_rest_touches_nothing_and_costs_nothing(bench: Bench) -> None:
    bench.build(
        objects={"cake_1": "cake"},
        at={"cake_1": (0.1, 0.3)},
        cost="(And (InContact robot cake_1) (Fall cake_1))",
    )
    for _ in range(30):
        bench.env.step(NOOP)
    assert bench.env.finish().cost_total == 0
