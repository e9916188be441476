"""Trials on the station: the runner, policies beside the bus, and the record of every trial.

from proctor.station.trial import Runner, Trial

with Runner(connect, cameras, policy_for, "session/trials", secrets="session/secret") as runner:
    runner.start(Trial("t001", arm="a", instruction="Stack red block on blue block"))
    runner.status()
    runner.stop("success")
    result = runner.wait()
"""

from ._cameras import StationCameras, squared, without_bars
from ._flight import BadActionError, ChunkBuffer, Flight, checked
from ._leader import KEYS, Keyboard, LeaderArm
from ._policy_process import PolicyFaultError, PolicyProcess, PolicySource
from ._recorder import Recorder
from ._runner import Runner, read_secret, write_secret
from ._scripted import ScriptedPolicy, SloppyPolicy, find_coloured
from ._settle import read_meta, recover
from ._telemetry import FILE as TELEMETRY_FILE
from ._telemetry import FRAMES_FILE, UNIT_KEY
from ._types import (
    HOME,
    EndedBy,
    Phase,
    Trial,
    TrialError,
    TrialResult,
    TrialStatus,
    control_mode,
    require_fit,
    station_env_spec,
)
from ._words import ColouredThing, is_done, understand

__all__ = [
    "FRAMES_FILE",
    "HOME",
    "KEYS",
    "TELEMETRY_FILE",
    "UNIT_KEY",
    "BadActionError",
    "ChunkBuffer",
    "ColouredThing",
    "EndedBy",
    "Flight",
    "Keyboard",
    "LeaderArm",
    "Phase",
    "PolicyFaultError",
    "PolicyProcess",
    "PolicySource",
    "Recorder",
    "Runner",
    "ScriptedPolicy",
    "SloppyPolicy",
    "StationCameras",
    "Trial",
    "TrialError",
    "TrialResult",
    "TrialStatus",
    "checked",
    "control_mode",
    "find_coloured",
    "is_done",
    "read_meta",
    "read_secret",
    "recover",
    "require_fit",
    "squared",
    "station_env_spec",
    "understand",
    "without_bars",
    "write_secret",
]
