"""Recorded trials for other programs: LeRobotDataset v3.0, and Rerun."""

from proctor.results.dataset import Pictures

from ._lerobot import export_lerobot
from ._rerun import export_rerun
from ._rollout import ExportError, Rollout, film_frames, film_size, frame_times, load_rollout, load_rollouts

__all__ = [
    "ExportError",
    "Pictures",
    "Rollout",
    "export_lerobot",
    "export_rerun",
    "film_frames",
    "film_size",
    "frame_times",
    "load_rollout",
    "load_rollouts",
]
