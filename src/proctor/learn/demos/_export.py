"""Successful episodes of a run as demonstrations: played again from their actions, seen by cameras, and written.

The first play needs no picture and stops at success; only what succeeded is played a second time, which must end in the
same bytes. A row of the dataset holds the state and the pictures before an action, and that action.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec
from proctor.results import Episode, read_states, read_steps
from proctor.results.dataset import DatasetError, DatasetWriter, Layout, Pictures
from proctor.sim import CONTROL_HZ, SimEnv

_LOG = logging.getLogger(__name__)

ACTION_NAMES: Final = ("dx", "dy", "dz", "rx", "ry", "rz", "gripper")
STATE_NAMES: Final = ("x", "y", "z", "rx", "ry", "rz", "finger_left", "finger_right")


def export(
    specs: Iterable[EpisodeSpec],
    rows: Sequence[Episode],
    run: Path,
    out: Path,
    *,
    cameras: Sequence[str],
    size: int,
    pictures: Pictures = "video",
) -> int:
    """Write the successes of ``rows``, whose steps are in the folder ``run``, as a new dataset ``out``.

    Return how many there are. The dataset's ``meta/proctor.json`` says which episode is which.
    """
    done = {row.episode_id: row for row in rows if row.outcome.success and row.files.steps}
    wanted = [(spec, done[spec.episode_id]) for spec in specs if spec.episode_id in done]
    if not wanted:
        raise DatasetError("no episode succeeded: there is nothing to write as a demonstration")
    _LOG.info("%d successes go into %s", len(wanted), out)
    layout = Layout(CONTROL_HZ, "panda", ACTION_NAMES, STATE_NAMES, dict.fromkeys(cameras, (size, size)), pictures)
    env = SimEnv()
    try:
        with DatasetWriter(out, layout) as data:
            for spec, row in wanted:
                _add(data, env, spec, row, run, cameras, size)
            data.note("proctor", [_about(number, row) for number, (_, row) in enumerate(wanted)])
    finally:
        env.close()
    return len(wanted)


def _about(number: int, row: Episode) -> dict[str, str | int]:
    return {
        "episode_index": number,
        "episode_id": row.episode_id,
        "task": row.spec.task,
        "task_hash": row.provenance.task_hash,
        "seed": row.spec.seed,
        "episode": row.spec.episode,
        "family": row.spec.family,
        "policy": row.policy.name,
        "trajectory_hash": row.outcome.trajectory_hash,
    }


def _add(
    data: DatasetWriter, env: SimEnv, spec: EpisodeSpec, row: Episode, run: Path, cameras: Sequence[str], size: int
) -> None:
    actions = read_steps(run / row.files.steps)
    states = read_states(run / row.files.steps)
    assert states is not None, "steps of a run hold states"
    seen = list(_frames(env, spec, actions, cameras, size))
    if env.finish().trajectory_hash != row.outcome.trajectory_hash:
        raise DatasetError(f"episode {row.episode_id} does not play again as it was recorded: record it anew")
    data.add(
        row.language.instruction,
        actions.astype(np.float32),
        states[: len(actions)].astype(np.float32),
        {camera: [frame[camera] for frame in seen] for camera in cameras},
    )


def _frames(
    env: SimEnv, spec: EpisodeSpec, actions: NDArray[np.float64], cameras: Sequence[str], size: int
) -> Iterator[Mapping[str, NDArray[np.uint8]]]:
    """Yield the pictures before each action."""
    env.reset(spec)
    for action in actions:
        yield env.observe(cameras, size).images
        env.step(action)
