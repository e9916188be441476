"""Environments that live elsewhere: simulators in virtual environments of their own, behind our wire."""

from ._env import ForeignEnv
from ._errors import ForeignEnvError
from ._install import Installed, home, install, installed, python_of, remove
from ._plan import FOREIGN_ENV, ForeignRun, ForeignTask, foreign_run, list_tasks, probe, simulator_of
from ._table import FOREIGN, Foreign, known

__all__ = [
    "FOREIGN",
    "FOREIGN_ENV",
    "Foreign",
    "ForeignEnv",
    "ForeignEnvError",
    "ForeignRun",
    "ForeignTask",
    "Installed",
    "foreign_run",
    "home",
    "install",
    "installed",
    "known",
    "list_tasks",
    "probe",
    "python_of",
    "remove",
    "simulator_of",
]
