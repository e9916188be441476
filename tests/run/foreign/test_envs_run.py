"""``proctor run`` and ``proctor env`` with a simulator in another process: the machinery is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from proctor.cli import app
from proctor.core import ProctorError
from proctor.results import read_episodes

LINE = "gymnasium/line_world:Line-v0"


def proctor(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "proctor", *words], capture_output=True, text=True)


def test_a_run_on_two_workers_is_resumed_and_reported(line_world: Path) -> None:
    first = proctor("run", LINE, "--policy", "random", "-n", "3", "-w", "2", "--out", "run", "--record-steps")
    assert first.returncode == 0, first.stderr
    more = proctor("run", LINE, "--policy", "random", "-n", "5", "-w", "1", "--out", "run", "--record-steps")
    assert "3 already on record" in more.stderr + more.stdout
    rows = list(read_episodes(Path("run")))
    assert sorted(row.spec.episode for row in rows) == [0, 1, 2, 3, 4]
    assert {(row.status, row.outcome.success, row.outcome.steps) for row in rows} == {("completed", True, 4)}
    assert {(row.spec.suite, row.spec.level, row.spec.success_rule, row.provenance.env) for row in rows} == {
        ("gymnasium", "L0", "any_step", "gymnasium:line_world:Line-v0")
    }
    assert len({row.outcome.trajectory_hash for row in rows}) == 5
    again = proctor("run", LINE, "--policy", "replay", "--policy-arg", "path=run", "-n", "5", "--out", "replayed")
    assert again.returncode == 2, "replay has the shape of our arm"
    other = proctor("run", LINE, "--policy", "random", "-n", "5", "--out", "run", "--env-arg", "success_return=-3")
    assert other.returncode == 2
    assert "has changed since" in other.stderr
    assert proctor("report", "run").returncode == 0


def test_a_crashing_simulator_is_an_infra_error_and_the_rest_goes_on(line_world: Path) -> None:
    crash = ["--env-arg", 'kwargs={"crash_seed_mod": 1}']
    done = proctor("run", LINE, "--policy", "noop", "-n", "6", "--out", "run", *crash)
    assert done.returncode == 1
    rows = list(read_episodes(Path("run")))
    assert len(rows) == 6
    for row in rows:
        dies = row.spec.seed % 2**31 % 2 == 0
        assert row.status == ("infra_error" if dies else "completed")
        assert ("the wheels came off" in row.error) is dies
    assert {row.status for row in rows} == {"infra_error", "completed"}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["gymnasium/CartPole-v1"], "success_return=NUMBER"),
        (["gymnasium"], "a run has one, as gymnasium/ID"),
        (["gymnasium/CartPole-v1", "goal"], "one run has one simulator"),
        ([LINE, "--levels", "L0"], "--levels is for our own simulation"),
        ([LINE, "--success", "hold"], "--success hold is for our own simulation"),
        ([LINE, "--vision", "V2"], "cannot show --vision V2"),
        (
            [LINE, "--policy", "expert"],
            "needs action_dim=7, environment 'gymnasium:line_world:Line-v0' has action_dim=2",
        ),
        (["libero/libero_spatial"], "run `proctor env install libero`"),
    ],
)
def test_mistakes_are_one_line_and_nothing_runs(
    line_world: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], part: str
) -> None:
    monkeypatch.setenv("PROCTOR_CACHE", str(line_world / "cache"))
    monkeypatch.delenv("PROCTOR_ENV_LIBERO", raising=False)
    policy = [] if "--policy" in words else ["--policy", "noop"]
    result = CliRunner().invoke(app, ["run", *words, *policy, "--out", "run"])
    assert isinstance(result.exception, ProctorError)
    assert part in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not os.path.exists("run/episodes.jsonl")


def test_the_list_of_simulators_says_what_is_installed(line_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_CACHE", str(line_world / "cache"))
    shown = CliRunner().invoke(app, ["env", "ls"]).output
    assert "gymnasium" in shown
    assert "libero" in shown
    tasks = CliRunner().invoke(app, ["env", "ls", "gymnasium/CartPole-v1"]).output
    assert tasks.strip() == "gymnasium/CartPole-v1"
