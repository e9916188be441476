"""What the console page shows and does: session, runner, cameras and scene check behind one lock.

Every key is one action. It is refused if the page that sent it had not seen the latest line of the journal: two taps
on *Next* do not skip a trial, and two tablets do not score the same one. The safety stop is never refused.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from proctor.core import ProctorError
from proctor.station.camera import CameraThread, Frame
from proctor.station.scene import SceneReference, Tolerance, load_scenes
from proctor.station.session import PRIVATE, Session, SessionError, SessionState
from proctor.station.trial import EndedBy, Phase, Runner, Trial, TrialResult, TrialStatus

from ._gatekeeper import Gatekeeper, gate_view, save_picture, to_jpeg

if TYPE_CHECKING:
    from proctor.station.session import SceneCard, SessionState


# The state of the station as the page gets it: only what is named here, nothing that depends on which policy runs.
#
# Left out on purpose: the policy's rate and latencies (they tell a large model from a small one), and what a policy
# said when it failed. Loading and homing are one phase to the page, for policies load at different speeds.

# What the second of the two scoring keys says, by how the trial ended.
OTHER_LABEL: Final = {
    "timeout": "timeout",
    "safety": "safety",
    "infra_error": "system",
    "interrupted": "system",
}
_ENDED: Final = {
    "operator": "You stopped it. Judge by the criterion only.",
    "policy_done": "It ended by itself. Judge by the criterion only.",
    "timeout": "The time is over. Judge what was reached by then.",
    "safety": "Safety stop. The arm holds until you release it.",
    "policy_error": "It stopped answering, and the arm holds.",
    "infra_error": "The station failed, not the policy: this trial is run again.",
    "interrupted": "The console was interrupted: this trial is run again.",
}
_ARM: Final = {
    Phase.IDLE: "Arm waits",
    Phase.LOADING: "Arm goes home",
    Phase.HOMING: "Arm goes home",
    Phase.RUNNING: "Arm moves",
    Phase.RETURNING: "Arm goes home",
    Phase.DONE: "Arm holds",
}


@functools.cache
def _distractors() -> dict[tuple[str, str], int]:
    return {(str(scene.id), scene.name): scene.distractors for scene in load_scenes()}


def scene_view(card: SceneCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "name": card.name,
        "instruction": card.instruction,
        "criterion": card.criterion,
        "level": card.level,
        "split": card.split,
        "distractors": _distractors().get((card.id, card.name)),
    }


def then_view(state: SessionState) -> dict[str, Any] | None:
    """Return the scene of the trial after this one, so that its objects can be fetched; None after the last."""
    if state.then is None:
        return None
    return {"id": state.then.id, "instruction": state.then.instruction, "same": state.then.id == state.scene.id}


def arm_view(status: TrialStatus, *, stopped: bool) -> dict[str, Any]:
    """Return how the arm is: a word, whether that is good, and what the station says is wrong with it.

    What is wrong with a policy is not said: one that sends NaN would be known by it.
    """
    # On the way home no policy is at fault.
    station = status.ended_by is EndedBy.STATION or status.phase is Phase.IDLE
    why = status.fault if station else ""
    if stopped:
        return {"ok": False, "text": "Arm stopped", "why": why}
    return {"ok": not status.fault, "text": "Arm trouble" if status.fault else _ARM[status.phase], "why": why}


def timer_view(state: SessionState, status: TrialStatus) -> dict[str, Any]:
    """Return the clock: it runs from the policy's first action, not from the key."""
    running = state.phase == "running" and status.phase is Phase.RUNNING
    elapsed = state.elapsed_s if state.elapsed_s is not None else status.elapsed_s if running else 0.0
    return {"elapsed_s": round(min(elapsed, state.cap_s), 2), "cap_s": state.cap_s, "running": running}


def other_label(state: SessionState) -> str:
    """Return what pressing Fail means now."""
    return OTHER_LABEL.get(state.stop_reason, "fail") if state.phase in ("scoring", "done") else "fail"


def keys_of(state: SessionState, *, busy: bool, stopped: bool) -> list[str]:
    able = set(state.actions)
    keys: list[str] = [key for key in ("note", "undo", "stop", "next", "invalid") if key in able]
    if state.phase in ("setup", "gate"):
        keys.append("check")
    if state.phase == "gate" and not (state.gate and state.gate.get("passed")):
        keys.append("override")
    if "start" in able and not busy and not stopped:
        keys.append("start")
    if "item" in able:
        keys.append("items")
    if state.phase == "running":
        keys += ["success", "fail"]
    elif state.phase == "scoring":
        keys += [key for key, label in (("success", "success"), ("fail", other_label(state))) if label in state.labels]
    if stopped:
        keys.append("release")
    elif not busy and state.phase != "running":
        keys.append("home")
    return sorted(keys)


def ended_words(state: SessionState) -> str:
    return _ENDED.get(state.stop_reason, "") if state.phase == "scoring" else ""


