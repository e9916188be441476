"""Policies that need nothing: the floor of every comparison, and the replay of recorded actions."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.core import (
    EnvSpec,
    EpisodeSpec,
    Observation,
    PolicySpec,
    ProctorError,
    named_rng,
    parsed_lines,
    policy_code,
)

GRIPPER_OPEN = -1.0
# The control mode in which the last of the values is the gripper's.
GRIPPER_LAST = PolicySpec("").control_mode


def _fitted(spec: PolicySpec, env: EnvSpec) -> PolicySpec:
    return replace(
        spec,
        action_dim=env.action_dim,
        state_dim=env.state_dim,
        control_mode=env.control_mode,
        control_hz=env.control_hz,
    )


class NoopPolicy:
    """Holds still with the gripper open. A task that it solves, or that makes it pay, is a broken task.

    In an environment with another control mode it sends zeros.
    """

    def __init__(self) -> None:
        self._spec = PolicySpec(name="noop", fingerprint=f"noop-{policy_code(NoopPolicy)}")

    def fit(self, env: EnvSpec) -> None:
        """Take as many values as the environment has."""
        self._spec = _fitted(self._spec, env)

    def spec(self) -> PolicySpec:
        return self._spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the zero motion, gripper open."""
        action = np.zeros(self._spec.action_dim)
        if self._spec.control_mode == GRIPPER_LAST:
            action[-1] = GRIPPER_OPEN
        return action


class RandomPolicy:
    """Every value uniform in [-scale, scale], from the episode's own ``policy`` stream: same episode, same actions.

    With the default of 0.25 the tool moves 1.5 cm per step (root mean square), as it does in the reference's
    controller, which lags, under uniform actions in [-1, 1]. Ours follows exactly: with ``scale=1`` the arm flails at
    0.8 m/s through the whole workspace (``benchmarks/random_walk.py`` prints these).
    """

    def __init__(self, scale: float = 0.25) -> None:
        if not 0.0 < scale <= 1.0:
            raise ValueError(f"scale is {scale}: it must be above 0 and at most 1")
        self._scale = scale
        self._rng = named_rng(0, "policy")
        self._spec = PolicySpec(name="random", fingerprint=f"random-{policy_code(RandomPolicy)}:{scale:g}")

    def fit(self, env: EnvSpec) -> None:
        """Take as many values as the environment has."""
        self._spec = _fitted(self._spec, env)

    def spec(self) -> PolicySpec:
        return self._spec

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self._rng = named_rng(episode.seed, "policy")

    def act(self, observation: Observation) -> NDArray[np.float64]:
        return self._rng.uniform(-self._scale, self._scale, size=self._spec.action_dim)


# Plays recorded actions back, to show that an episode repeats or to film it again.


class ReplayPolicy:
    """Repeats the actions of a run recorded with ``--record-steps``.

    Episodes are matched by ``pair_id``: same task, seed and variants, whatever policy made the recording. Replay of
    the same episode reproduces its ``trajectory_hash``.
    """

    def __init__(self, path: str) -> None:
        folder = Path(path)
        rows = folder / "episodes.jsonl"
        if not rows.is_file():
            raise ProctorError(f"replay: {folder} is not a run folder (episodes.jsonl is missing); give path=RUN_DIR")
        self._files: dict[str, Path] = {}
        digest = hashlib.sha256()
        for line, row in parsed_lines(rows, json.loads):
            # The second is the name of before rows were nested.
            if name := row.get("files", {}).get("steps") or row.get("steps_file"):
                self._files[row["pair_id"]] = folder / name
                digest.update(line.raw + b"\n")
        if not self._files:
            raise ProctorError(f"replay: {folder} has no recorded steps; make them with 'proctor run --record-steps'")
        self._fingerprint = f"replay-{policy_code(ReplayPolicy)}-{digest.hexdigest()[:12]}"
        self._actions: NDArray[np.float64] = np.zeros((0, 7))

    def spec(self) -> PolicySpec:
        return PolicySpec(name="replay", fingerprint=self._fingerprint)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        file = self._files.get(episode.pair_id)
        if file is None:
            raise ProctorError(
                f"replay: no recording of {episode.task} episode {episode.episode} with this seed and these settings"
            )
        with np.load(file, allow_pickle=False) as data:
            self._actions = np.asarray(data["actions"], dtype=np.float64)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the recorded action of this step."""
        if observation.step >= len(self._actions):
            raise ProctorError(f"replay: the recording ends after {len(self._actions)} steps")
        action: NDArray[np.float64] = self._actions[observation.step]
        return action
