"""A LeRobot checkpoint for an SO-101 on the bench: what it says is what LeRobot says, in its unit, to the joint.

The weights are noise. Compared are numbers: the chunk through adapter, server, wire and policy process against
LeRobot's own, and the arm's goals in LeRobot's degrees against the servos' ticks.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from proctor.core import EpisodeSpec, Observation
from proctor.policies import load_policy
from proctor.station.arm import JOINTS, Bus, So101Arm, Unit
from proctor.station.camera import PolicyViewCamera, TwinCamera
from proctor.station.trial import PolicyFaultError, Runner, Trial
from proctor.station.twin import Twin

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
VENV = Path(os.environ.get("PROCTOR_LEROBOT_VENV", ROOT / ".venv-lerobot"))
PYTHON = VENV / "bin" / "python"
LOOKS = 3
UNIT = Unit.LEROBOT_DEGREES


def environment() -> dict[str, str]:
    return {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a checkpoint, pictures and states, and LeRobot's answers to them."""
    if not PYTHON.exists():
        pytest.skip(f"LeRobot's environment {VENV} is missing: run `make lerobot`, or set PROCTOR_LEROBOT_VENV")
    folder = tmp_path_factory.mktemp("so101")
    rng = np.random.default_rng(3)
    pictures = {name: rng.integers(0, 256, (LOOKS, 48, 64, 3), dtype=np.uint8) for name in ("top", "wrist")}
    states = rng.normal([0, -60, 60, 30, 0, 50], 5.0, (LOOKS, 6))
    np.savez(folder / "seen.npz", state=states, **pictures)
    command = [PYTHON, HERE / "lerobot_bench_checkpoint.py", folder / "act", folder / "seen.npz", folder / "said.npz"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def serve(made: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [PYTHON, "-m", "proctor", "serve", "proctor.policies.adapters.act:ACT", "--port", "0"]
    command += ["--ready-file", made / "url", "--policy-arg", f"checkpoint={made / 'act'}"]
    command += [word for argument in arguments for word in ("--policy-arg", argument)]
    (made / "url").unlink(missing_ok=True)
    return subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def url(made: Path) -> Iterator[str]:
    process = serve(made, f"unit={UNIT}")
    try:
        deadline = time.monotonic() + 300
        while not (made / "url").exists():
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield (made / "url").read_text().strip()
    finally:
        process.kill()
        process.wait()


def test_its_chunks_are_lerobots_own(made: Path, url: str) -> None:
    seen, said = np.load(made / "seen.npz"), np.load(made / "said.npz")["chunks"]
    policy = load_policy(url, {})
    spec = policy.spec()
    assert (spec.control_mode, spec.state_dim, spec.action_dim) == ("joint_lerobot_degrees_so101", 6, 6)
    assert (set(spec.cameras), spec.image_size, spec.control_hz, spec.chunk) == ({"top", "wrist"}, 64, 30.0, 8)
    episode = EpisodeSpec("lab", "s", "", "", 0, seed=1, instruction="wave", policy=url)
    policy.reset("wave", episode)
    for row in range(LOOKS):
        # As the bench shows it: in a square, with bars.
        images = {name: np.pad(seen[name][row], ((8, 8), (0, 0), (0, 0))) for name in ("top", "wrist")}
        answer = policy.act(Observation(images, seen["state"][row], "wave", row))
        np.testing.assert_allclose(answer, said[row], atol=1e-3)
    assert np.ptp(said, axis=0).max() > 0.1, "other pictures, other answers"


def test_it_moves_the_twin_and_another_unit_is_refused(made: Path, url: str, tmp_path: Path) -> None:
    with Twin(seed=6) as twin:
        numbers = twin.calibrate()

        def runner(unit: Unit) -> Runner:
            cameras = [PolicyViewCamera(TwinCamera(twin, "top", 640)), TwinCamera(twin, "wrist", 64)]
            return Runner(
                lambda: So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers),
                cameras,
                lambda _: (url, {}),
                tmp_path / unit.value,
                unit=unit,
                silent_s=20.0,
                camera_hz=4.0,
                fps=4.0,
            )

        mismatch = r"joint_lerobot_degrees_so101.*joint_true_degrees_so101"
        with runner(Unit.TRUE_DEGREES) as wrong, pytest.raises(PolicyFaultError, match=mismatch):
            wrong.prepare(["a"])
        with runner(UNIT) as right:
            right.start(Trial("t1", "a", "wave", time_cap_s=4.0))
            result = right.wait(180)
            assert result is not None
            assert result.status == "completed", right.private()["error"]
            assert result.actions > 10
            assert right.private()["policy_calls"] >= 2
    meta = json.loads((tmp_path / UNIT.value / "t1" / "meta.json").read_text())
    assert [name for name in JOINTS if name not in meta["calibration"]] == []


@pytest.mark.parametrize(
    ("record", "argument", "line"),
    [
        (None, None, "does not say their unit"),
        (None, "unit=degrees", "no unit 'degrees'"),
        ('{"unit": "lerobot_range"}', "unit=lerobot_degrees", "says lerobot_range"),
        ('{"unit": "lerobot_range"}', "trained_on=proctor", "for checkpoints of LIBERO's arm"),
    ],
)
def test_a_unit_is_said_or_refused_never_guessed(
    made: Path, record: str | None, argument: str | None, line: str
) -> None:
    beside = made / "act" / "joint_unit.json"
    if record is not None:
        beside.write_text(record)
    try:
        process = serve(made, *([argument] if argument else []))
        _, said = process.communicate(timeout=300)
    finally:
        beside.unlink(missing_ok=True)
    assert process.returncode != 0
    assert line in said
    assert "Traceback" not in said
