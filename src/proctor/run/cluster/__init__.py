"""One run on many hosts: parts of a plan that are merged later, Slurm job arrays of them, and Ray."""

from ._actor import EnvironmentActor
from ._files import TaskFile
from ._merge import MergeError, MergeResult, merge
from ._ray import RayOptions, RayWorkers
from ._slurm import SlurmError, SlurmOptions, slurm_script

__all__ = [
    "EnvironmentActor",
    "MergeError",
    "MergeResult",
    "RayOptions",
    "RayWorkers",
    "SlurmError",
    "SlurmOptions",
    "TaskFile",
    "merge",
    "slurm_script",
]
