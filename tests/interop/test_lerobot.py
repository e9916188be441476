"""LeRobot 0.4.4 for real, in its own environment: its policies examined by us, our tasks run by its evaluator.

The models have random weights. What is compared is not skill but numbers: the actions that reach the simulated arm
through adapter, server, wire and rollout against those of LeRobot's ``select_action`` driven as LeRobot drives it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proctor.results import read_episodes

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
VENV = Path(os.environ.get("PROCTOR_LEROBOT_VENV", ROOT / ".venv-lerobot"))
TASK = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"
SEED, STEPS = 5, 10
KINDS = ("act", "ensemble", "diffusion", "smolvla", "xvla")
# One batch against several is a matter of rounding in float32; one step of a denoiser more or less is not.
ROUNDING = 1e-5


def environment() -> dict[str, str]:
    offline = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl")}
    return {**os.environ, **offline, "PYTHONPATH": str(ROOT / "src")}


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python() -> Path:
    if not (VENV / "bin" / "python").exists():
        pytest.skip(f"LeRobot's environment {VENV} is missing: run `make lerobot`, or set PROCTOR_LEROBOT_VENV")
    return VENV / "bin" / "python"


@pytest.fixture(scope="module")
def checkpoints(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoints")
    run(python, HERE / "lerobot_checkpoints.py", folder, *KINDS)
    return folder


@pytest.fixture(scope="module")
def oracle(python: Path, checkpoints: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracle")
    expert = folder / "expert"
    proctor("run", TASK, "--policy", "expert", "--episodes", "1", "--seed", SEED, "--record-steps", "--out", expert)
    (steps,) = (expert / "steps").iterdir()
    run(python, HERE / "lerobot_oracle.py", checkpoints, TASK, str(SEED), str(STEPS), steps, folder)
    return folder


@pytest.fixture(scope="module")
def found(oracle: Path) -> dict[str, Any]:
    return json.loads((oracle / "compare.json").read_text())  # type: ignore[no-any-return]


def proctor(*arguments: object) -> str:
    return run(sys.executable, "-m", "proctor", *map(str, arguments))


@pytest.mark.parametrize("kind", KINDS)
def test_each_session_gets_what_lerobot_gives_a_lone_episode(found: dict[str, Any], kind: str) -> None:
    result = found[kind]
    assert result["worst"] < ROUNDING
    # Not for want of anything to tell apart: over steps, and between sessions, the answers differ a lot more.
    assert min(result["spread"], result["across"]) > 100 * ROUNDING


def test_a_chunk_is_as_long_as_the_policy_looks_ahead_without_looking_back(found: dict[str, Any]) -> None:
    assert {kind: found[kind]["spec"]["chunk"] for kind in KINDS} == {
        "act": 4,
        "smolvla": 4,
        "xvla": 4,
        "ensemble": 1,
        "diffusion": 1,
    }


def test_steps_of_xvla_add_up_to_its_poses(found: dict[str, Any]) -> None:
    assert found["reached"]["error"] < ROUNDING
    assert found["reached"]["far"] == 1.0
    assert found["reached"]["state"] < ROUNDING


def test_lerobots_rollout_sees_success_and_failure(found: dict[str, Any]) -> None:
    """The expert's actions solve the layout they were recorded on, not another one."""
    solved, other = found["evaluated"]["success"]
    assert solved
    assert not other


def serve_command(kind: str, python: Path, folder: Path) -> list[str | Path]:
    """ACT from the installed package; SmolVLA from the single file that a model's own environment would be given."""
    if kind == "act":
        return [python, "-m", "proctor", "serve", "proctor.policies.adapters.act:ACT"]
    file = folder / "smolvla_server.py"
    file.write_text(proctor("serve", "--template", "smolvla"))
    assert "import proctor" not in file.read_text()
    assert "from proctor" not in file.read_text()
    return [python, file]


@pytest.fixture(params=["act", "smolvla"])
def server(
    request: pytest.FixtureRequest, python: Path, checkpoints: Path, tmp_path: Path
) -> Iterator[tuple[str, str]]:
    kind = request.param
    command = [*serve_command(kind, python, tmp_path), "--port", "0"]
    option = "--policy-arg" if kind == "act" else "--arg"
    for argument in (f"checkpoint={checkpoints / kind}", "trained_on=proctor", "mirror=true"):
        command += [option, argument]
    ready = tmp_path / "ready"
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [*map(str, command), "--ready-file", str(ready)], env=environment(), stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + 300
        while not ready.exists():
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < deadline, (tmp_path / "log").read_text()
            time.sleep(0.1)
        yield kind, ready.read_text().strip()
    finally:
        process.kill()
        process.wait()


def test_a_served_policy_moves_the_arm_as_lerobot_would(server: tuple[str, str], oracle: Path, tmp_path: Path) -> None:
    kind, url = server
    out = tmp_path / "run"
    options = ("--episodes", 2, "--seed", SEED, "--max-steps", STEPS, "--record-steps", "--out", out)
    proctor("run", TASK, "--policy", url, *options)
    rows = read_episodes(out)
    assert {row.status for row in rows} == {"completed"}
    (first,) = [row for row in rows if row.spec.episode == 0]
    actions = np.load(out / "steps" / f"{first.episode_id}.npz")["actions"]
    expected = np.load(oracle / f"{kind}.npz")["actions"]
    assert len(actions) == STEPS
    np.testing.assert_allclose(actions, expected, atol=10 * ROUNDING)
    assert np.abs(expected).max() > 0.05


def test_lerobot_eval_runs_a_task(checkpoints: Path, python: Path, tmp_path: Path) -> None:
    out = tmp_path / "eval"
    run(
        python.with_name("lerobot-eval"),
        f"--policy.path={checkpoints / 'act'}",
        "--policy.device=cpu",
        "--env.discover_packages_path=proctor.run.gym.lerobot",
        "--env.type=proctor",
        f"--env.task={TASK}",
        "--env.cameras={agentview: image, wrist: wrist_image}",
        "--env.image_size=64",
        f"--env.episode_length={STEPS}",
        "--eval.n_episodes=2",
        "--eval.batch_size=2",
        f"--output_dir={out}",
    )
    info = json.loads((out / "eval_info.json").read_text())
    assert info["overall"]["n_episodes"] == 2
    assert info["per_task"][0]["metrics"]["successes"] == [False, False]
    assert len(list(out.rglob("*.mp4"))) == 2
