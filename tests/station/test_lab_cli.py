"""The station's commands for the arm, as a user runs them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from proctor.cli.station import app
from proctor.core import ProctorError
from proctor.station.arm import Bus, So101Arm, load_calibration, save_calibration
from proctor.station.twin import Operator, Twin

run = CliRunner()


def test_calibrate_without_questions(twin: Twin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The command's own time limit per answer suits a robot, not a machine with more work than cores.
    monkeypatch.setattr(Bus.open.__func__, "__kwdefaults__", {"timeout_s": 2.0, "retries": 2})
    out = tmp_path / "arm.json"
    with Operator(twin):
        done = run.invoke(app, ["calibrate", "--port", twin.port, "--out", str(out), "--yes"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "verdict: ok" in done.output
    assert dict(load_calibration(out)) == dict(twin.true_calibration())


def test_calibrate_says_that_there_is_no_port(tmp_path: Path) -> None:
    done = run.invoke(app, ["calibrate", "--port", str(tmp_path / "tty"), "--out", str(tmp_path / "a"), "--yes"])
    assert isinstance(done.exception, ProctorError)
    assert "there is no port" in str(done.exception)


def test_the_doctor_passes_a_good_arm_and_fails_a_bad_pair(running_twin: Twin, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    save_calibration(running_twin.true_calibration(), good)
    done = run.invoke(app, ["calibration-doctor", str(good)])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "verdict: ok")
    content = json.loads(good.read_text())
    content["shoulder_pan"]["range_min"] += 300
    bad.write_text(json.dumps(content))
    done = run.invoke(app, ["calibration-doctor", str(good), str(bad)])
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == "verdict: bad"
    assert any(line.startswith("shoulder_pan") and "+13.2" in line for line in done.output.splitlines())


def test_the_twin_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    link, file = tmp_path / "arm", tmp_path / "arm.json"
    command = [sys.executable, "-m", "proctor", "station", "twin", "--link", str(link), "--calibrated", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"port: {link}\n"
            with So101Arm(Bus.open(link, timeout_s=5.0), load_calibration(file)) as arm:
                arm.handshake()
                arm.require_calibration()
            process.send_signal(signal.SIGTERM)
            assert "ping 6" in process.stdout.read()
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert not link.exists()


def test_wrong_faults_are_refused_before_anything_starts() -> None:
    done = run.invoke(app, ["twin", "--fault", "explode=1"])
    assert isinstance(done.exception, ProctorError)
    assert "drop=0.02" in str(done.exception)


@pytest.mark.parametrize(
    "words",
    [
        ["calibrate", "--port", "/nowhere", "--yes", "--out", "{}/arm.json"],
        ["camera", "intrinsics", "--camera", "/nowhere", "--out", "{}/lens.json"],
        ["camera", "tag", "--camera", "twin", "--frames", "1", "--picture", "{}/aim.png"],
        ["scene", "capture", "1", "--camera", "twin", "--out", "{}"],
    ],
)
def test_a_place_that_cannot_be_written_to_is_one_line(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run.invoke(app, [word.format(tmp_path / "file" / "folder") for word in words])
    assert isinstance(done.exception, ProctorError)
    assert "cannot write" in str(done.exception)
    assert "choose another place" in str(done.exception)


def test_a_picture_without_a_known_ending_is_one_line(tmp_path: Path) -> None:
    done = run.invoke(
        app, ["camera", "tag", "--camera", "twin", "--frames", "1", "--picture", str(tmp_path / "aim.doc")]
    )
    assert isinstance(done.exception, ProctorError)
    assert ".png" in str(done.exception)
