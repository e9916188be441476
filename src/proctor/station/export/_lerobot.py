"""Trials as a LeRobotDataset v3.0.

One episode is one trial while the policy moved the arm. A row holds the joints measured when the picture was taken, and
as action what the arm had been told by the next row. Joint values are in the unit asked for, and ``joint_unit.json``
beside the dataset says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from proctor.results.dataset import DatasetError, DatasetLayout, DatasetWriter, Pictures
from proctor.station.arm import JOINTS, Unit, UnitRecord, save_unit

from ._rollout import ExportError, Rollout, film_size

_NAMES: Final = tuple(f"{joint}.pos" for joint in JOINTS)


def export_lerobot(
    rollouts: Sequence[Rollout],
    out: Path,
    *,
    unit: Unit = Unit.TRUE_DEGREES,
    pictures: Pictures = "video",
) -> int:
    """Write the dataset into the new folder ``out``; return its number of frames. Empty trials are left out."""
    if out.exists():
        raise ExportError(f"{out} exists: give a folder that does not, or remove it first")
    used = [rollout for rollout in rollouts if rollout.span()[1] > rollout.span()[0]]
    if not used:
        raise ExportError("in none of the trials did the policy move the arm: there is nothing to export")
    layout = DatasetLayout(used[0].fps, "so101_follower", _NAMES, _NAMES, _common_sizes(used), pictures)
    try:
        with DatasetWriter(out, layout) as data:
            for rollout in used:
                _add(data, layout, rollout, unit)
            trials = [
                {"episode_index": number, "trial": rollout.name, "status": rollout.meta.get("status")}
                for number, rollout in enumerate(used)
            ]
            data.note("proctor", {"unit": unit.value, "joints": list(JOINTS), "trials": trials})
            save_unit(data.folder, UnitRecord(unit))
    except DatasetError as error:
        raise ExportError(str(error)) from error
    except OSError as error:
        raise ExportError(f"cannot write {out}: {error.strerror or error}") from error
    return data.frames


def _common_sizes(rollouts: Sequence[Rollout]) -> dict[str, tuple[int, int]]:
    """Return each camera's size; trials that differ cannot be one dataset."""
    first = rollouts[0]
    sizes = {camera: film_size(first.folder / f"{camera}.mp4") for camera in first.cameras}
    for other in rollouts[1:]:
        theirs = {camera: film_size(other.folder / f"{camera}.mp4") for camera in other.cameras}
        for what, mine, its in (("fps", first.fps, other.fps), ("cameras and sizes", sizes, theirs)):
            if mine != its:
                raise ExportError(f"trial {first.name} has {what} {mine}, trial {other.name} {its}: export them apart")
    return sizes


def _add(data: DatasetWriter, layout: DatasetLayout, rollout: Rollout, unit: Unit) -> None:
    first, end = rollout.span()
    times = np.arange(first, end) / layout.fps
    data.add(
        str(rollout.meta.get("instruction", "")),
        rollout.joints("command", unit, times + 1 / layout.fps),
        rollout.joints("measured", unit, times),
        {camera: rollout.pictures(camera, first, end - first) for camera in layout.sizes},
    )
