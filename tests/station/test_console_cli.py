"""``proctor station console``: mistakes are one line, and nothing is opened before they are found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proctor.station.arm import save_calibration
from proctor.station.console import WindowCamera, open_station
from proctor.station.scene import select_scenes
from proctor.station.session import ArmPolicy, SceneCard, Session, SessionError, TrialSchedule
from proctor.station.twin import Twin


def console(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proctor", "station", "console", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arm") / "arm.json"
    with Twin(speed=0) as twin:
        save_calibration(twin.true_calibration(), path)
    return path


def test_people_need_a_leader_arm(tmp_path: Path, calibration: Path) -> None:
    (scene,) = select_scenes("21")
    arms = [ArmPolicy("one", "noop"), ArmPolicy("anna", "human", kind="human")]
    Session.create(tmp_path / "s", TrialSchedule.make([SceneCard.of(scene)], arms)).close()
    camera = WindowCamera("/nowhere", "top")
    with pytest.raises(SessionError, match="--leader"), open_station(tmp_path / "s", "-", calibration, [camera], None):
        pass
    # Nothing is left open: the next console can have the session.
    Session.open(tmp_path / "s").close()


def test_without_the_arm_the_console_does_not_start(tmp_path: Path, calibration: Path) -> None:
    (scene,) = select_scenes("21")
    Session.create(tmp_path / "s", TrialSchedule.make([SceneCard.of(scene)], [ArmPolicy("one", "noop")])).close()
    arguments = ("--arm", "/nowhere", "--calibration", str(calibration), "--camera", "top=window:/nowhere")
    done = console(str(tmp_path / "s"), *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no port /nowhere: plug in the arm")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("cameras", "said"),
    [
        (["--camera", "wrist=window:/nowhere"], "top=NUMBER"),
        (["--camera", "side=4"], "write top=SOURCE"),
        (["--camera", "top"], "write top=SOURCE"),
        (["--camera", "top=/nowhere/picture.xyz"], "no camera"),
        (["--camera", "top=window:/nowhere"], "is no session"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, calibration: Path, cameras: list[str], said: str) -> None:
    done = console(str(tmp_path), "--arm", "/nowhere", "--calibration", str(calibration), *cameras)
    assert done.returncode != 0
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
