"""Trials on the twin in real time, with policies in threads and processes: what goes wrong is held, marked, kept."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from trial_policies import Wave

from proctor.station.arm import JOINTS, Bus, Limits, LoopState, So101Arm
from proctor.station.camera import TwinCamera
from proctor.station.export import film_frames, frame_times, load_rollouts
from proctor.station.trial import Phase, PolicyFaultError, Runner, Trial, TrialError, TrialResult, read_meta, recover
from proctor.station.twin import Twin

HERE = Path(__file__).parent
PATIENCE_S = 60.0
FEW = tuple(itertools.product((0, 1), repeat=3))
# Beyond what a busy machine may delay an answer; the test of silence has the real half second.
UNHURRIED_S = 8.0


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


@pytest.fixture
def make(twin: Twin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Runner]]:
    monkeypatch.setenv("PYTHONPATH", f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    made = []

    def build(policy: Any, **more: Any) -> Runner:
        cameras = [TwinCamera(twin, "top", 96), TwinCamera(twin, "wrist", 64)]
        # The first picture compiles shaders, for longer than a camera may be silent when the machine is busy.
        for camera in cameras:
            camera.read()
        policies = policy if callable(policy) else lambda _: policy
        calibration = twin.true_calibration()

        def connect() -> So101Arm:
            return So101Arm(Bus.open(twin.port, timeout_s=2.0), calibration, Limits.uniform(110.0))

        settings = {"camera_hz": 8.0, "fps": 8.0, "silent_s": UNHURRIED_S, "secrets": tmp_path / "secret", **more}
        made.append(Runner(connect, cameras, policies, tmp_path / "trials", **settings))
        return made[-1]

    yield build
    for runner in made:
        runner.close()


def run(runner: Runner, name: str = "t1", cap_s: float = 1.0) -> TrialResult:
    runner.start(Trial(name, "arm-a", "wave", time_cap_s=cap_s))
    result = runner.wait(PATIENCE_S)
    assert result is not None
    return result


def rows(folder: Path, name: str = "t1") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / "trials" / name / "telemetry.parquet").to_pylist()
    return found


def test_a_trial_to_its_cap_is_recorded_on_one_clock(make: Callable[..., Runner], tmp_path: Path) -> None:
    runner = make(Wave())
    result = run(runner, cap_s=1.5)
    assert (result.status, result.ended_by) == ("completed", "cap")
    assert 1.5 <= result.duration_s < 1.5 + PATIENCE_S
    telemetry = rows(tmp_path)
    phases = [phase for phase, _ in itertools.groupby(row["phase"] for row in telemetry)]
    # The twin stands at home: the way there, and the loading before or after it, may be shorter than a cycle.
    assert phases[-2:] == ["running", "returning"]
    assert phases[:-2] in (["loading"] * first + ["homing"] * way + ["loading"] * second for first, way, second in FEW)
    running = [row for row in telemetry if row["phase"] == "running"]
    assert max(row["policy_step"] for row in running) > 5
    assert max(abs(row["measured.shoulder_pan"]) for row in running) > 1.0
    assert result.control_hz > 5.0
    (rollout,) = load_rollouts(tmp_path)
    taken = frame_times(rollout.folder)
    for camera in ("top", "wrist"):
        pictures = list(film_frames(rollout.folder / f"{camera}.mp4"))
        assert len(pictures) == len(taken[camera])
        assert (taken[camera][1:] >= taken[camera][:-1]).all()
    assert abs(len(taken["top"]) / 8 - telemetry[-1]["time_s"]) < 1.0
    private = runner.private()
    assert private["policy_calls"] >= 3
    assert len(private["latencies_ms"]) == private["policy_calls"]


def test_random_outputs_through_the_runner_keep_the_speed_on_the_wire(
    make: Callable[..., Runner], tmp_path: Path
) -> None:
    assert run(make(Wave("mad", chunk=50, hz=50.0)), cap_s=1.5).status == "completed"
    telemetry = [row for row in rows(tmp_path) if row["phase"] == "running"]
    assert len(telemetry) > 10
    for before, after in itertools.pairwise(telemetry):
        for joint in JOINTS:
            step = abs(after[f"command.{joint}"] - before[f"command.{joint}"])
            assert step <= 110.0 * (after["time_s"] - before["time_s"]) + 1e-6


@pytest.mark.parametrize(
    ("habit", "what"),
    [("nan", "NaN"), ("raise", "exception"), ("shape", "shape")],
)
def test_a_policy_that_fails_is_held_and_marked(
    make: Callable[..., Runner], tmp_path: Path, twin: Twin, habit: str, what: str
) -> None:
    runner = make(Wave(habit))
    result = run(runner, cap_s=30.0)
    assert (result.status, result.ended_by) == ("policy_error", "policy")
    assert what in result.fault
    held = rows(tmp_path)[-1]
    assert runner._loop is not None
    cycles = runner._loop.report().cycles
    until(lambda: runner._loop is not None and runner._loop.report().cycles > cycles + 10)
    assert runner._loop.state in {LoopState.HOLDING, LoopState.FOLLOWING}
    assert abs(runner._loop.command().named()["shoulder_pan"] - held["command.shoulder_pan"]) < 15.0
    seen = f"{asdict(runner.status())} {(tmp_path / 'trials/t1/meta.json').read_text()}"
    assert "secret_wave" not in seen
    assert "arm-a" not in seen
    if habit == "raise":
        assert "secret_wave lost its temper" in runner.private()["error"]


def test_half_a_second_of_silence_ends_the_trial_with_the_arm_held(make: Callable[..., Runner], tmp_path: Path) -> None:
    runner = make(Wave("slow", chunk=8), silent_s=0.5)
    began = time.monotonic()
    result = run(runner, cap_s=30.0)
    assert result.status == "policy_error"
    assert "silent for 500 ms" in result.fault
    assert time.monotonic() - began < PATIENCE_S
    last = [row for row in rows(tmp_path) if row["phase"] == "running"]
    quiet_s = last[-1]["time_s"] - next(r["time_s"] for r in last if r["policy_step"] == last[-1]["policy_step"])
    assert 0.4 < quiet_s < 1.6
    assert last[-1]["command.shoulder_pan"] == last[-3]["command.shoulder_pan"]


@pytest.mark.parametrize("habit", ["hang", "die"])
def test_a_policy_in_its_own_process_that_hangs_or_dies_is_replaced(make: Callable[..., Runner], habit: str) -> None:
    habits = iter([habit, ""])
    runner = make(lambda _: ("trial_policies:Wave", {"habit": next(habits)}), silent_s=1.5)
    assert run(runner, "t1", cap_s=30.0).status == "policy_error"
    again = run(runner, "t2", cap_s=0.5)
    assert again.status == "completed", again.fault


def test_a_pulled_cable_is_the_stations_fault_and_nothing_is_lost(
    make: Callable[..., Runner], tmp_path: Path, twin: Twin
) -> None:
    runner = make(Wave())
    runner.start(Trial("t1", "arm-a", "wave", time_cap_s=60.0))
    until(lambda: runner.status().elapsed_s > 0.5)
    twin.unplug()
    result = runner.wait(PATIENCE_S)
    assert result is not None
    assert (result.status, result.ended_by) == ("infra_error", "station")
    assert "lost" in result.fault
    assert sum(row["phase"] == "running" for row in rows(tmp_path)) > 3
    assert read_meta(tmp_path / "trials/t1")["films"] == {"top": True, "wrist": True}
    twin.plug()
    assert run(runner, "t2", cap_s=0.5).status == "completed"


def test_a_lost_camera_ends_the_trial_and_its_film_is_kept(
    make: Callable[..., Runner], tmp_path: Path, twin: Twin
) -> None:
    runner = make(Wave())
    runner.start(Trial("t1", "arm-a", "wave", time_cap_s=60.0))
    until(lambda: runner.status().elapsed_s > 0.5)
    twin.faults.cameras.add("wrist")
    result = runner.wait(PATIENCE_S)
    assert result is not None
    assert result.status == "infra_error"
    assert "wrist" in result.fault
    assert len(list(film_frames(tmp_path / "trials/t1/wrist.mp4"))) > 1
    twin.faults.cameras.clear()
    assert run(runner, "t2", cap_s=0.5).status == "completed"


def test_a_record_that_cannot_be_written_ends_the_trial(make: Callable[..., Runner], tmp_path: Path) -> None:
    runner = make(Wave())
    runner.start(Trial("t1", "arm-a", "wave", time_cap_s=60.0))
    until(lambda: runner.status().elapsed_s > 2.5)
    recorder = runner._recorder
    assert recorder is not None
    encoder = recorder._films["top"]._encoder
    assert encoder is not None
    encoder.kill()
    result = runner.wait(PATIENCE_S)
    assert result is not None
    assert (result.status, result.ended_by) == ("infra_error", "station")
    assert "top.mp4" in result.fault
    assert len(list(film_frames(tmp_path / "trials/t1/wrist.mp4"))) > 1
    assert len(rows(tmp_path)) > 5
    assert len(list(film_frames(tmp_path / "trials/t1/top.mp4"))) >= 8, "fragments can be read without an end"


def test_the_operator_stops_and_the_emergency_stop_latches(make: Callable[..., Runner], twin: Twin) -> None:
    runner = make(Wave())
    runner.start(Trial("t1", "arm-a", "wave", time_cap_s=60.0))
    with pytest.raises(TrialError, match="still under way"):
        runner.start(Trial("t2", "arm-a", "wave"))
    until(lambda: runner.status().phase is Phase.RUNNING)
    runner.stop("success")
    result = runner.wait(PATIENCE_S)
    assert result is not None
    assert (result.status, result.ended_by, result.reason) == ("completed", "operator", "success")
    runner.start(Trial("t2", "arm-a", "wave", time_cap_s=60.0))
    until(lambda: runner.status().elapsed_s > 0.1)
    runner.safety_stop()
    result = runner.wait(PATIENCE_S)
    assert result is not None
    assert (result.status, result.ended_by) == ("aborted", "safety")
    with pytest.raises(TrialError, match="latched"):
        runner.start(Trial("t3", "arm-a", "wave"))
    runner.release()
    assert run(runner, "t3", cap_s=0.3).status == "completed"
    with pytest.raises(TrialError, match="recorded already"):
        runner.start(Trial("t3", "arm-a", "wave"))


def test_a_policy_in_another_unit_is_refused_before_anything_moves(make: Callable[..., Runner], twin: Twin) -> None:
    runner = make(Wave(mode="joint_lerobot_degrees_so101"))
    before = twin.joints_deg()
    with pytest.raises(PolicyFaultError, match=r"joint_lerobot_degrees_so101.*joint_true_degrees_so101"):
        runner.prepare(["arm-a"])
    assert run(runner).fault == "the policy does not fit the station"
    assert twin.joints_deg() == pytest.approx(before, abs=1.0)


def test_an_id_that_leaves_the_folder_is_refused() -> None:
    for bad in ("../x", "a/b", "", ".hidden"):
        with pytest.raises(TrialError):
            Trial(bad, "a", "wave")


KILLED = """
import sys
from trial_policies import Wave
from proctor.station.arm import Bus, Limits, So101Arm
from proctor.station.camera import TwinCamera
from proctor.station.trial import Runner, Trial
from proctor.station.twin import Twin
with Twin(seed=3) as twin:
    numbers = twin.calibrate()
    cameras = [TwinCamera(twin, "top", 96)]
    connect = lambda: So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers, Limits.uniform(110.0))
    with Runner(connect, cameras, lambda _: Wave(), sys.argv[1], silent_s=8.0,
                camera_hz=8.0, fps=8.0) as runner:
        runner.start(Trial("t1", "arm-a", "wave", time_cap_s=600.0))
        while runner.status().elapsed_s < 2.5:
            if (ended := runner.wait(0.05)) is not None:
                sys.exit(f"the trial ended by itself: {ended}")
        print("running", flush=True)
        runner.wait(600)
"""


def test_a_killed_program_leaves_a_trial_that_is_settled_on_reopening(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-c", KILLED, str(tmp_path / "trials")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        assert recover(tmp_path / "trials") == [], "a trial under way is left alone"
        process.send_signal(signal.SIGKILL)
    assert read_meta(tmp_path / "trials/t1")["status"] == "running"
    assert recover(tmp_path / "trials") == ["t1"]
    meta = read_meta(tmp_path / "trials/t1")
    assert (meta["status"], meta["recovered"]) == ("infra_error", True)
    assert sum(row["phase"] == "running" for row in rows(tmp_path)) > 10
    assert len(list(film_frames(tmp_path / "trials/t1/top.mp4"))) >= 8
    assert recover(tmp_path / "trials") == []
    (rollout,) = load_rollouts(tmp_path, every=True)
    first, end = rollout.span()
    assert end > first
