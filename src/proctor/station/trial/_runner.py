"""Runs trials on the station, one at a time, each in a thread of its own: home, policy, home, record.

The runner never tells which policy runs: its status, its faults and the trial's folder are for the operator's eyes.
What would tell (name, arguments, latencies, the policy's own words) goes into ``secrets``.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.core import EpisodeSpec, ProctorError, TaskEntry, episode_spec
from proctor.station.arm import ArmError, ControlLoop, Cycle, JointVector, LoopState, So101Arm, Unit
from proctor.station.camera import Camera, Frame

from ._cameras import StationCameras
from ._flight import End, Flight, why_it_ended
from ._policy_process import PolicyFaultError, PolicyProcess, PolicySource
from ._recorder import Recorder
from ._settle import recover
from ._types import HOME, EndedBy, Phase, Trial, TrialError, TrialResult, TrialStatus, require_fit

# What would tell the operator which policy ran, in a folder that only its owner may read.


def write_secret(folder: Path, trial: str, values: Mapping[str, Any]) -> Path:
    """Write ``trials/<id>.json`` below ``folder``, readable by its owner only."""
    below = folder / "trials"
    path = below / f"{trial}.json"
    try:
        for each in (folder, below):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = below / f".{trial}.part"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=2)
            file.write("\n")
        temporary.replace(path)
    except OSError as error:
        raise TrialError(f"cannot write {path}: {error.strerror}") from error
    return path


def read_secret(folder: Path, trial: str) -> dict[str, Any]:
    """Return what was kept of a trial; empty where nothing was."""
    path = folder / "trials" / f"{trial}.json"
    if not path.exists():
        return {}
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values


_LOG = logging.getLogger(__name__)


class Runner:
    """The station's conductor. Use it as a context manager.

    ``connect`` opens the arm; it is called before the first trial, and again after the bus was lost. ``policy_for``
    turns a trial's ``arm`` into an import path or URL with arguments (run in a process of its own), or a policy object
    (run in a thread). ``trials`` gets one folder per trial; trials that a killed program left there are settled first.
    ``unit`` is what policies see and say; one that speaks another is refused. Rates are per second.
    """

    def __init__(
        self,
        connect: Callable[[], So101Arm],
        cameras: Sequence[Camera],
        policy_for: Callable[[str], PolicySource],
        trials: str | Path,
        *,
        secrets: str | Path | None = None,
        unit: Unit = Unit.TRUE_DEGREES,
        home: JointVector = HOME,
        loop_hz: float = 50.0,
        camera_hz: float = 30.0,
        fps: float = 30.0,
        silent_s: float = 0.5,
        first_answer_s: float = 60.0,
        load_s: float = 300.0,
    ) -> None:
        self._connect, self._policy_for = connect, policy_for
        self._trials, self._secrets = Path(trials), Path(secrets) if secrets is not None else None
        self._unit, self._home, self._loop_hz, self._fps = unit, home, loop_hz, fps
        self._silent_s, self._first_answer_s, self._load_s = silent_s, first_answer_s, load_s
        self._owned = list(cameras)
        self._cameras = StationCameras(cameras, camera_hz)
        self._policies: dict[str, PolicyProcess] = {}
        self._arm: So101Arm | None = None
        self._loop: ControlLoop | None = None
        self._recorder: Recorder | None = None
        self._flight: Flight | None = None
        self._status = TrialStatus()
        self._result: TrialResult | None = None
        self._private: dict[str, Any] = {}
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._safety = threading.Event()
        self._reason = ""
        self._cycles: list[float] = []
        self.recovered = recover(self._trials)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    # --- what others call

    def prepare(self, arms: Sequence[str]) -> None:
        """Load these policies now and refuse those that do not fit; also done, if need be, when a trial starts."""
        for arm in arms:
            self._policy(arm)

    def start(self, trial: Trial) -> None:
        """Begin a trial and return at once; refused while another runs or while the emergency stop is latched."""
        if self.busy:
            raise TrialError(f"trial {self._status.trial} is still under way: stop it first")
        if self._loop is not None and self._loop.state in {LoopState.STOPPED, LoopState.LIMP}:
            raise TrialError("the emergency stop is latched: release it before the next trial")
        if (self._trials / trial.id).exists():
            raise TrialError(f"trial {trial.id} has been recorded already: give the next attempt another id")
        self._stop.clear()
        self._safety.clear()
        self._reason, self._result, self._flight = "", None, None
        self._status = TrialStatus(trial.id, Phase.LOADING)
        self._thread = threading.Thread(target=self._run, args=(trial,), name="trial", daemon=True)
        self._thread.start()

    def go_home(self) -> None:
        """Move the arm home between trials and return at once: after a stop, or when a console was started anew."""
        if self.busy:
            raise TrialError("the arm is under way: stop it first")
        if self._loop is not None and self._loop.state in {LoopState.STOPPED, LoopState.LIMP}:
            raise TrialError("the emergency stop is latched: release it before the arm goes home")
        self._result, self._flight = None, None
        self._status = TrialStatus(phase=Phase.HOMING)
        self._thread = threading.Thread(target=self._home_alone, name="home", daemon=True)
        self._thread.start()

    def stop(self, reason: str = "operator") -> None:
        """End the trial: the arm holds, then goes home. Returns at once."""
        self._reason = reason
        self._stop.set()

    def safety_stop(self, reason: str = "operator") -> None:
        """Emergency stop: the arm holds where it is, at once, until `release`; the trial ends as ``aborted``."""
        self._reason = reason
        # Before the loop's own stop: the flight must not take it for a fault, nor for an ordinary end.
        self._safety.set()
        if self._loop is not None:
            self._loop.stop(reason)
        self._stop.set()

    def release(self) -> None:
        """End an emergency stop; the arm holds and the next trial may start."""
        if self._loop is not None and self._loop.state in {LoopState.STOPPED, LoopState.LIMP}:
            self._loop.release_stop()

    def status(self) -> TrialStatus:
        flight, seen = self._flight, self._status
        if flight is None:
            return seen
        elapsed = flight.tally.elapsed_s()
        answers = len(flight.tally.latencies_s)
        rate = answers / elapsed if elapsed > 0 else 0.0
        return replace(seen, elapsed_s=elapsed, rate_hz=self._rate(), policy_rate_hz=rate)

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def wait(self, timeout_s: float | None = None) -> TrialResult | None:
        """Wait for the end of the trial and return how it ended; None when it still goes on."""
        if self._thread is not None:
            self._thread.join(timeout_s)
        return None if self.busy else self._result

    def private(self) -> dict[str, Any]:
        """Return what was measured of the last trial's policy and would tell which one it is: not for the operator.

        ``error``, ``latencies_ms``, ``policy_calls``, ``policy_s``, ``policy_rate_hz``, ``policy``, ``fingerprint``...
        """
        return dict(self._private)

    def frame(self, camera: str) -> Frame:
        """Return a camera's newest picture, in a trial or between trials."""
        return self._cameras.frame(camera)

    def position(self) -> JointVector | None:
        """Return the arm's measured pose in true degrees; None before the first trial."""
        return self._loop.position() if self._loop is not None else None

    def close(self) -> None:
        """End the trial, the policies and the loop. The arm holds; cameras are closed."""
        self.stop("closed")
        if self._thread is not None:
            self._thread.join()
        for policy in self._policies.values():
            policy.close()
        self._policies.clear()
        self._disconnect()
        for camera in self._owned:
            camera.close()

    # --- one trial

    def _run(self, trial: Trial) -> None:
        end, hanging = End("infra_error", EndedBy.STATION, fault="the trial did not begin"), False
        try:
            end = self._conduct(trial)
            hanging = self._flight is not None and self._flight.hanging
        except PolicyFaultError as error:
            end = End("policy_error", EndedBy.POLICY, fault=error.public, detail=str(error))
        except ProctorError as error:
            end = self._safety_end() or End("infra_error", EndedBy.STATION, fault=str(error))
        except Exception as error:
            end = End("infra_error", EndedBy.STATION, fault=f"{type(error).__name__}: {error}")
        finally:
            self._finish(trial, end, forget=hanging or end.status == "policy_error")

    def _conduct(self, trial: Trial) -> End:
        self._cameras.open()
        loop = self._ready()
        meta: dict[str, Any] = {"trial": trial.id, "scene": trial.scene, "instruction": trial.instruction}
        meta |= {"time_cap_s": trial.time_cap_s, "unit": Unit.TRUE_DEGREES.value}
        meta["calibration"] = json.loads(loop.arm.calibration.to_json())
        recorder = self._recorder = Recorder(
            self._trials / trial.id, meta, loop.arm.calibration, self._cameras, self._fps
        )
        policy = self._policy(trial.arm)
        self._go_home(loop, Phase.HOMING)
        self._status = replace(self._status, phase=Phase.LOADING)
        policy.reset(self._episode(trial, policy), self._load_s)
        flight = self._flight = Flight(loop, self._cameras, policy, trial.instruction, self._unit)
        self._status = replace(self._status, phase=Phase.RUNNING)
        self._cycles = []
        end = flight.run(
            trial.time_cap_s,
            silent_s=self._silent_s,
            first_s=self._first_answer_s,
            stop=self._stop,
            safety=self._safety,
            reason=lambda: self._reason,
            trouble=lambda: recorder.problem,
        )
        # After an error nobody knows whether the way home is free: the arm holds until the next trial.
        if end.status == "completed":
            try:
                self._go_home(loop, Phase.RETURNING)
            except ArmError as error:
                # The trial itself is over and counts.
                end = replace(end, fault=str(error))
        return end

    def _safety_end(self) -> End | None:
        return End("aborted", EndedBy.SAFETY, reason=self._reason) if self._safety.is_set() else None

    def _episode(self, trial: Trial, policy: PolicyProcess) -> EpisodeSpec:
        steps = max(1, round(trial.time_cap_s * policy.spec.control_hz))
        task = TaskEntry(task=trial.scene, suite="station", instruction=trial.instruction, max_steps=steps)
        return episode_spec(task, 0, seed=trial.seed, policy=policy.name, policy_args=policy.args)

    def _home_alone(self) -> None:
        fault = ""
        try:
            self._go_home(self._ready(), Phase.HOMING)
        except ProctorError as error:
            fault = str(error)
        self._status = TrialStatus(phase=Phase.IDLE, fault=fault)

    def _go_home(self, loop: ControlLoop, phase: Phase) -> None:
        """Move home along a ramp. An arm that cannot get there has a problem that no policy caused."""
        self._status = replace(self._status, phase=phase)
        seconds = loop.move_to(self._home)
        if not loop.wait(3 * seconds + 10):
            raise ArmError(f"the arm did not come home: {why_it_ended(loop)}")

    def _finish(self, trial: Trial, end: End, *, forget: bool) -> None:
        loop, flight = self._loop, self._flight
        tally = flight.tally if flight is not None else None
        report = loop.report() if loop is not None else None
        result = TrialResult(
            status=end.status,
            ended_by=end.ended_by,
            reason=end.reason,
            fault=end.fault,
            duration_s=tally.elapsed_s() if tally else 0.0,
            control_hz=self._rate(),
            actions=tally.actions if tally else 0,
            overruns=report.overruns if report else 0,
            bus_errors=report.bus_errors if report else 0,
            events=self._events(),
        )
        self._private = self._telling(trial, end, tally.latencies_s if tally else [], result.duration_s)
        if self._recorder is not None:
            recorder, self._recorder = self._recorder, None
            with contextlib.suppress(ProctorError, OSError):
                began = tally.began_s - recorder.began_s if tally and tally.began_s else None
                telling = {} if self._secrets is not None else self._private
                recorder.finish(**{**result.to_dict(), **telling}, policy_began_s=began)
        self._cameras.close()
        if self._secrets is not None:
            with contextlib.suppress(TrialError):
                write_secret(self._secrets, trial.id, {"trial": trial.id, "arm": trial.arm, **self._private})
        if forget and (policy := self._policies.pop(trial.arm, None)) is not None:
            # A policy that failed or still owes an answer starts afresh.
            policy.close()
        # Nothing that tells the policy: the operator may read this.
        _LOG.info("trial %s: %s after %.1f s, ended by %s", trial.id, end.status, result.duration_s, end.ended_by.value)
        self._result = result
        self._status = replace(
            self.status(), phase=Phase.DONE, fault=end.fault, status=end.status, ended_by=end.ended_by
        )

    def _events(self) -> tuple[dict[str, Any], ...]:
        if self._loop is None or self._recorder is None:
            return ()
        began = self._recorder.began_s
        return tuple(
            {"time_s": round(event.time_s - began, 4), "kind": event.kind, "detail": event.detail}
            for event in self._loop.events()
            if event.time_s >= began
        )

    def _telling(self, trial: Trial, end: End, latencies_s: Sequence[float], elapsed_s: float) -> dict[str, Any]:
        values: dict[str, Any] = {
            "error": end.detail or end.fault,
            "latencies_ms": [round(1000 * value, 3) for value in latencies_s],
            "policy_calls": len(latencies_s),
            "policy_s": round(sum(latencies_s), 6),
            "policy_rate_hz": len(latencies_s) / elapsed_s if elapsed_s > 0 else 0.0,
        }
        if (policy := self._policies.get(trial.arm)) is not None:
            values |= {"policy": policy.name, "policy_args": policy.args, "fingerprint": policy.spec.fingerprint}
            values |= {"policy_control_hz": policy.spec.control_hz, "chunk": policy.spec.chunk}
        return values

    # --- arm and policies

    def _ready(self) -> ControlLoop:
        """Return the running loop; a lost arm is connected anew."""
        if self._loop is not None and self._loop.state is not LoopState.LOST:
            return self._loop
        self._disconnect()
        self._arm = self._connect()
        self._arm.configure()
        self._loop = ControlLoop(self._arm, hz=self._loop_hz, watchdog_s=self._silent_s, on_cycle=self._on_cycle)
        self._loop.start()
        return self._loop

    def _disconnect(self) -> None:
        if self._loop is not None:
            self._loop.end()
            self._loop = None
        if self._arm is not None:
            with contextlib.suppress(ArmError, OSError):
                self._arm.bus.close()
            self._arm = None

    def _policy(self, arm: str) -> PolicyProcess:
        if arm not in self._policies:
            policy = PolicyProcess(self._policy_for(arm), load_s=self._load_s)
            try:
                require_fit(policy.spec, self._cameras.names, self._unit, self._loop_hz)
            except ProctorError as error:
                policy.close()
                raise PolicyFaultError(str(error), "the policy does not fit the station") from error
            self._policies[arm] = policy
        return self._policies[arm]

    def _on_cycle(self, cycle: Cycle) -> None:
        flight, recorder, phase = self._flight, self._recorder, self._status.phase
        if phase is Phase.RUNNING:
            self._cycles.append(cycle.time_s)
        if recorder is not None:
            step = flight.tally.step if flight is not None and phase is Phase.RUNNING else -1
            recorder.cycle(cycle, step, phase.value)

    def _rate(self) -> float:
        times = self._cycles
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else 0.0
