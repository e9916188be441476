"""``--vision`` and ``--instruction``: what a user writes, what the rows say, and what is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from proctor.results import read_episodes, read_parquet
from proctor.tasks.suites import builtin_suites

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]
POINT = ["--env", "point_world:PointEnv", "--policy", "point_world:GoPolicy"]
TASK = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a suite ``kitchen`` of two tasks and a suite ``lonely`` of one, on two levels."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "run" / "engine"), prepend=os.pathsep)
    source = next(suite.folder for suite in builtin_suites() if suite.name == "arena/static_obstacles")
    files = sorted((source / "L0").iterdir())
    for folder, file in (("kitchen/L0", 0), ("kitchen/L1", 1), ("lonely/L0", 0), ("lonely/L1", 0)):
        (tmp_path / folder).mkdir(parents=True)
        shutil.copy(files[file], tmp_path / folder)
    return tmp_path


def proctor(*args: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([*PROCTOR, *map(str, args)], capture_output=True, text=True, timeout=120)


def mistake(*args: str | Path, says: str) -> None:
    done = proctor(*args)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr


def test_the_rows_of_a_level_say_what_was_drawn(here):
    command = ["run", TASK, "--policy", "noop", "-n", "2", "--max-steps", "2"]
    for level in ("V0", "v4"):
        assert proctor(*command, "--vision", level).returncode == 0
    plain = read_episodes("runs/arena_static_obstacles_L0_pick_the_apple_and_place_it_on_the_plate-noop-0")
    folder = Path("runs/arena_static_obstacles_L0_pick_the_apple_and_place_it_on_the_plate-noop-0-V4")
    noisy = read_episodes(folder)
    assert all(row.vision.drawn == {} for row in plain)
    assert [row.vision.level for row in noisy] == ["V4", "V4"]
    drawn = [row.vision.drawn for row in noisy]
    assert drawn[0] != drawn[1]
    assert list(drawn[0])[:4] == ["brightness", "contrast", "saturation", "temperature_k"]
    assert list(drawn[0])[-4:] == ["camera_dx_m", "camera_dy_m", "camera_dz_m", "noise_variance"]
    assert drawn[0]["noise_variance"] == 0.085
    assert [row.spec.seed for row in noisy] == [row.spec.seed for row in plain]
    assert [row.outcome.trajectory_hash for row in noisy] == [row.outcome.trajectory_hash for row in plain]
    assert not {r.pair_id for r in noisy} & {r.pair_id for r in plain}
    assert not {r.episode_id for r in noisy} & {r.episode_id for r in plain}
    assert read_parquet(folder / "episodes.parquet") == noisy
    mistake(*command, "--vision", "V3", "--out", folder, says="--vision was 'V4' and is now 'V3'")
    again = ["--vision", "V4", "--out", folder, "--env-arg", "noise_variance=0.05"]
    mistake(*command[:3], "noop", "-n", "3", "--max-steps", "2", *again, says="another noise_variance")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--vision", "V7"], "unknown --vision 'V7' (there are V0, V1, V2, V3, V4); did you mean"),
        (["--vision", "V3"], "environment 'point' cannot show --vision V3 (it has V0)"),
    ],
)
def test_a_level_that_cannot_be_shown_is_one_line(here, args, says):
    mistake("run", "kitchen", *POINT, *args, "--out", "x", says=says)
    assert not Path("x").exists()


def test_no_instruction_and_a_wrong_one(here):
    sent = {}
    for kind in ("correct", "none", "wrong"):
        done = proctor("run", "./kitchen", *POINT, "-n", "2", "--instruction", kind, "--out", kind)
        assert done.returncode == 0, done.stderr
        rows = read_episodes(kind)
        assert {row.language.variant for row in rows} == {"W0" if kind == "correct" else kind}
        sent[kind] = {(row.spec.task, row.spec.episode): row.language.sent for row in rows}
        own = {row.spec.task: row.language.instruction for row in rows}
    assert len(set(own.values())) == 2
    assert all(text == own[task] for (task, _), text in sent["correct"].items())
    assert set(sent["none"].values()) == {""}
    assert all(text in own.values() and text != own[task] for (task, _), text in sent["wrong"].items())
    one_level = proctor(
        "run", "kitchen", *POINT, "-n", "2", "--instruction", "wrong", "--levels", "L0", "--out", "part"
    )
    assert one_level.returncode == 0, one_level.stderr
    whole = {row.episode_id for row in read_episodes("wrong")}
    assert {row.episode_id for row in read_episodes("part")} < whole


def test_a_suite_with_one_instruction_has_no_wrong_one(here):
    mistake(
        "run", "lonely", *POINT, "--instruction", "wrong", "--out", "x", says="suite lonely has only the instruction"
    )
    assert not Path("x").exists()


def test_render_shows_levels_side_by_side(here):
    done = proctor("render", TASK, "--vision", "V0,v2,V4", "--size", "48", "--out", "look.png")
    assert done.returncode == 0, done.stderr
    assert Image.open("look.png").size == (3 * 48, 48)
    mistake("render", TASK, "--vision", "V0,V8", "--out", "x.png", says="unknown vision level 'V8'")
