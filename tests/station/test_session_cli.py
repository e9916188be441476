"""The protocol's commands, as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from session_helpers import play
from typer.testing import CliRunner

from proctor.cli.station import app
from proctor.core import ProctorError
from proctor.station.session import Session

run = CliRunner()
ARMS = ["--arm", "good=noop", "--arm", "bad=random", "--arm-arg", "bad:scale=0.5", "--human", "anna"]
RATES = {"good": 0.9, "bad": 0.2, "anna": 1.0}


def _say(*words: str) -> str:
    done = run.invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def _refused(*words: str) -> str:
    done = run.invoke(app, list(words))
    assert isinstance(done.exception, ProctorError), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


def _planned(folder: Path, *more: str) -> str:
    return _say("plan", str(folder), *ARMS, "--scenes", "bread/ID", "--operator", "carla", "--station", "b1", *more)


def test_from_plan_to_reveal(tmp_path: Path) -> None:
    folder = tmp_path / "monday"
    told = _planned(folder, "--repeats", "2")
    assert "30 trials = 5 scenes x 3 arms x 2, in 10 blocks" in told
    commitment = told.split("commitment: ")[1].strip()
    assert "0 of 30 trials done" in _say("status", str(folder))
    with Session.open(folder) as session:
        assert session.arm_for(session.public["trials"][0]["id"]).label in RATES
        play(session, RATES, void=(1,))
        # The console has it open, and everybody else can look.
        assert "30 of 30 trials done, 1 void" in _say("status", str(folder))
        assert "another process" in _refused("reveal", str(folder))
    assert json.loads(_say("status", str(folder), "--json"))["finished"]
    assert "not revealed yet" in _say("verify", str(folder), "--commitment", commitment)
    assert "another schedule" in _refused("verify", str(folder), "--commitment", "0" * 64)
    left = _say("rate", str(folder), "--rater", "dora")
    assert "30 left to rate" in left
    # Whole words: the id of a trial is drawn, and 1bad07 may be one.
    assert not re.search(r"\b(good|bad|timeout)\b", left)
    trial = left.split()[0]
    assert "29 left" in _say("rate", str(folder), "--rater", "dora", "--trial", trial, "--label", "Stalled")
    assert "1 trials rated" in _say("rate", str(folder), "--rater", "dora", "--agreement")
    assert "somebody else" in _refused("rate", str(folder), "--rater", "carla")
    assert "30 of 30 trials to review" in _say("review", str(folder))
    told = _say("reveal", str(folder))
    assert "every block balanced, 30 trials complete" in told
    assert {path.name for path in (folder / "run").iterdir()} == {"good", "bad"}
    assert "label fail (seen later)" in _say("edit", str(folder), trial, "--label", "fail", "--reason", "seen later")
    assert "verified" in _say("verify", str(folder))


def test_an_edit_without_a_reason_or_a_change(tmp_path: Path) -> None:
    _planned(tmp_path / "s")
    with Session.open(tmp_path / "s") as session:
        play(session, dict.fromkeys(RATES, 1.0))
        trial = session.state().trial
    assert "edit can change" in _refused("edit", str(tmp_path / "s"), trial, "--reason", "x")
    assert run.invoke(app, ["edit", str(tmp_path / "s"), trial, "--label", "fail"]).exit_code == 2
    assert "a review is signed" in _refused("review", str(tmp_path / "s"), "--trial", trial)
    assert "write placed=SECONDS" in _refused(
        "review", str(tmp_path / "s"), "--trial", trial, "--mark", "placed", "--by", "x"
    )
    assert "reviewed by x" in _say("review", str(tmp_path / "s"), "--trial", trial, "--mark", "placed=1.5", "--by", "x")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--arm", "good"], "write LABEL=POLICY"),
        (["--arm", "good=nonsense"], "unknown policy"),
        (["--arm", "a=noop", "--arm", "a=noop"], "given twice"),
        (["--arm", "a=noop", "--arm-arg", "b:x=1"], "label of no --arm"),
        (["--arm", "a=noop", "--arm-arg", "x"], "write LABEL:KEY=VALUE"),
        (["--arm", "a=noop", "--scenes", "bred"], "unknown scene"),
        (["--arm", "a=noop", "--target", "1,2,3"], "write X0,X1,Y0,Y1"),
        (["--arm", "a=noop", "--target", "2,1,0,1"], "no inside"),
        (["--arm", "a=noop", "--unit", "degrees"], "no unit 'degrees'"),
    ],
)
def test_plans_that_are_refused_leave_nothing(tmp_path: Path, words: list[str], message: str) -> None:
    assert message in _refused("plan", str(tmp_path / "s"), *words)
    assert not (tmp_path / "s").exists()


def test_a_tampered_session_exits_with_one_and_names_the_line(tmp_path: Path) -> None:
    _planned(tmp_path / "s")
    with Session.open(tmp_path / "s") as session:
        session.act("note", text="the lamp flickers")
    path = tmp_path / "s" / "journal.jsonl"
    path.write_text(path.read_text().replace("flickers", "is fine!"))
    done = run.invoke(app, ["verify", str(tmp_path / "s")])
    assert isinstance(done.exception, ProctorError)
    assert done.exception.exit_code == 1
    assert "journal.jsonl:2: the line was changed" in str(done.exception)


def test_calibration_and_zones_are_kept(tmp_path: Path) -> None:
    from proctor.station.arm import save_calibration
    from proctor.station.twin import Twin

    with Twin(seed=3) as twin:
        truth = twin.calibrate()
    save_calibration(truth, tmp_path / "arm.json")
    _planned(tmp_path / "s", "--calibration", str(tmp_path / "arm.json"), "--target", "0,1,0,1")
    station = Session.read(tmp_path / "s").public["station"]
    assert station["calibration"] == truth.sha256
    assert station["unit"] == "true_degrees"
    _planned(tmp_path / "t", "--unit", "lerobot_range")
    assert Session.read(tmp_path / "t").public["station"]["unit"] == "lerobot_range"
    assert station["zones"] == {"target": [0.0, 1.0, 0.0, 1.0], "source": None}


def test_stations(tmp_path: Path) -> None:
    example = _say("stations", "--example")
    assert "all policies" in example
    # The column of pi0.5, the last one: averages of Tables 4 and 5, then Table 6, original and reproduced, ID and OOD.
    starts = ("all tasks", "original", "reproduced")
    last = [line.split()[-1] for line in example.splitlines() if line.startswith(starts)]
    assert last == ["54.0%", "35.0%", "72.0%", "68.0%", "73.3%", "66.7%"]
    assert "equivalence within ±0.1 is not shown" in example
    for name, seed in (("a", 1), ("b", 2)):
        _planned(tmp_path / name)
        assert "not revealed yet" in _refused("stations", str(tmp_path / name), str(tmp_path / name))
        with Session.open(tmp_path / name) as session:
            play(session, RATES, seed=seed)
        _say("reveal", str(tmp_path / name))
    told = _say("stations", str(tmp_path / "a"), str(tmp_path / "b"), "--margin", "0.2")
    assert "good" in told
    assert "anna" not in told
    assert "name two sessions" in _refused("stations", str(tmp_path / "a"))
    assert "name two sessions" in _refused("stations")
