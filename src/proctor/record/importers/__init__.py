"""Rows for statistics from files: our run folders, CSV, LeRobot's ``eval_info.json``, vla-eval's results.

Every reader gives the same plain rows (`TrialRow`, the fields of ``proctor.stats.EpisodeRow``). An episode that ended
in an error keeps its status; no reader turns an error into a failure.
"""

from ._csv import read_csv
from ._detect import read_trials
from ._lerobot import read_lerobot
from ._run import read_run_folder, trials_of
from ._trial import TrialRow, Trials
from ._vla_eval import read_vla_eval

__all__ = [
    "TrialRow",
    "Trials",
    "read_csv",
    "read_lerobot",
    "read_run_folder",
    "read_trials",
    "read_vla_eval",
    "trials_of",
]
