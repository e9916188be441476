"""Pictures: upright, the right camera, repeatable; and one clear line where there is no OpenGL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from world_bench import Bench

from proctor.sim import CAMERAS, SceneError, SimEnv

SIZE = 128


@pytest.fixture(scope="module")
def scene_path(bench: Bench) -> Path:
    return bench.write(objects={"tomato_1": "tomato"}, at={"tomato_1": (0.0, 0.2)})


@pytest.fixture(autouse=True)
def _start(bench: Bench, scene_path: Path) -> None:
    bench.start(scene_path)


def pixel(bench: Bench, camera: str, point: np.ndarray, size: int = SIZE) -> tuple[float, float]:
    """Pinhole projection by hand: (row, column) of a world point."""
    scene = bench.scene
    number = scene.model.camera(CAMERAS[camera]).id
    frame = scene.data.cam_xmat[number].reshape(3, 3)
    x, y, z = frame.T @ (point - scene.data.cam_xpos[number])
    focal = 0.5 * size / np.tan(np.radians(scene.model.cam_fovy[number]) / 2)
    return size / 2 - focal * y / -z, size / 2 + focal * x / -z


def red_spot(bench: Bench, camera: str) -> tuple[float, float]:
    """Centre (row, column) of what a tomato changes in the picture."""
    with_it = bench.env.render(camera, SIZE, SIZE).astype(int)
    keep = bench.scene.data.joint("tomato_1/free").qpos.copy()
    bench.put("tomato_1", (0, 0, -5))
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    without = bench.env.render(camera, SIZE, SIZE).astype(int)
    bench.scene.data.joint("tomato_1/free").qpos[:] = keep
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    rows, columns = np.nonzero(np.abs(with_it - without).sum(axis=2) > 30)
    assert len(rows) > 10
    return float(rows.mean()) + 0.5, float(columns.mean()) + 0.5


@pytest.mark.parametrize("camera", ["agentview", "beauty", "side"])
@pytest.mark.parametrize("xy", [(0.1, 0.2), (-0.1, -0.2), (0.15, -0.1)])
def test_a_thing_is_where_the_pinhole_says(bench: Bench, camera: str, xy: tuple[float, float]) -> None:
    bench.stand("tomato_1", *xy)
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    want = pixel(bench, camera, bench.scene.com("tomato_1"))
    assert red_spot(bench, camera) == pytest.approx(want, abs=2.0)


def test_agentview_is_upright_and_faces_the_robot(bench: Bench) -> None:
    """Near the camera is low in the picture, the robot's left is right, and the arm comes from the top."""
    bench.stand("tomato_1", 0.2, 0.0)
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    near = red_spot(bench, "agentview")
    bench.stand("tomato_1", 0.2, 0.25)
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    left = red_spot(bench, "agentview")
    bench.stand("tomato_1", -0.2, -0.3)
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    far = red_spot(bench, "agentview")
    assert near[0] > far[0] + 20
    assert left[1] > near[1] + 20
    picture = bench.env.render("agentview", SIZE, SIZE).astype(int)
    bench.scene.data.qpos[bench.scene.arm_qpos[0]] = 1.2
    mujoco.mj_forward(bench.scene.model, bench.scene.data)
    rows, _ = np.nonzero(np.abs(picture - bench.env.render("agentview", SIZE, SIZE).astype(int)).sum(axis=2) > 40)
    assert np.median(rows) < SIZE * 0.55
    assert rows.min() < 4, "the arm leaves the picture at its upper edge"
    wood = picture[-12:].reshape(-1, 3).mean(axis=0)
    assert wood[0] > wood[2] + 20, "the lowest rows show the wooden table"


def test_the_wrist_sees_both_fingertips_left_and_right(bench: Bench) -> None:
    scene = bench.scene
    picture = bench.env.render("wrist", SIZE, SIZE).astype(int)
    columns = []
    for finger in range(2):
        tip = scene.data.geom_xpos[scene.model.geom(f"robot/pad{finger}").id]
        row, column = pixel(bench, "wrist", tip)
        columns.append(column)
        assert 0 <= row < SIZE
        assert 0 <= column < SIZE
        around = picture[int(row) - 2 : int(row) + 3, int(column) - 2 : int(column) + 3].mean(axis=2)
        assert around.min() < 90, "a dark pad is where it should be"
    assert (columns[0] - SIZE / 2) * (columns[1] - SIZE / 2) < 0
    tool = pixel(bench, "wrist", scene.tcp()[0])
    assert min(columns) < tool[1] < max(columns)
    assert 0 < tool[0] < SIZE, "and so is what lies between them"


