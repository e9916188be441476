"""Plays recorded actions back, to show that an episode repeats or to film it again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError, parsed_lines, policy_code


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
