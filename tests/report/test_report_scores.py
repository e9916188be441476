"""The page of scores: its numbers against the rows, pairs by scene, and what stands in the file."""

from __future__ import annotations

import json
import random
from pathlib import Path
from statistics import fmean

import made_runs
import pytest
from typer.testing import CliRunner

from proctor.cli import app
from proctor.core import Event, Fault
from proctor.report import ReportError, read_scores, write_report
from proctor.results import Episode

TRACKS = ("knowledge/track1", "knowledge/track3")


def bench_rows(policy: str, skill: float, episodes: int = 12) -> list[Episode]:
    """Rows of two tracks that share scenes; the second is harder."""
    rng = random.Random(policy)
    rows = []
    for place, suite in enumerate(TRACKS):
        for task in ("select_fruit", "select_toy"):
            for number in range(episodes):
                success = rng.random() < skill - 0.3 * place
                progress = 1.0 if success else rng.choice([0.0, 1 / 3, 2 / 3])
                fault = [] if success or rng.random() < 0.6 else [Fault("intruder", "x", 1.0)]
                rows.append(
                    made_runs.episode(
                        suite=suite,
                        level="L1",
                        task=f"{suite}/L1/{task}@v1",
                        episode=number,
                        seed=100 + number,
                        policy=policy,
                        task_hash=f"{task}{number}",
                        max_steps=300 + number,
                        success=success,
                        success_time_s=6.5 if success else None,
                        progress=progress,
                        progress_final=progress if rng.random() < 0.8 else 0.0,
                        intention=1.0 if progress else rng.choice([0.0, 0.5]),
                        intention_first=float(progress > 0),
                        intention_paper=1.0,
                        intention_eps_m=0.02,
                        faults=tuple(fault),
                        family=f"{task}/{100 + number}/{number}",
                        events=(Event(20, 1.0, "approach", "apple_1", 0.25),),
                    )
                )
    return rows


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], dict[str, list[Episode]]]:
    base = tmp_path_factory.mktemp("bench")
    rows = {"expert": bench_rows("expert", 0.95), "random": bench_rows("random", 0.4)}
    return [made_runs.write_run(base / name, found) for name, found in rows.items()], rows


def test_means_are_those_of_the_rows(runs: tuple[list[Path], dict[str, list[Episode]]]) -> None:
    folders, rows = runs
    found = read_scores(folders)
    for scored in found.arms:
        mine = rows[scored.arm.label]
        assert scored.scores["progress"].rate == pytest.approx(fmean(row.outcome.progress or 0.0 for row in mine))
        assert scored.scores["success"].rate == pytest.approx(fmean(bool(row.outcome.success) for row in mine))
        assert scored.scores["faults"].rate == pytest.approx(fmean(bool(row.outcome.faults) for row in mine))
        assert scored.chance == 0.25
        for score in scored.scores.values():
            assert score.interval[0] <= score.rate <= score.interval[1]
    assert found.eps_m == (0.02,)
    assert [suite for suite, _ in found.suites] == list(TRACKS)


def test_changes_are_between_episodes_of_one_scene(runs: tuple[list[Path], dict[str, list[Episode]]]) -> None:
    folders, rows = runs
    changes = {(c.policy, c.score): c for c in read_scores(folders).changes}
    for policy, mine in rows.items():
        by_track = [
            {row.spec.family: row.outcome.progress or 0.0 for row in mine if row.spec.suite == suite}
            for suite in TRACKS
        ]
        expected = fmean(by_track[1][family] - by_track[0][family] for family in by_track[0])
        found = changes[policy, "progress"]
        assert found.change == pytest.approx(expected)
        assert found.n == len(by_track[0]) == 24
        assert (found.first, found.second) == TRACKS


def test_the_order_of_rows_and_what_is_not_scored_changes_nothing(
    runs: tuple[list[Path], dict[str, list[Episode]]], tmp_path: Path
) -> None:
    folders, rows = runs
    shuffled = random.Random(1).sample(rows["random"], len(rows["random"]))
    other = made_runs.write_run(tmp_path / "random", [*shuffled, made_runs.episode(policy="random", seed=9)])
    first, second = read_scores(folders[1:]), read_scores([other])
    assert first.changes == second.changes
    for name, score in first.arms[0].scores.items():
        again = second.arms[0].scores[name]
        assert (score.n, score.rate, *score.interval) == pytest.approx((again.n, again.rate, *again.interval))


def test_the_page_and_the_command_show_them(runs: tuple[list[Path], dict[str, list[Episode]]], tmp_path: Path) -> None:
    folders, _ = runs
    index = write_report(folders, tmp_path / "report")
    page = (index.parent / "scores.html").read_text()
    assert "From track to track" in page
    assert "track1 → track3" in page
    assert "intruder" in page
    assert 'href="scores.html"' in index.read_text()
    assert "differ in the task file" not in index.read_text(), "every drawn episode has a text of its own"
    done = CliRunner().invoke(app, ["stats", "scores", *map(str, folders), "--json"])
    assert done.exit_code == 0, done.output
    plain = json.loads(done.output)
    assert {policy["policy"] for policy in plain["policies"]} == {"expert", "random"}
    assert len(plain["changes"]) == 6
    shown = CliRunner().invoke(app, ["stats", "scores", *map(str, folders)]).output
    assert "intention: share of targets to whose surface the hand came within 2 cm" in shown


def test_runs_without_scores_are_refused_in_one_line(tmp_path: Path) -> None:
    run = made_runs.write_run(tmp_path / "plain", [made_runs.episode()])
    with pytest.raises(ReportError, match="no episode here has progress"):
        read_scores([run])
    index = write_report([run], tmp_path / "report")
    assert not (index.parent / "scores.html").exists()
