"""Demonstrations: what the dataset holds is what was played, and the table is what the rows say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from episode_rows import changed
from proctor.cli import app
from proctor.cli import demos as command
from proctor.learn.demos import ACTION_NAMES, STATE_NAMES, by_task, export, total
from proctor.results import read_episodes, read_states, read_steps
from proctor.results.dataset import DatasetError
from proctor.run.plan import Plan, PlanTask
from proctor.sim import SimEnv

TASK = Path(__file__).parents[2] / "policies" / "scripted" / "data" / "tile_mat.cbddl"
SIZE = 48


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("demos") / "out"
    asked = ["demos", str(TASK), "-n", "2", "--out", str(out), "--size", str(SIZE), "--pictures", "image"]
    done = CliRunner().invoke(app, [*asked, "--cameras", "head"])
    assert done.exit_code == 0, done.output
    assert "2 of 2" in done.output
    return out


def test_the_dataset_holds_the_actions_and_states_of_the_run(made: Path) -> None:
    rows = sorted(read_episodes(made / "run"), key=lambda row: row.spec.episode)
    table = pq.read_table(made / "dataset/data/chunk-000/file-000.parquet")
    about = json.loads((made / "dataset/meta/proctor.json").read_text())
    info = json.loads((made / "dataset/meta/info.json").read_text())
    assert [entry["episode_id"] for entry in about] == [row.episode_id for row in rows]
    assert info["total_episodes"] == len(rows) == 2
    assert info["fps"] == 20
    assert info["features"]["action"]["names"] == list(ACTION_NAMES)
    assert info["features"]["observation.state"]["names"] == list(STATE_NAMES)
    for number, row in enumerate(rows):
        mine = np.array(table["episode_index"]) == number
        actions = np.array(table["action"].to_pylist())[mine]
        states = np.array(table["observation.state"].to_pylist())[mine]
        steps = made / "run" / row.files.steps
        assert np.allclose(actions, read_steps(steps), atol=1e-6)
        recorded = read_states(steps)
        assert recorded is not None
        assert np.allclose(states, recorded[:-1], atol=1e-6)
        assert len(actions) == row.outcome.steps < row.spec.max_steps, "an episode ends with its success"


def test_pictures_are_those_before_each_action(made: Path) -> None:
    import io

    from PIL import Image

    table = pq.read_table(made / "dataset/data/chunk-000/file-000.parquet")
    rows = sorted(read_episodes(made / "run"), key=lambda row: row.spec.episode)
    spec = next(iter(_plan(made)))
    assert spec.episode_id == rows[0].episode_id
    env = SimEnv()
    env.reset(spec)
    for step, action in enumerate(read_steps(made / "run" / rows[0].files.steps)[:6]):
        if step in (0, 5):
            stored = table["observation.images.head"][step].as_py()["bytes"]
            assert np.array_equal(np.asarray(Image.open(io.BytesIO(stored))), env.render("head", SIZE, SIZE))
        env.step(action)
    env.close()


def _plan(made: Path) -> Plan:
    told = json.loads((made / "run" / "run.json").read_text())["plan"]
    tasks = tuple(PlanTask.from_description(task) for task in told["tasks"])
    return Plan(tasks=tasks, episodes=2, seed=0, policy=told["policy"], policy_args=told["policy_args"])


def test_what_does_not_play_again_is_refused_and_leaves_nothing(made: Path, tmp_path: Path) -> None:

    rows = [changed(row, trajectory_hash="0" * 32) for row in read_episodes(made / "run")]
    with pytest.raises(DatasetError, match="does not play again as it was recorded"):
        export(_plan(made), rows, made / "run", tmp_path / "d", cameras=(), size=SIZE)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DatasetError, match="no episode succeeded"):
        export(_plan(made), [], made / "run", tmp_path / "d", cameras=(), size=SIZE)


def test_the_table_counts_errors_as_failures(made: Path) -> None:
    first, second = read_episodes(made / "run")
    failed = changed(second, status="policy_error", success=None, policy_s=99.0)
    line = total([first, failed])
    assert (line.k, line.n) == (1, 2)
    assert line.planning_s == first.timing.policy_s, "medians are of successes"
    assert by_task([first, second])[0].task == first.spec.task
    told = json.loads((made / "demos.json").read_text())
    assert told["all"]["k"] == 2
    assert told["travel"] == "both"


def test_mistakes_are_one_line(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import proctor.policies.scripted.motion

    for asked, why in (
        (["--out", str(made)], "dataset exists"),
        (["--out", str(tmp_path / "x"), "--cameras", "haed"], "no camera 'haed'"),
    ):
        done = CliRunner().invoke(app, ["demos", str(TASK), *asked])
        assert done.exit_code != 0
        assert why in str(done.exception or done.output)
    monkeypatch.setattr(proctor.policies.scripted.motion, "available", lambda: False)
    done = CliRunner().invoke(app, ["demos", str(TASK), "--out", str(tmp_path / "y"), "--travel", "planned"])
    assert "--travel planned needs OMPL: pip install 'proctor[motion]'" in str(done.exception or done.output)
    assert command.POLICY == "proctor.policies.scripted.motion:PlanningExpert"
