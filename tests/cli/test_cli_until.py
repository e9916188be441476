"""``proctor run --until-resolved``: stops when it is settled, says so, and does not depend on who finished first."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cli_run import FAST, GO, here, mistake, proctor

from proctor._until import Judge
from proctor.core import ProctorError
from proctor.results import read_episodes, read_run
from proctor.run.plan import Plan

__all__ = ["here"]

STILL = ["--policy", "noop", *FAST]


def run(policy: list[str], out: str, *more: str):
    return proctor("run", "./kitchen", *policy, "-n", "12", "--seed", "7", "--out", out, *more)


@pytest.fixture
def reference(here: Path) -> Path:
    assert run(GO, "runs/go", "-w", "2").returncode == 0
    return Path("runs/go")


def test_a_clear_case_stops_early_and_says_who_is_better(reference):
    done = run(STILL, "runs/still", "--until-resolved", "runs/go")
    assert done.returncode == 0, done.stderr
    assert "Stopped early" in done.stdout
    assert "point_world:GoPolicy is better than noop" in done.stdout
    kept = len(read_episodes("runs/still"))
    assert kept < 36
    again = run(STILL, "runs/still", "--until-resolved", "runs/go")
    assert again.returncode == 0
    assert "Stopped early" in again.stdout
    assert len(read_episodes("runs/still")) == kept
    rest = run(STILL, "runs/still")
    assert rest.returncode == 0
    assert len(read_episodes("runs/still")) == 36


def test_equal_policies_run_to_the_end_without_a_verdict(reference):
    done = run(GO, "runs/same", "--until-resolved", "runs/go")
    assert done.returncode == 0, done.stderr
    assert "not resolved after all 36 pairs" in done.stdout
    assert len(read_episodes("runs/same")) == 36


def test_the_verdict_depends_on_the_plan_not_on_the_order_of_completion(reference):
    assert run(STILL, "runs/still").returncode == 0
    plan = Plan.from_description(read_run("runs/still")["plan"])
    rows = read_episodes("runs/still")
    sentences = set()
    for order in (rows, rows[::-1], rows[1::2] + rows[::2]):
        judge = Judge(reference, plan, Path("runs/still"), alpha=0.05)
        for row in order:
            judge.hear([row])
        assert judge.settled
        sentences.add(judge.state.sentence)
    assert len(sentences) == 1


def test_other_layouts_other_folders_and_one_name_are_refused(reference):
    still = ["run", "./kitchen", *STILL, "-n", "12"]
    mistake(*still, "--seed", "8", "--until-resolved", "runs/go", says="no episode on the layouts of this run")
    mistake(*still, "--seed", "7", "--until-resolved", "runs/none", says="runs/none")
    mistake(*still, "--seed", "7", "--until-resolved", "runs/go", "--alpha", "2", says="alpha")
    plan = Plan.from_description(read_run(reference)["plan"])
    with pytest.raises(ProctorError, match="cannot be told apart"):
        Judge(reference, plan, Path("other/go"), alpha=0.05)
