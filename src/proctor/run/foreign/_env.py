"""A foreign simulator as an `Env`: every call travels to a process in the simulator's own virtual environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import CostEntry, EnvSpec, EpisodeSpec, Event, Observation, Outcome, Step

from ._errors import ForeignEnvError
from ._install import python_of
from ._process import TIMEOUT_S, Simulator
from ._table import known


class ForeignEnv:
    """`proctor.core.Env` behind the wire.

    ``name`` is the simulator (``gymnasium``, ``libero``), ``task`` the first task to run, without the simulator's name;
    whatever else is given goes to the simulator. A process that died is replaced at the next reset, so that it costs
    one episode. What success is, the simulator says.
    """

    def __init__(self, name: str, task: str, timeout_s: float = TIMEOUT_S, **args: Any) -> None:
        self._name, self._task, self._timeout_s, self._args = name, task, timeout_s, args
        known(name)
        self._simulator: Simulator | None = None
        self._instruction = ""
        self._spec = self._start()

    def spec(self) -> EnvSpec:
        """Return what the simulator said it offers when it was first opened."""
        return self._spec

    @property
    def pid(self) -> int | None:
        """The process id of the simulator, if one is running."""
        return self._simulator.pid if self._simulator is not None and self._simulator.alive else None

    def reset(self, episode: EpisodeSpec) -> None:
        """Begin ``episode``, in a fresh process if the last one is dead."""
        if self._simulator is None or not self._simulator.alive:
            again = self._start()
            if again != self._spec:
                raise ForeignEnvError(f"{self._name} came back with other versions or another spec: start a new run")
        task = episode.task.partition("@")[0].removeprefix(f"{self._name}/")
        self._instruction = episode.instruction_sent
        self._ask("env_reset", {"task": task, "seed": episode.seed, "episode": episode.episode})

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        """Return state and pictures."""
        answer = self._ask("env_observe", {"cameras": list(cameras), "image_size": image_size})
        images = {camera: answer.arrays[f"image:{camera}"] for camera in cameras}
        return Observation(images, answer.arrays["state"], self._instruction, int(answer.fields["step"]))

    def step(self, action: NDArray[np.float64]) -> Step:
        answer = self._ask("env_step", arrays={"action": np.asarray(action, np.float64)}).fields
        events = tuple(Event(*event) for event in answer["events"])
        return Step(bool(answer["success"]), float(answer["cost"]), events, bool(answer["ended"]))

    def finish(self) -> Outcome:
        """Return the outcome; the sum of rewards is its last event, kind ``return``."""
        told = self._ask("env_finish").fields
        hz = self._spec.control_hz

        def seconds(step: int | None) -> float | None:
            return None if step is None else step / hz

        cost = CostEntry("cost", "instantaneous", told["cost"], told["cost_steps"], seconds(told["cost_step"]))
        return Outcome(
            success=told["success_step"] is not None,
            success_time_s=seconds(told["success_step"]),
            steps=told["steps"],
            sim_time_s=told["steps"] / hz,
            cost_total=told["cost"],
            costs=(cost,) if told["cost_steps"] else (),
            events=tuple(Event(*event) for event in told["events"]),
            trajectory_hash=told["trajectory_hash"],
        )

    def close(self) -> None:
        if self._simulator is not None:
            self._simulator.close()
        self._simulator = None

    def _start(self) -> EnvSpec:
        if self._simulator is not None:
            self._simulator.end()
        self._simulator = Simulator(self._name, python_of(self._name), known(self._name).environ, self._timeout_s)
        try:
            spec = self._ask("env_open", {"task": self._task, "args": self._args}).fields["spec"]
        except ForeignEnvError:
            self.close()
            raise
        return EnvSpec(**{**spec, "cameras": tuple(spec["cameras"])})

    def _ask(self, type_: str, fields: dict[str, Any] | None = None, arrays: dict[str, Any] | None = None) -> Any:
        if self._simulator is None or not self._simulator.alive:
            raise ForeignEnvError(f"no episode of {self._name} is running: call reset() first")
        return self._simulator.ask(type_, fields, arrays)
