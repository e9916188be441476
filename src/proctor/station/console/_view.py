"""The state of the bench as the page gets it: only what is named here, nothing that depends on which policy runs.

Left out on purpose: the policy's rate and latencies (they tell a large model from a small one), and what a policy
said when it failed. Loading and homing are one phase to the page, for policies load at different speeds.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from proctor.station.scene import load_scenes
from proctor.station.trial import EndedBy, Phase, TrialStatus

if TYPE_CHECKING:
    from proctor.station.session import SceneCard, SessionState

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
    "infra_error": "The bench failed, not the policy: this trial is run again.",
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
    """Return how the arm is: a word, whether that is good, and what the bench says is wrong with it.

    What is wrong with a policy is not said: one that sends NaN would be known by it.
    """
    # On the way home no policy is at fault.
    bench = status.ended_by is EndedBy.BENCH or status.phase is Phase.IDLE
    why = status.fault if bench else ""
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
