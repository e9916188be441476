"""Loggers write what a run's rows say, and the library's own reader finds it again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import proctor
from proctor.core import ProctorError
from proctor.loggers import EpisodeLogger, MlflowLogger, TensorBoardLogger, WandbLogger

WORLD = Path(__file__).parent / "run" / "engine"
POINT = {"env": "point_world:PointEnv", "max_steps": 60, "limit": 4}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(WORLD), prepend=os.pathsep)


def examined(logger) -> proctor.Run:
    return proctor.evaluate("point_world:GoPolicy", "arena/static_obstacles/L0", **POINT, on_episode=logger)


def check(found: dict[str, list[tuple[int, float]]], run: proctor.Run, step: int) -> None:
    """What was found, by name, as (step, value)."""
    rate = run.success()
    assert rate.completed == 4
    assert found["proctor/success_rate"] == [(step, pytest.approx(rate.rate))]
    assert found["proctor/success_low"] == [(step, pytest.approx(rate.interval[0]))]
    assert found["proctor/errors"] == [(step, 0.0)]
    assert [at for at, _ in found["proctor/episode/success"]] == [1, 2, 3, 4]
    assert sum(value for _, value in found["proctor/episode/success"]) == rate.successes


def test_any_callables_hear_every_row_and_the_end():
    class Mine(EpisodeLogger):
        def write(self, figures, step):
            for name, value in figures.items():
                found.setdefault(name, []).append((step, value))

    found: dict[str, list[tuple[int, float]]] = {}
    rows = []
    run = examined([Mine(step=1000), rows.append])
    check(found, run, 1000)
    assert {row.episode_id for row in rows} == {row.episode_id for row in run.episodes}


def test_tensorboard_reads_it_back(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    run = examined(TensorBoardLogger("tb", step=2000))
    events = accumulator.EventAccumulator("tb").Reload()
    check({tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}, run, 2000)


def test_mlflow_reads_it_back_from_its_file_store(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    logger = MlflowLogger(step=3000)
    run = examined(logger)
    client = mlflow.MlflowClient()
    names = client.get_run(logger.run_id).data.metrics
    found = {name: [(m.step, m.value) for m in client.get_metric_history(logger.run_id, name)] for name in names}
    check(found, run, 3000)
    assert client.get_run(logger.run_id).info.status == "FINISHED"


class RecordedRun:
    """As much of a Weights & Biases run as the logger uses."""

    def __init__(self) -> None:
        self.axes: dict[str, str] = {}
        self.logged: list[dict[str, float]] = []

    def define_metric(self, name, *, step_metric):
        self.axes[name] = step_metric

    def log(self, values):
        self.logged.append(values)


def test_wandb_gets_figures_with_an_axis_of_their_own():
    pytest.importorskip("wandb")
    run = RecordedRun()
    finished = examined(WandbLogger(run, step=4000))
    found: dict[str, list[tuple[int, float]]] = {}
    for values in run.logged:
        episode = "proctor/episodes_ended" in values
        step = values["proctor/episodes_ended" if episode else "proctor/step"]
        for name in values.keys() - {"proctor/episodes_ended", "proctor/step"}:
            assert run.axes["proctor/episode/*" if episode else "proctor/*"]
            found.setdefault(name, []).append((step, values[name]))
    check(found, finished, 4000)


def test_wandb_takes_it_offline(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    monkeypatch.setenv("WANDB_SILENT", "true")
    summaries = []
    with wandb.init(project="training", settings=wandb.Settings(console="off")) as run:
        finished = examined(WandbLogger(step=5000))
        summaries.append(dict(run.summary))
    assert summaries[0]["proctor/success_rate"] == pytest.approx(finished.success().rate)
    assert summaries[0]["proctor/step"] == 5000
    assert list(tmp_path.glob("wandb/offline-run-*/*.wandb"))


def test_a_library_that_is_missing_is_one_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mlflow", None)
    with pytest.raises(ProctorError, match=r"pip install 'proctor\[mlflow\]'"):
        MlflowLogger()
