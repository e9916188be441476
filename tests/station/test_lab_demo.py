"""The demonstration in short form: one command, no hardware, a real browser where there is one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from proctor.core import ProctorError
from proctor.results import read_history
from proctor.station.demo import DemoResult, layout_of, run_demo
from proctor.station.scene import load_scenes, select_scenes
from proctor.station.session import Session


def check(result: DemoResult, said: list[str], scenes: int) -> None:
    """From the first scene to verified rows, whoever the operator's hands were."""
    # Each scene was laid out wrongly first, the one of the crash twice.
    assert (result.trials, result.crashes, result.refused) == (2 * scenes, 1, scenes + 1)
    refusals = [line for line in said if "the gate refuses: " in line]
    assert len(refusals) == scenes + 1
    # 28 mm, and a person's millimetre; no other object is named.
    assert all(
        re.fullmatch(r"scene 2\d: the gate refuses: (Red|Yellow) block: (2[5-9]|3[01]) mm right", line)
        for line in refusals
    )
    assert f"order as committed, every block balanced, {2 * scenes} trials complete" in result.verified
    session = Session.read(result.session)
    kinds = [entry.kind for entry in session.entries]
    assert kinds.count("interrupted") == 1
    assert kinds[-1] == "reveal"
    rows = [row for run in result.runs for row in read_history(run)]
    assert {run.name for run in result.runs} == {"scripted", "sloppy"}
    # The interrupted trial is a row of its own: an error of the station, and no outcome. A loaded machine may add more.
    judged = [row for row in rows if row.status != "infra_error"]
    assert len(judged) < len(rows)
    assert sorted(row.policy.name for row in judged) == ["scripted"] * scenes + ["sloppy"] * scenes
    assert json.loads((result.session / "session.json").read_text())["session"] == "demo"


@pytest.mark.nightly
def test_a_session_in_a_browser(tmp_path: Path) -> None:
    said: list[str] = []
    result = run_demo(tmp_path / "demo", 2, say=said.append)
    check(result, said, 2)
    if "Chromium" in result.hands:
        for name in ("console_gate.jpg", "console_running.jpg"):
            assert (tmp_path / "demo" / name).stat().st_size > 20_000


def test_without_a_browser_the_operator_sends_the_requests_itself(tmp_path: Path) -> None:
    said: list[str] = []
    result = run_demo(tmp_path / "demo", 1, browser=False, say=said.append)
    assert result.hands.startswith("plain HTTP")
    check(result, said, 1)


def test_the_demo_knows_ten_scenes(tmp_path: Path) -> None:
    with pytest.raises(ProctorError, match="--scenes 1 to 10"):
        run_demo(tmp_path, 11)
    with pytest.raises(ProctorError, match="no stacking scene"):
        layout_of(load_scenes()[0])


@pytest.mark.parametrize("scene", select_scenes("21-30"), ids=str)
def test_a_layout_is_what_its_scene_says(scene: object) -> None:
    from proctor.station.scene import StationScene

    assert isinstance(scene, StationScene)
    layout = layout_of(scene)
    assert layout == layout_of(scene)
    assert scene.instruction == f"Stack {layout.moved.colour} block on {layout.base.colour} block"
    assert len(layout.others) == scene.distractors
    places = [(item.x, item.y) for item in layout.objects]
    assert all((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 > 0.06**2 for i, a in enumerate(places) for b in places[:i])