# A camera of the runner's, so that the page and the policy look through the same one.


class RunnerCamera:
    """Reads a camera through the runner, which owns it."""

    def __init__(self, name: str, runner: Runner) -> None:
        self.name = name
        self._runner = runner

    def read(self) -> Frame:
        return self._runner.frame(self.name)

    def close(self) -> None:
        """Nothing: the runner closes its cameras."""


# Every action of the page and the texts that belong to it.
ACTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "check": (),
    "override": ("reason",),
    "start": (),
    "stop": (),
    "success": (),
    "fail": (),
    "item": ("kind",),
    "invalid": ("reason",),
    "undo": (),
    "next": (),
    "note": ("text",),
    "release": (),
    "home": (),
    "safety_stop": (),
}
_AT_ANY_TIME: Final = ("note", "item", "safety_stop", "release", "home")
_POLL_S: Final = 0.05
_RETRY_S: Final = 0.5
_LOG: Final = logging.getLogger(__name__)
_STOP_REASON: Final = {EndedBy.OPERATOR: "operator", EndedBy.CAP: "timeout", EndedBy.STATION: "infra_error"}


class StaleError(ProctorError):
    """The page had not seen the latest state when its key was pressed."""


class Desk:
    """What the console's routes talk to. Use it as a context manager; it closes neither session nor runner.

    ``references`` returns the reference picture of a scene's id, or None.
    """

    def __init__(
        self,
        session: Session,
        runner: Runner,
        cameras: tuple[str, ...],
        references: Callable[[str], SceneReference | None],
        *,
        camera_hz: float = 10.0,
        tolerance: Tolerance | None = None,
    ) -> None:
        self._session = session
        self._runner = runner
        self._cameras = [CameraThread(RunnerCamera(name, runner), camera_hz, retry_s=_RETRY_S) for name in cameras]
        self._jpegs = [(0, b"")] * len(cameras)
        for camera in self._cameras:
            camera.open()
        self._gate = Gatekeeper(self._cameras[cameras.index("top")], references, tolerance)
        self._lock = threading.RLock()
        self._stopped = False
        self._message = ""
        self._blocks = 1 + max(trial["block"] for trial in session.public["trials"])
        self._ending = threading.Event()
        self._follow()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._thread.start()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop watching cameras, gate and runner."""
        self._ending.set()
        self._thread.join()
        self._gate.close()
        for camera in self._cameras:
            camera.close()

    # --- what the page sees

    def snapshot(self) -> dict[str, Any]:
        """Return the state for the page; everything in it may be seen by the operator."""
        state, status = self._session.state(), self._runner.status()
        live = self._gate.live
        return {
            "version": len(self._session.entries),
            "session": state.session,
            "phase": "finished" if state.finished else state.phase,
            "trial": state.trial,
            "attempt": state.attempt,
            "human": state.kind == "human",
            "scene": scene_view(state.scene),
            "then": then_view(state),
            "progress": {
                "number": state.number,
                "total": state.total,
                "done": state.number - 1 + (state.phase == "done" and state.label not in _VOID),
                "scene": state.block + 1,
                "scenes": self._blocks,
            },
            "timer": timer_view(state, status),
            "arm": arm_view(status, stopped=self._stopped),
            "cameras": [{"name": camera.name, "ok": camera.ok} for camera in self._cameras],
            "reference": bool(self._gate.reference_jpeg),
            "gate": gate_view(live) if live and state.phase in ("setup", "gate") else None,
            "overridden": bool(state.override),
            "items": {"placed": state.placed, "dropped": state.dropped, "lost": state.lost, "of": state.scene.items},
            "outcome": state.label,
            "other": other_label(state),
            "ended": ended_words(state),
            "keys": keys_of(state, busy=self._runner.busy, stopped=self._stopped),
            "message": self._message,
        }

    def picture(self, index: int) -> tuple[int, bytes]:
        """Return the newest picture of a camera, by its place, with a number that grows; empty while there is none."""
        number, frame = self._cameras[index].newest()
        if frame is not None and number != self._jpegs[index][0]:
            self._jpegs[index] = (number, to_jpeg(frame.image))
        return self._jpegs[index]

    def reference(self) -> bytes:
        """Return the reference picture of the present scene; empty without one."""
        return self._gate.reference_jpeg

    # --- what the page does

    def act(self, action: str, data: Mapping[str, str], seen: int | None) -> int:
        """Carry out a key and return the state's new version; raises one line for what is not possible now."""
        if action == "safety_stop":
            self._safety_stop()
            return len(self._session.entries)
        with self._lock:
            if action not in _AT_ANY_TIME and seen != len(self._session.entries):
                raise StaleError("the station has moved on since: look again")
            self._message = ""
            self._doing[action](self, data)
            self._follow()
            return len(self._session.entries)

    def _safety_stop(self) -> None:
        # Not behind the lock: a measurement of the gate may hold it for a moment.
        self._runner.safety_stop("operator")
        self._stopped = True
        with self._lock:
            self._session.act("safety_stop", **self._elapsed())
            self._follow()

    def _check(self, data: Mapping[str, str]) -> None:
        if self._session.state().phase == "setup":
            self._session.act("begin_scene")
        result, jpeg = self._gate.check()
        numbers = result.to_json()
        if result.ok:
            numbers["picture"] = save_picture(self._session.folder, self._session.state().trial, jpeg)
        self._session.act("gate_result", passed=result.ok, **numbers)

    def _override(self, data: Mapping[str, str]) -> None:
        if self._session.state().phase == "setup":
            self._session.act("begin_scene")
        self._session.act("override_gate", reason=data.get("reason", ""))

    def _start(self, data: Mapping[str, str]) -> None:
        if self._stopped:
            raise SessionError("the arm was stopped for safety: release it first")
        if self._runner.busy:
            raise SessionError("the arm is still on its way home: wait a moment")
        # First the line in the journal, then the arm: what moves has been written down.
        state = self._session.act("start")
        arm = self._session.arm_for(state.trial)
        try:
            self._runner.start(Trial(state.trial, arm.label, state.scene.instruction, state.cap_s, state.scene.id))
        except ProctorError as error:
            self._session.act("stop", reason="infra_error", elapsed_s=0.0, error=str(error))
            self._message = str(error)

    def _stop(self, data: Mapping[str, str]) -> None:
        self._session.act("stop", reason="operator", **self._elapsed())
        self._runner.stop("operator")

    def _score(self, label: str) -> None:
        if self._session.state().phase == "running":
            self._stop({})
        state = self._session.state()
        self._session.act("outcome", label=other_label(state) if label == "fail" else label)

    def _pass_on(self, action: str, data: Mapping[str, str]) -> None:
        self._session.act(action, **data)

    def _release(self, data: Mapping[str, str]) -> None:
        self._runner.release()
        # Written down before the page can see it: a key pressed in between would be called stale.
        self._session.act("note", text="the arm was released after a safety stop")
        self._stopped = False

    def _home(self, data: Mapping[str, str]) -> None:
        if self._session.state().phase == "running":
            raise SessionError("a trial runs: stop it first")
        self._runner.go_home()

    _doing: Final[Mapping[str, Callable[[Desk, Mapping[str, str]], None]]] = {
        "check": _check,
        "override": _override,
        "start": _start,
        "stop": _stop,
        "success": lambda desk, data: desk._score("success"),
        "fail": lambda desk, data: desk._score("fail"),
        "item": lambda desk, data: desk._pass_on("item", {"kind": data.get("kind", "")}),
        "invalid": lambda desk, data: desk._pass_on("invalid", {"reason": data.get("reason", "")}),
        "undo": lambda desk, data: desk._pass_on("undo", {}),
        "next": lambda desk, data: desk._pass_on("next", {}),
        "note": lambda desk, data: desk._pass_on("note", {"text": data.get("text", "")}),
        "release": _release,
        "home": _home,
    }

    # --- what happens by itself

    def _elapsed(self) -> dict[str, float]:
        """What the runner measured so far. The session keeps what is said of the policy with its secrets."""
        status = self._runner.status()
        return {
            "elapsed_s": status.elapsed_s,
            "rate_hz": round(status.rate_hz, 2),
            "policy_calls": round(status.policy_rate_hz * status.elapsed_s),
            "policy_rate_hz": round(status.policy_rate_hz, 3),
        }

    def _follow(self) -> None:
        state = self._session.state()
        self._gate.watch(state.scene.id, state.phase in ("setup", "gate"))

    def _run(self) -> None:
        while not self._ending.wait(_POLL_S):
            if self._session.state().phase != "running" or self._runner.busy:
                continue
            with self._lock:
                try:
                    self._notice_the_end(self._session.state())
                except ProctorError as error:
                    _LOG.error("%s", error)
                    self._message = str(error)

    def _notice_the_end(self, state: SessionState) -> None:
        result = self._runner.wait(0.0)
        if state.phase != "running" or result is None or self._runner.status().phase is not Phase.DONE:
            return
        data: dict[str, Any] = {"elapsed_s": result.duration_s, "rate_hz": round(result.control_hz, 2)}
        data |= {name: value for name, value in self._runner.private().items() if name in PRIVATE}
        if result.ended_by is EndedBy.SAFETY:
            self._stopped = True
            self._session.act("safety_stop", **data)
        else:
            self._session.act("stop", reason=_reason(result), **data)
        self._follow()


_VOID: Final = ("invalid", "system")


def _reason(result: TrialResult) -> str:
    if result.ended_by is EndedBy.POLICY:
        return "policy_done" if result.status == "completed" else "policy_error"
    return _STOP_REASON.get(result.ended_by, "infra_error")