def test_pictures_are_uint8_of_the_asked_size_and_repeat(bench: Bench) -> None:
    first = {camera: bench.env.render(camera, 48, 64) for camera in CAMERAS}
    assert all(picture.shape == (48, 64, 3) and picture.dtype == np.uint8 for picture in first.values())
    assert len({picture.tobytes() for picture in first.values()}) == len(CAMERAS), "each camera its own view"
    for size in (16, 32, 40, 80):
        bench.env.render("agentview", size, size)
    assert all(np.array_equal(bench.env.render(camera, 48, 64), picture) for camera, picture in first.items())
    observation = bench.env.observe(("wrist", "agentview"), 48)
    assert list(observation.images) == ["wrist", "agentview"]
    assert set(bench.env.spec().cameras) == set(CAMERAS)


def test_pictures_do_not_share_memory(bench: Bench) -> None:
    first = bench.env.render("agentview", 32, 32)
    kept = first.copy()
    bench.env.render("wrist", 32, 32)
    assert np.array_equal(first, kept)


def test_an_unknown_camera_gets_a_suggestion(bench: Bench) -> None:
    with pytest.raises(SceneError, match=r"no camera 'agent_view' .*did you mean 'agentview'"):
        bench.env.render("agent_view", 32, 32)


def test_after_close_an_environment_can_be_used_again(bench: Bench, scene_path: Path) -> None:
    env = SimEnv()
    other = Bench(env, scene_path.parent)
    other.start(scene_path)
    first = env.render("agentview", 32, 32)
    env.close()
    other.start(scene_path)
    assert np.array_equal(env.render("agentview", 32, 32), first)
    env.close()


RENDER = "import sys; from pathlib import Path; sys.argv = ['proctor', 'render', sys.argv[1], '--out', sys.argv[2]]; "
RENDER += "from proctor.cli import main; main()"


@pytest.mark.parametrize(
    "broken", [{"MUJOCO_GL": "garbage"}, {"MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "99"}, {"MUJOCO_GL": "off"}]
)
def test_without_opengl_there_is_one_clear_line(scene_path: Path, tmp_path: Path, broken: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RENDER, str(scene_path), str(tmp_path / "x.png")],
        env=os.environ | broken,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()
    assert len(last) == 1, done.stderr
    assert last[0].startswith("error: cannot ")
    assert f"MUJOCO_GL={broken['MUJOCO_GL']}" in last[0]
    assert "proctor doctor" in last[0]


def test_render_writes_a_sheet_of_tasks_and_layouts(scene_path: Path, tmp_path: Path) -> None:
    from PIL import Image
    from typer.testing import CliRunner

    from proctor.cli import app

    out = tmp_path / "deep" / "sheet.png"
    arguments = ["render", str(scene_path), "--out", str(out), "--layouts", "3", "--size", "32"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert Image.open(out).size == (96, 32)
    for wrong, message in ((["--size", "8"], "16 to 1024"), (["--layouts", "0"], "at least 1")):
        refused = CliRunner().invoke(app, ["render", str(scene_path), "--out", str(out), *wrong])
        assert message in str(refused.exception)
    refused = CliRunner().invoke(app, ["render", str(scene_path), "--out", str(tmp_path / "x.xyz"), "--size", "32"])
    assert "cannot write" in str(refused.exception)


def test_a_burner_glows_exactly_while_it_is_turned_on(bench: Bench) -> None:
    """Red where the burner is, at the start and after the knob was turned either way; the physics is not touched."""
    for first, then in (("TurnOn", 0.0), ("TurnOff", 1.2)):
        scene = bench.build(
            objects={"egg_1": "egg"},
            fixtures={"flat_stove_1": "flat_stove"},
            at={"egg_1": (-0.1, -0.25), "flat_stove_1": (0.0, 0.15)},
            init=f"({first} flat_stove_1)",
        )
        site = scene.assets["flat_stove_1"].site("cook_region")
        assert site is not None
        row, column = (round(v) for v in pixel(bench, "agentview", scene.site_frame("flat_stove_1", site)[0]))

        def redness(row: int = row, column: int = column) -> float:
            patch = bench.env.render("agentview", SIZE, SIZE)[row - 3 : row + 4, column - 3 : column + 4].astype(float)
            return float((patch[..., 0] - patch[..., 2]).mean())

        state = scene.data.qpos.copy()
        before = redness()
        assert np.array_equal(state, scene.data.qpos)
        bench.env.scene.data.joint("flat_stove_1/knob").qpos[0] = then
        after = redness()
        lit, dark = (before, after) if first == "TurnOn" else (after, before)
        assert lit > dark + 25, (first, lit, dark)
