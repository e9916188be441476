"""Many hosts: a coordinator inside the run, agents anywhere, and what starts agents (this host, Ray, Slurm)."""

from .._worker import die_with
from ._address import LOOPBACK, fleet_token
from ._agent import AgentOptions, work
from ._coordinator import Coordinator
from ._errors import FleetError
from ._local import LocalAgent
from ._options import FleetOptions, Launcher
from ._ray import RayAgents
from ._slurm import SlurmOptions, slurm_script

__all__ = [
    "LOOPBACK",
    "AgentOptions",
    "Coordinator",
    "FleetError",
    "FleetOptions",
    "Launcher",
    "LocalAgent",
    "RayAgents",
    "SlurmOptions",
    "die_with",
    "fleet_token",
    "slurm_script",
    "work",
]
