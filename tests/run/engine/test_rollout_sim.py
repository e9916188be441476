"""The same laws with the real simulation: workers, films and replays change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.results import read_episodes
from proctor.run.engine import EpisodeOptions, RunOptions, execute
from proctor.run.plan import Plan, PlanTask
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find


@pytest.fixture
def plan() -> Plan:
    tasks = []
    for ref in (*find("arena/static_obstacles/L2")[:2], *find("arena/long_horizon")[:2]):
        task = read_task(ref.path)
        tasks.append(PlanTask(ref.id, ref.suite, ref.level, task.text_hash, task.language, 30, str(ref.path)))
    return Plan(tuple(tasks), 1, 7, "random")


def test_hashes_agree_across_workers_films_and_replay(plan, tmp_path):
    runs = {
        "one": (plan, RunOptions(episode=EpisodeOptions(record_steps=True))),
        "two": (plan, RunOptions(workers=2)),
        "filmed": (
            plan,
            RunOptions(workers=2, episode=EpisodeOptions(video="all", video_cameras=("agentview", "wrist"))),
        ),
        "replay": (
            Plan(plan.tasks, 1, 7, "replay", {"path": str(tmp_path / "one")}),
            RunOptions(),
        ),
    }
    hashes = {}
    for name, (what, how) in runs.items():
        result = execute(what, tmp_path / name, how)
        assert result.errors == 0, [row.error for row in read_episodes(tmp_path / name)]
        hashes[name] = {row.pair_id: row.outcome.trajectory_hash for row in read_episodes(tmp_path / name)}
    assert hashes["one"] == hashes["two"] == hashes["filmed"] == hashes["replay"]
    assert len(set(hashes["one"].values())) == 4
    films = [tmp_path / "filmed" / row.files.video for row in read_episodes(tmp_path / "filmed")]
    assert all(Path(film).stat().st_size > 2000 for film in films)
