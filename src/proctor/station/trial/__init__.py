"""Trials on the bench: the runner, policies beside the bus, and the record of every trial.

from proctor.station.trial import Runner, Trial

with Runner(connect, cameras, policy_for, "session/trials", secrets="session/secret") as runner:
    runner.start(Trial("t001", arm="a", instruction="Stack red block on blue block"))
    runner.status()
    runner.stop("success")
    result = runner.wait()
"""

from ._flight import BadActionError, ChunkBuffer, checked
from ._leader import KEYS, Keyboard, LeaderArm
from ._policy_process import PolicyFaultError, PolicySource
from ._recorder import Recorder
from ._runner import Runner, read_secret, write_secret
from ._scripted import ScriptedPolicy, SloppyPolicy
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
    bench_env_spec,
    control_mode,
    require_fit,
)
from ._words import is_done

__all__ = [
    "FRAMES_FILE",
    "HOME",
    "KEYS",
    "TELEMETRY_FILE",
    "UNIT_KEY",
    "BadActionError",
    "ChunkBuffer",
    "EndedBy",
    "Keyboard",
    "LeaderArm",
    "Phase",
    "PolicyFaultError",
    "PolicySource",
    "Recorder",
    "Runner",
    "ScriptedPolicy",
    "SloppyPolicy",
    "Trial",
    "TrialError",
    "TrialResult",
    "TrialStatus",
    "bench_env_spec",
    "checked",
    "control_mode",
    "is_done",
    "read_meta",
    "read_secret",
    "recover",
    "require_fit",
    "write_secret",
]
