"""Calibration files and what the doctor says about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.station.arm import (
    JOINTS,
    Calibration,
    CalibrationError,
    JointCalibration,
    compare_arms,
    examine,
    homing_offset_for,
    load_calibration,
    parse_calibration,
    save_calibration,
    worst,
)

# Sweeps from stop to stop around a zero pose held exactly, in ticks.
FULL = {
    "shoulder_pan": (795, 3299),
    "shoulder_lift": (909, 3185),
    "elbow_flex": (945, 3149),
    "wrist_flex": (966, 3128),
    "wrist_roll": (0, 4095),
    "gripper": (1933, 3185),
}


def arm(**ranges: tuple[int, int]) -> Calibration:
    swept = {**FULL, **ranges}
    return Calibration({joint: JointCalibration(i, 0, -5 * i, *swept[joint]) for i, joint in enumerate(JOINTS, 1)})


def test_a_file_is_what_lerobot_writes(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "arm.json"
    save_calibration(arm(), path)
    text = path.read_text()
    assert text.splitlines()[:3] == ["{", '    "shoulder_pan": {', '        "id": 1,']
    assert not text.endswith("\n")
    assert dict(load_calibration(path)) == dict(arm())
    assert load_calibration(path).sha256 == arm().sha256 != arm(gripper=(1933, 3184)).sha256
    assert [p.name for p in path.parent.iterdir()] == ["arm.json"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("gripper"), "'gripper' is missing"),
        (lambda c: c.update(grippr=c["gripper"]), "no joint 'grippr'; did you mean 'gripper'"),
        (lambda c: c["gripper"].pop("id"), "gripper needs exactly the keys"),
        (lambda c: c["gripper"].update(id=5), "gripper has id 5"),
        (lambda c: c["gripper"].update(homing_offset=2048), "-2047 to 2047"),
        (lambda c: c["gripper"].update(range_min=3000, range_max=3000), "must rise"),
        (lambda c: c["gripper"].update(range_max=4096), "must rise"),
        (lambda c: c["gripper"].update(range_min=1.5), "whole number"),
        (lambda c: c["gripper"].update(drive_mode=2), "0 or 1"),
    ],
)
def test_impossible_values_are_refused_in_one_line(change, message: str) -> None:  # type: ignore[no-untyped-def]
    content = json.loads(arm().to_json())
    change(content)
    with pytest.raises(CalibrationError, match=message) as caught:
        parse_calibration(json.dumps(content), "arm.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("arm.json")


def test_unreadable_files_say_where(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="proctor station calibrate"):
        load_calibration(tmp_path / "none.json")
    with pytest.raises(CalibrationError, match=r"x:2:1: not JSON"):
        parse_calibration("{\n]", "x")
    with pytest.raises(CalibrationError, match="map from joint"):
        parse_calibration("[]", "x")


@given(st.integers(-10_000, 10_000))
def test_an_offset_always_fits_and_puts_the_zero_pose_at_2047(raw: int) -> None:
    offset = homing_offset_for(raw)
    assert abs(offset) <= 2047
    assert (raw - offset) % 4096 in {2047, 2048}
    assert (raw - offset) % 4096 == 2047 or raw % 4096 == 4095


def test_a_good_arm_is_well() -> None:
    assert worst(examine(arm())) == "ok"
    assert worst(compare_arms(arm(), arm())) == "ok"


def test_a_sweep_that_stopped_early_is_found_at_its_joint() -> None:
    half = arm(shoulder_pan=(1050, 3299))
    findings = {finding.joint: finding for finding in examine(half)}
    assert findings["shoulder_pan"].verdict == "bad"
    assert "stops" in findings["shoulder_pan"].advice
    assert {f.verdict for joint, f in findings.items() if joint != "shoulder_pan"} == {"ok"}


def test_a_zero_pose_held_askew_is_found() -> None:
    askew = arm(elbow_flex=(945 + 130, 3149 + 130))
    (finding,) = [f for f in examine(askew) if f.verdict != "ok"]
    assert (finding.joint, finding.verdict) == ("elbow_flex", "bad")
    assert finding.mid_deg == pytest.approx(130 * 360 / 4096, abs=0.1)


def test_two_arms_differ_by_half_of_what_one_sweep_lacks() -> None:
    """LeRobot's degrees are anchored at the middle of the sweep: 200 ticks less on one side move it by 100."""
    (pan, *rest) = compare_arms(arm(), arm(shoulder_pan=(995, 3299)))
    assert pan.lerobot_degrees_deg == pytest.approx(100 * 360 / 4096, abs=0.05)
    assert pan.verdict == "bad"
    assert {f.verdict for f in rest} == {"ok"}


def test_a_wrist_roll_that_was_swept_is_wrong() -> None:
    (finding,) = [f for f in examine(arm(wrist_roll=(300, 3800))) if f.verdict != "ok"]
    assert (finding.joint, finding.verdict) == ("wrist_roll", "bad")
