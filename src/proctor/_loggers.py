"""What loggers of runs have in common, and one for each of three libraries.

Each writes ``proctor/episode/...`` as episodes end (x: how many have ended) and, at the end, ``proctor/success_rate``
with its interval and the other figures of the whole run at ``step``: in a training loop, the step of the training.
The libraries are extras and are imported when a logger is made: ``pip install 'proctor[tensorboard]'``, ``[wandb]``,
``[mlflow]``. A logger of your own is any callable that takes a row; a method ``end(run)`` is called once at the end.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor import Run
    from proctor.results import Episode


class EpisodeLogger:
    """Counts rows and hands figures to ``write``, which a logger of your own implements.

    ``step`` is where the figures of a whole run are written; without one, at the number of its episodes.
    """

    def __init__(self, *, step: int | None = None, prefix: str = "proctor") -> None:
        self.step, self.prefix = step, prefix
        self._ended = self._completed = self._successes = 0

    def write(self, figures: Mapping[str, float], step: int) -> None:
        """Write figures at a step."""
        raise NotImplementedError

    def close(self) -> None:
        """Write out what is held back."""

    def __call__(self, row: Episode) -> None:
        """Take the row of an episode that has ended."""
        from proctor.results import costs_of

        self._ended += 1
        figures = {"error": float(row.status != "completed"), "wall_s": row.timing.wall_s}
        if row.status == "completed":
            self._completed += 1
            self._successes += bool(row.outcome.success)
            figures |= {"success": float(bool(row.outcome.success)), "steps": float(row.outcome.steps)}
            figures["cost"] = costs_of(row).total
            figures["success_rate"] = self._successes / self._completed
        self.write({f"{self.prefix}/episode/{name}": value for name, value in figures.items()}, self._ended)

    def end(self, run: Run) -> None:
        """Write the figures of the whole run, episodes included that its folder held before."""
        from proctor.results import costs_of

        rate = run.success()
        rows = [row for row in run.episodes if row.status == "completed"]
        figures: dict[str, float] = {"errors": float(rate.errors), "episodes": float(rate.completed)}
        if rate.rate is not None:
            low, high = rate.interval
            figures |= {"success_rate": rate.rate, "success_low": low, "success_high": high}
            figures["cost"] = sum(costs_of(row).total for row in rows) / len(rows)
            figures["steps"] = sum(row.outcome.steps for row in rows) / len(rows)
        at = len(run.episodes) if self.step is None else self.step
        self.write({f"{self.prefix}/{name}": value for name, value in figures.items()}, at)
        self.close()


class TensorBoardLogger(EpisodeLogger):
    """Appends to the event files in a folder."""

    def __init__(self, folder: str | Path, *, step: int | None = None, prefix: str = "proctor") -> None:
        super().__init__(step=step, prefix=prefix)
        writer = _module("tensorboard.summary.writer.event_file_writer", "tensorboard").EventFileWriter
        self._events = _module("tensorboard.compat.proto.event_pb2", "tensorboard")
        self._summaries = _module("tensorboard.compat.proto.summary_pb2", "tensorboard")
        self._writer: Any = writer(str(folder))

    def write(self, figures: Mapping[str, float], step: int) -> None:
        """Add one event with all figures."""
        values = [self._summaries.Summary.Value(tag=name, simple_value=value) for name, value in figures.items()]
        summary = self._summaries.Summary(value=values)
        self._writer.add_event(self._events.Event(wall_time=time.time(), step=step, summary=summary))

    def close(self) -> None:
        """Close the event file."""
        self._writer.close()


class WandbLogger(EpisodeLogger):
    """Writes into a Weights & Biases run: the one that is given, the current one, or a new one of ``project``."""

    def __init__(
        self, run: Any = None, *, project: str = "proctor", step: int | None = None, prefix: str = "proctor"
    ) -> None:
        super().__init__(step=step, prefix=prefix)
        wandb: Any = _module("wandb", "wandb")
        self._own = run is None and wandb.run is None
        self._run = run or wandb.run or wandb.init(project=project)
        # An x axis of its own: the step of wandb counts the calls of a training loop and must never go back.
        for name, axis in (("*", "step"), ("episode/*", "episodes_ended")):
            self._run.define_metric(f"{prefix}/{name}", step_metric=f"{prefix}/{axis}")

    def write(self, figures: Mapping[str, float], step: int) -> None:
        """Log the figures together with their x."""
        axis = "episodes_ended" if any("/episode/" in name for name in figures) else "step"
        self._run.log({**figures, f"{self.prefix}/{axis}": step})

    def close(self) -> None:
        """Finish the run if it was begun here."""
        if self._own:
            self._run.finish()


class MlflowLogger(EpisodeLogger):
    """Writes metrics into an MLflow run: the one of that id, else the active one, else a new one."""

    def __init__(self, run_id: str | None = None, *, step: int | None = None, prefix: str = "proctor") -> None:
        super().__init__(step=step, prefix=prefix)
        mlflow: Any = _module("mlflow", "mlflow")
        self._client = mlflow.MlflowClient()
        active = mlflow.active_run()
        self._own = run_id is None and active is None
        if self._own:
            experiment = self._client.get_experiment_by_name("proctor")
            number = experiment.experiment_id if experiment else self._client.create_experiment("proctor")
            run_id = self._client.create_run(number).info.run_id
        self.run_id: str = run_id or active.info.run_id

    def write(self, figures: Mapping[str, float], step: int) -> None:
        """Log each figure."""
        for name, value in figures.items():
            self._client.log_metric(self.run_id, name, value, step=step)

    def close(self) -> None:
        """End the run if it was begun here."""
        if self._own:
            self._client.set_terminated(self.run_id)


def _module(name: str, extra: str) -> ModuleType:
    from proctor.core import ProctorError

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ProctorError(f"this logger needs {error.name}: pip install 'proctor[{extra}]'") from None
