"""Rows for statistics from files: our run folders, CSV, LeRobot's ``eval_info.json``, vla-eval's results, LIBERO-Para's
logs; and the tables that say what a task of LIBERO-Para or LIBERO-Plus varies.

Every reader gives the same plain rows (`TrialRow`, the fields of ``proctor.analysis.stats.EpisodeRow``). An episode
that ended in an error keeps its status; no reader turns an error into a failure.
"""

from ._csv import read_csv
from ._detect import read_trials
from ._instruction import CONTROLS, InstructionRow, is_paraphrase, read_instructions
from ._lerobot import read_lerobot
from ._libero_para import ORIGINALS, ParaEpisode, is_para_log, read_para_log, read_para_trials
from ._libero_plus import PlusTask, classify_trials, read_plus_classification
from ._run import read_run_folder, trials_of
from ._trial import ImportFileError, TrialRow, Trials
from ._vla_eval import read_vla_eval

__all__ = [
    "CONTROLS",
    "ORIGINALS",
    "ImportFileError",
    "InstructionRow",
    "ParaEpisode",
    "PlusTask",
    "TrialRow",
    "Trials",
    "classify_trials",
    "is_para_log",
    "is_paraphrase",
    "read_csv",
    "read_instructions",
    "read_lerobot",
    "read_para_log",
    "read_para_trials",
    "read_plus_classification",
    "read_run_folder",
    "read_trials",
    "read_vla_eval",
    "trials_of",
]
