"""Records as datasets, read back; demonstrations by leader arm and keyboard; the commands."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from trial_policies import Wave

from proctor.core import EpisodeSpec, Observation
from proctor.station.arm import (
    JOINTS,
    Bus,
    JointVector,
    So101Arm,
    Unit,
    convert,
    load_unit,
    parse_calibration,
    save_calibration,
)
from proctor.station.camera import TwinCamera
from proctor.station.export import ExportError, export_lerobot, film_frames, load_rollout, load_rollouts
from proctor.station.trial import KEYS, Keyboard, LeaderArm, Runner, Trial, read_meta
from proctor.station.twin import Twin


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trials of the wave, recorded on the twin."""
    folder = tmp_path_factory.mktemp("session")
    with Twin(seed=4) as twin:
        numbers = twin.calibrate()
        cameras = [TwinCamera(twin, "top", 96), TwinCamera(twin, "wrist", 64)]

        def connect() -> So101Arm:
            return So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers)

        with Runner(
            connect, cameras, lambda _: Wave(), folder / "trials", silent_s=8.0, camera_hz=8.0, fps=8.0
        ) as runner:
            for name, words in (("t1", "wave"), ("t2", "wave again")):
                runner.start(Trial(name, "a", words, time_cap_s=1.2))
                result = runner.wait(60.0)
                assert result is not None
                assert result.status == "completed"
    return folder


@pytest.mark.parametrize("pictures", ["video", "image"])
def test_a_dataset_holds_what_was_recorded(session: Path, tmp_path: Path, pictures: str) -> None:
    rollouts = load_rollouts(session)
    frames = export_lerobot(rollouts, tmp_path / "out", pictures=pictures)  # type: ignore[arg-type]
    info = json.loads((tmp_path / "out/meta/info.json").read_text())
    assert info["total_frames"] == frames == sum(r.span()[1] - r.span()[0] for r in rollouts)
    assert (info["codebase_version"], info["total_episodes"], info["total_tasks"], info["fps"]) == ("v3.0", 2, 2, 8)
    table = pq.read_table(tmp_path / "out/data/chunk-000/file-000.parquet").to_pylist()
    assert [row["index"] for row in table] == list(range(frames))
    second = [row for row in table if row["episode_index"] == 1]
    telemetry, first = rollouts[1].telemetry, rollouts[1].span()[0]
    for number, row in enumerate(second):
        at = (first + number) / 8
        seen = np.flatnonzero(telemetry["measured_s"] <= at + 1e-9)[-1]
        told = np.flatnonzero(telemetry["time_s"] <= at + 1 / 8 + 1e-9)[-1]
        assert row["observation.state"] == pytest.approx([telemetry[f"measured.{j}"][seen] for j in JOINTS], abs=1e-4)
        assert row["action"] == pytest.approx([telemetry[f"command.{j}"][told] for j in JOINTS], abs=1e-4)
    states = np.array([row["observation.state"] for row in table])
    stats = json.loads((tmp_path / "out/meta/stats.json").read_text())
    assert stats["observation.state"]["mean"] == pytest.approx(states.mean(0), abs=1e-4)
    assert stats["observation.state"]["std"] == pytest.approx(states.std(0), abs=1e-4)
    assert np.shape(stats["observation.images.top"]["mean"]) == (3, 1, 1)
    assert load_unit(tmp_path / "out").unit is Unit.TRUE_DEGREES
    if pictures == "video":
        film = tmp_path / "out/videos/observation.images.top/chunk-000/file-000.mp4"
        written = list(film_frames(film))
        assert len(written) == frames
        source = list(film_frames(rollouts[1].folder / "top.mp4"))[first]
        assert np.abs(written[frames - len(second)].astype(int) - source).mean() < 4.0


def test_another_unit_is_the_same_pose(session: Path, tmp_path: Path) -> None:
    rollouts = load_rollouts(session, ["t1"])
    export_lerobot(rollouts, tmp_path / "true")
    export_lerobot(rollouts, tmp_path / "range", unit=Unit.LEROBOT_RANGE)
    a, b = (
        pq.read_table(tmp_path / name / "data/chunk-000/file-000.parquet")["action"].to_pylist()
        for name in ("true", "range")
    )
    numbers = parse_calibration(json.dumps(rollouts[0].meta["calibration"]))
    for true, ranged in zip(a, b, strict=True):
        wanted = convert(JointVector(tuple(true), Unit.TRUE_DEGREES), numbers, Unit.LEROBOT_RANGE).values
        assert ranged == pytest.approx(wanted, abs=1e-3)
    assert load_unit(tmp_path / "range").unit is Unit.LEROBOT_RANGE


