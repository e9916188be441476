"""What the station's doctor says about ports and cameras that are there, closed, or missing."""

from __future__ import annotations

import importlib.metadata
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from proctor.cli.doctor import check_cameras, check_package, check_ports
from proctor.cli.station import app

run = CliRunner()


@pytest.fixture
def machine(tmp_path: Path) -> tuple[Path, Path]:
    """Folders in place of /dev and /sys: two webcams with two devices each, one arm."""
    dev, sys = tmp_path / "dev", tmp_path / "sys"
    dev.mkdir()
    for number, (name, index) in enumerate([("D455", 0), ("D455", 1), ("Webcam", 0), ("Webcam", 1)]):
        about = sys / "class" / "video4linux" / f"video{number}"
        about.mkdir(parents=True)
        (about / "name").write_text(f"{name}\n")
        (about / "index").write_text(f"{index}\n")
        (dev / f"video{number}").touch()
    (dev / "video10").touch()
    (dev / "ttyACM0").touch()
    return dev, sys


def test_cameras_are_listed_once_with_the_number_to_use(machine: tuple[Path, Path]) -> None:
    found = list(check_cameras(*machine))
    assert [finding.level for finding in found] == ["ok"] * 3
    assert [finding.text.split(";")[0] for finding in found] == ["0: D455", "2: Webcam", "10: a camera"]


def test_a_port_that_may_not_be_opened_says_which_group(
    machine: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = machine[0] / "ttyACM0"
    assert [finding.level for finding in check_ports(machine[0])] == ["ok"]
    port.chmod(0o660)
    # Tests may run as root, who may open everything.
    monkeypatch.setattr(os, "access", lambda *_: False)
    (finding,) = check_ports(machine[0])
    assert finding.level == "problem"
    assert "sudo usermod -aG" in finding.fix
    assert port.group() in finding.fix


def test_nothing_plugged_in_is_a_warning_with_a_way_out(tmp_path: Path) -> None:
    for found in (list(check_ports(tmp_path)), list(check_cameras(tmp_path, tmp_path))):
        assert [finding.level for finding in found] == ["warning"]
        assert "twin" in found[0].fix


def test_a_missing_package_says_how_to_get_it() -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    finding = check_package("pupil-apriltags", "the tag", missing)
    assert (finding.level, finding.fix) == ("problem", "run: pip install 'proctor[station]'")


def test_the_command_prints_json() -> None:
    done = run.invoke(app, ["doctor", "--json"])
    findings = json.loads(done.output)
    assert {"package", "port", "camera"} == {finding["name"] for finding in findings}
    assert done.exit_code == int(any(finding["level"] == "problem" for finding in findings))
