"""``proctor run`` and ``proctor ls`` as a user meets them: message, exit code, and what is left on disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from proctor.results import read_episodes, read_history
from proctor.tasks.suites import builtin_suites

POINT_WORLD = Path(__file__).parents[1] / "run" / "engine"
PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]
FAST = ["--env", "point_world:PointEnv"]
GO = ["--policy", "point_world:GoPolicy", *FAST]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a suite ``kitchen`` of three tasks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(POINT_WORLD), prepend=os.pathsep)
    monkeypatch.setenv("COLUMNS", "120")
    source = next(suite.folder for suite in builtin_suites() if suite.name == "arena/static_obstacles")
    for level, count in (("L0", 2), ("L1", 1)):
        (tmp_path / "kitchen" / level).mkdir(parents=True)
        for file in sorted((source / level).iterdir())[:count]:
            shutil.copy(file, tmp_path / "kitchen" / level)
    return tmp_path


def proctor(*args: str | Path, **more) -> subprocess.CompletedProcess:
    return subprocess.run([*PROCTOR, *map(str, args)], capture_output=True, text=True, timeout=120, **more)


def mistake(*args: str | Path, says: str, **more) -> str:
    """Run a command that must fail with exit code 2 and one line on stderr."""
    done = proctor(*args, **more)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr
    return done.stderr


def test_a_run_its_table_its_resumption_and_its_extension(here):
    first = proctor("run", "./kitchen", *GO, "-n", "4", "-w", "2", "--seed", "7", "--out", "runs/x")
    assert first.returncode == 0, first.stderr
    assert "12/12" in first.stdout
    assert "success 12/12 (76–100 %)" in first.stdout
    assert "kitchen   L0" in first.stdout
    rows = read_episodes("runs/x")
    assert len(rows) == 12
    assert {r.language.sent for r in rows} == {r.language.instruction for r in rows}
    assert all(r.spec.task.startswith("kitchen/L") and r.spec.task.endswith("@v1") for r in rows)
    again = proctor("run", "./kitchen", *GO, "-n", "4", "-w", "1", "--seed", "7", "--out", "runs/x")
    assert again.returncode == 0
    assert "12 already on record" in again.stdout
    assert read_history("runs/x") == rows
    more = proctor("run", "./kitchen", *GO, "-n", "5", "--seed", "7", "--out", "runs/x")
    assert more.returncode == 0
    assert len(read_episodes("runs/x")) == 15
    assert len(read_history("runs/x")) == 15
    run = json.loads(Path("runs/x/run.json").read_text())
    assert run["arguments"]["episodes"] == 5
    assert run["command"][:3] == ["proctor", "run", "./kitchen"]


def test_default_folder_levels_limit_and_step_limit(here):
    done = proctor("run", "kitchen", *GO, "-n", "2", "--levels", "l0", "--limit", "3", "--max-steps", "5")
    assert done.returncode == 0
    rows = read_episodes("runs/kitchen-point_world_GoPolicy-0")
    assert [(r.spec.level, r.outcome.steps, r.outcome.success) for r in rows] == [("L0", 5, False)] * 3


@pytest.mark.parametrize(
    ("how", "says"),
    {
        "nan": "act() at step 3 returned nan in action 0, dimension 2",
        "shape": "act() at step 3 returned shape (6,), expected (7,)",
        "range": "act() at step 3 returned 1.5 in action 0, dimension 0, outside [-1, 1]",
        "raise": "act() at step 3 raised ValueError: bad luck",
        "sleep": "act() at step 3 gave nothing within 1 s",
    }.items(),
)
def test_errors_give_exit_code_1_and_are_shown_beside_the_successes(here, how, says):
    done = proctor(
        "run", "kitchen", *FAST, "--policy", "point_world:BadPolicy", "--policy-arg", f"how={how}", "-n", "2",
        "--policy-timeout", "1", "--out", "runs/x",
    )  # fmt: skip
    assert done.returncode == 1
    assert f"policy_error ×3: {says}" in done.stdout
    assert "3/3" in done.stdout
    assert done.stderr == ""
    rows = read_episodes("runs/x")
    assert len(rows) == 6
    assert all(row.outcome.success and row.outcome.trajectory_hash for row in rows if row.status == "completed")
    assert sum(row.status == "completed" for row in rows) == 3


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["kitchn", *GO], "unknown suite or task 'kitchn'"),
        (["arena/static_obstacle", *GO], "did you mean 'arena/static_obstacles'?"),
        (["missing.cbddl", *GO], "missing.cbddl: no such file or folder"),
        (["kitchen", *GO, "--levels", "L0,L9"], "no selected task has level 'L9' (there are L0, L1)"),
        (["kitchen", *FAST, "--policy", "exprt"], "unknown policy 'exprt'"),
        (["kitchen", *FAST, "--policy", "nowhere_mod:P"], "there is no module 'nowhere_mod'"),
        (["kitchen", *FAST, "--policy", "point_world:GoPolici"], "did you mean 'GoPolicy'?"),
        (["kitchen", *FAST, "--policy", "point_world:HOLD"], "is a int: name a class or a function"),
        (
            ["kitchen", *GO, "--policy-arg", "cameras=roof"],
            "needs camera 'roof', environment 'point' has agentview, wrist",
        ),
        (["kitchen", *GO, "--policy-arg", "oops"], "--policy-arg 'oops': write key=value"),
        (["kitchen", *GO, "--episodes", "0"], "--episodes is 0"),
        (["kitchen", *GO, "--workers", "0"], "--workers is 0"),
        (["kitchen", *GO, "--max-steps", "0"], "--max-steps is 0"),
        (["kitchen", *GO, "--policy-timeout", "0"], "--policy-timeout is 0"),
        (["kitchen", *GO, "--video", "all", "--video-cameras", "roof"], "no camera 'roof' for the video"),
        (["kitchen", "--policy", "noop", "--env", "point_world:PontEnv"], "did you mean 'PointEnv'?"),
    ],
)
def test_mistakes_are_one_line_with_exit_code_2_and_leave_no_folder(here, args, says):
    mistake("run", *args, "--out", "runs/x", says=says)
    assert not Path("runs/x").exists()


def test_a_broken_task_is_reported_with_its_place_before_anything_runs(here):
    file = here / "kitchen" / "L1" / "zz.cbddl"
    file.write_text("(define (problem Tabletop)\n  (:domain robosuite)\n  (:language Do it\n")
    text = mistake("run", "kitchen", *GO, "--out", "runs/x", says=f"{file}:")
    place = text.removeprefix(f"error: {file}:").split(":")
    assert place[0].isdigit()
    assert place[1].isdigit()
    assert not Path("runs/x").exists()


def test_a_folder_of_another_run_is_refused_by_the_argument_that_differs(here):
    assert proctor("run", "kitchen", *GO, "-n", "1", "--out", "x").returncode == 0
    before = Path("x/episodes.jsonl").read_bytes()
    for change, says in (
        (["--seed", "1"], "--seed was 0 and is now 1"),
        (["--success", "any_step"], "--success was 'hold' and is now 'any_step'"),
        (["--max-steps", "9"], "--max-steps was 300 and is now 9"),
        (["--policy-arg", "chunk=2"], "--policy-arg was {} and is now {'chunk': 2}"),
    ):
        mistake("run", "kitchen", *GO, "-n", "1", "--out", "x", *change, says=says)
    file = next((here / "kitchen" / "L0").iterdir())
    file.write_text(file.read_text().replace("(:language ", "(:language Please "))
    mistake("run", "kitchen", *GO, "-n", "1", "--out", "x", says="has changed since")
    assert Path("x/episodes.jsonl").read_bytes() == before


@pytest.fixture
def small_disk(here):
    """A file system of 128 KiB, made read-only on request."""
    (here / "disk").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(here / "disk")]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    yield here / "disk"
    subprocess.run(["umount", "-l", str(here / "disk")], check=True)


def test_a_full_disk_is_one_line_and_finished_episodes_are_intact(here, small_disk):
    command = ["run", "kitchen", *GO, "-n", "60", "--out", small_disk / "x"]
    done = proctor(*command)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr
    assert "run the same command again" in done.stderr
    kept = read_episodes(small_disk / "x")
    assert 20 < len(kept) < 180
    assert {r.status for r in kept} == {"completed"}
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert proctor(*command).returncode == 0
    assert read_history(small_disk / "x")[: len(kept)] == kept
    assert len(read_history(small_disk / "x")) == 180


def test_a_disk_full_of_films_stops_the_run_with_one_line(here, small_disk):
    subprocess.run(["mount", "-o", "remount,size=64k", str(small_disk)], check=True)
    command = ["run", "kitchen", *GO, "-n", "30", "--video", "all", "--out", small_disk / "x"]
    mistake(*command, says="No space left on device")
    kept = read_episodes(small_disk / "x")
    assert kept
    assert all(r.status == "completed" and (small_disk / "x" / r.files.video).stat().st_size > 500 for r in kept)
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    assert proctor(*command).returncode == 0
    assert len(read_history(small_disk / "x")) == 90
    assert len(list((small_disk / "x" / "videos").iterdir())) == 90


def test_a_read_only_folder_is_one_line(here, small_disk):
    assert proctor("run", "kitchen", *GO, "-n", "1", "--out", small_disk / "x").returncode == 0
    before = read_episodes(small_disk / "x")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for folder in ("x", "new"):
        says = f"cannot write to {small_disk / folder}: Read-only file system"
        mistake("run", "kitchen", *GO, "-n", "2", "--out", small_disk / folder, says=says)
    assert read_episodes(small_disk / "x") == before


def _start(*args: str | Path, rows: int) -> subprocess.Popen:
    process = subprocess.Popen([*PROCTOR, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    file = Path(args[args.index("--out") + 1]) / "episodes.jsonl"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (file.exists() and file.read_bytes().count(b"\n") >= rows):
        time.sleep(0.01)
    return process


def test_ctrl_c_says_how_to_go_on_and_a_second_run_is_turned_away_meanwhile(here):
    command = ["run", "kitchen", *GO, "-n", "40", "--out", "x", "--env-arg", "step_s=0.003"]
    process = _start(*command, rows=2)
    mistake(*command, says=f"x is in use by process {process.pid}")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    rows = read_episodes("x")
    assert err == f"interrupted: {len(rows)} of 120 episodes are kept in x; run the same command again to go on\n"
    assert "success" in out
    assert 2 <= len(rows) < 120


def test_ls_lists_suites_and_tasks(here):
    names = {item["suite"] for item in json.loads(proctor("ls", "--json").stdout)}
    assert names == {suite.name for suite in builtin_suites()}
    assert all(name in proctor("ls").stdout for name in names)
    tasks = json.loads(proctor("ls", "kitchen", "--json").stdout)
    assert [t["level"] for t in tasks] == ["L0", "L0", "L1"]
    assert all(t["instruction"] and Path(t["path"]).is_file() for t in tasks)
    table = proctor("ls", "kitchen").stdout
    assert all(Path(t["path"]).stem in table for t in tasks)
    mistake("ls", "arena/long_horizn", says="did you mean 'arena/long_horizon'?")


def test_video_and_replay_by_the_command_line(here):
    films = proctor("run", "kitchen", *GO, "-n", "1", "--out", "a", "--video", "all", "--record-steps")
    assert films.returncode == 0
    rows = {r.pair_id: r for r in read_episodes("a")}
    assert all((Path("a") / r.files.video).stat().st_size > 500 for r in rows.values())
    again = proctor("run", "kitchen", *FAST, "--policy", "replay:path=a", "-n", "1", "--out", "b")
    assert again.returncode == 0, again
    assert {r.pair_id: r.outcome.trajectory_hash for r in read_episodes("b")} == {
        k: r.outcome.trajectory_hash for k, r in rows.items()
    }