def test_what_cannot_be_exported_is_refused(session: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="holds no trials"):
        load_rollouts(tmp_path)
    with pytest.raises(ExportError, match="no trial 't9'"):
        load_rollouts(session, ["t9"])
    shutil.copytree(session, tmp_path / "copy")
    for name in ("t1", "t2"):
        meta = tmp_path / f"copy/trials/{name}/meta.json"
        meta.write_text(json.dumps({**json.loads(meta.read_text()), "status": "policy_error"}))
    with pytest.raises(ExportError, match="--all"):
        load_rollouts(tmp_path / "copy")
    meta.write_text(json.dumps({**json.loads(meta.read_text()), "fps": 9.0}))
    with pytest.raises(ExportError, match="fps"):
        export_lerobot(load_rollouts(tmp_path / "copy", every=True), tmp_path / "out")
    assert not list(tmp_path.glob("*out*"))
    (tmp_path / "out").mkdir()
    with pytest.raises(ExportError, match="exists"):
        export_lerobot(load_rollouts(session), tmp_path / "out")


def test_the_command_exports(session: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "proctor", "station", "export", str(session), "--out", str(tmp_path / "out")]
    done = subprocess.run([*command, "--trial", "t1"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 trials" in done.stdout
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "exists" in again.stderr
    assert "Traceback" not in again.stderr


def nothing(state: np.ndarray) -> Observation:
    return Observation({}, state, "", 0)


def test_keys_move_one_joint_each() -> None:
    typed = [""]
    keyboard = Keyboard(lambda: typed[0])
    for key, (index, sign) in KEYS.items():
        typed[0] = ""
        keyboard.reset("", EpisodeSpec("", "", "", "", 0, 0, "", ""))
        keyboard.act(nothing(np.zeros(6)))
        typed[0] = f"{key}?{key}"
        moved = keyboard.act(nothing(np.full(6, 99.0)))
        assert moved[index] == 6 * sign
        assert np.count_nonzero(moved) == 1


def test_a_leader_arm_is_followed_and_recorded(tmp_path: Path) -> None:
    """Two arms with different zero marks: the body joints agree in degrees, the gripper by its share of the sweep."""
    with Twin(seed=5) as hand, Twin(seed=6) as twin:
        save_calibration(hand.calibrate(), tmp_path / "leader.json")
        save_calibration(twin.calibrate(), tmp_path / "follower.json")
        hand.hand({"shoulder_pan": 15.0, "elbow_flex": 60.0, "gripper": 40.0})
        command = [sys.executable, "-m", "proctor", "station", "teleop", "--leader", hand.port, "--follower", twin.port]
        command += [
            "--leader-calibration",
            str(tmp_path / "leader.json"),
            "--calibration",
            str(tmp_path / "follower.json"),
        ]
        command += ["--out", str(tmp_path / "demos"), "--instruction", "follow me", "--seconds", "300"]
        master, slave = pty.openpty()
        with subprocess.Popen(
            command, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                end = time.monotonic() + 60
                until_near(twin, {"shoulder_pan": 15.0, "elbow_flex": 60.0, "gripper": 40.0}, process, end)
                hand.hand({"shoulder_pan": -20.0, "gripper": 10.0})
                until_near(twin, {"shoulder_pan": -20.0, "elbow_flex": 60.0, "gripper": 10.0}, process, end)
                os.write(master, b"x")
                said, problem = process.communicate(timeout=60)
            finally:
                process.kill()
    assert process.returncode == 0, problem
    assert "completed" in said
    (folder,) = (tmp_path / "demos/trials").iterdir()
    assert read_meta(folder)["instruction"] == "follow me"
    assert load_rollout(folder).telemetry["measured.shoulder_pan"].min() < -15.0


def until_near(twin: Twin, wanted: dict[str, float], process: subprocess.Popen[str], end: float) -> None:
    while any(abs(twin.joints_deg()[joint] - angle) > 2.0 for joint, angle in wanted.items()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, twin.joints_deg()
        threading.Event().wait(0.05)


def test_a_leader_arm_without_its_calibration_is_refused(tmp_path: Path) -> None:
    with Twin(seed=6, speed=0) as twin:
        save_calibration(twin.calibrate(), tmp_path / "follower.json")
        numbers = twin.true_calibration()
        with So101Arm(Bus.open(twin.port, timeout_s=5.0), numbers) as arm:
            pose = LeaderArm(arm, numbers).pose()
            assert pose.values == pytest.approx(arm.position().values, abs=0.2)
            person = LeaderArm(arm, numbers, Unit.LEROBOT_DEGREES)
            assert person.spec().control_mode == "joint_lerobot_degrees_so101"
            said = person.act(Observation({}, np.zeros(6), "", 0))
            assert said == pytest.approx(arm.position(Unit.LEROBOT_DEGREES).values, abs=0.2)
        command = [sys.executable, "-m", "proctor", "station", "teleop", "--leader", twin.port, "--follower", twin.port]
        command += ["--calibration", str(tmp_path / "follower.json"), "--out", str(tmp_path / "demos")]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--leader-calibration" in done.stderr
