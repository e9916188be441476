"""The part of a trial in which the policy moves the arm.

One thread asks the policy without waiting, lays its chunks on the clock and hands due actions to the control loop. Next
is asked for when half of a chunk is left, or earlier where the policy has shown that it takes longer than that.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import Observation, PolicySpec
from proctor.results import Status
from proctor.station.arm import ArmError, ControlLoop, JointVector, LoopState, Unit
from proctor.station.camera import CameraError

from ._cameras import StationCameras, squared
from ._policy_host import HostAnswer
from ._policy_process import PolicyFaultError, PolicyProcess, value_of
from ._types import EndedBy

# The actions still to come: chunks laid on the clock, the newest in place of the older one.


class BadActionError(ValueError):
    """A policy's answer is no action; the text says what it is, without naming the policy."""


@dataclass(frozen=True, slots=True)
class Due:
    """An action, when it is due, and its place in the trial at the policy's rate."""

    time_s: float
    step: int
    action: NDArray[np.float64]


def checked(value: Any, spec: PolicySpec) -> NDArray[np.float64]:
    """Return an answer as actions [H, D]; whatever is not finite numbers of that shape is refused."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadActionError(f"the policy returned {type(value).__name__}, not numbers") from None
    chunk = array.reshape(1, -1) if array.ndim == 1 else array
    if chunk.ndim != 2 or chunk.shape[1] != spec.action_dim or not 1 <= len(chunk) <= spec.chunk:
        raise BadActionError(
            f"the policy returned actions of shape {array.shape}, its spec says (1..{spec.chunk}, {spec.action_dim})"
        )
    if not np.isfinite(chunk).all():
        raise BadActionError("the policy returned NaN or infinity")
    return chunk


class ChunkBuffer:
    """Holds one chunk at a time, at ``hz`` actions per second.

    A chunk starts at the action for the present: as many are left out at its front as periods have passed since its
    observation, because they were meant for the past; its last one is always kept. Actions that were due while nobody
    looked are passed over.
    """

    def __init__(self, hz: float) -> None:
        self.hz = hz
        self._due: deque[Due] = deque()

    def put(self, chunk: NDArray[np.float64], step: int, observed_s: float, now_s: float) -> None:
        """Lay a chunk out from now on; ``step`` is that of its observation."""
        late = min(max(int((now_s - observed_s) * self.hz + 1e-9), 0), len(chunk) - 1)
        self._due = deque(
            Due(now_s + number / self.hz, step + late + number, action) for number, action in enumerate(chunk[late:])
        )

    def take(self, now_s: float) -> Due | None:
        """Return the latest action that is due, once; None when there is none."""
        found = None
        while self._due and self._due[0].time_s <= now_s:
            found = self._due.popleft()
        return found

    def left_s(self, now_s: float) -> float:
        """For how long actions are still to come."""
        return max(0.0, self._due[-1].time_s + 1 / self.hz - now_s) if self._due else 0.0


@dataclass(frozen=True, slots=True)
class End:
    """Why the flight ended. ``detail`` may name the policy, ``fault`` does not."""

    status: Status
    ended_by: EndedBy
    reason: str = ""
    fault: str = ""
    detail: str = ""


@dataclass(slots=True)
class FlightTally:
    """What happened so far; others may look at it while the flight goes on."""

    began_s: float = 0.0
    ended_s: float = 0.0
    actions: int = 0
    step: int = -1
    latencies_s: list[float] = field(default_factory=list)

    def elapsed_s(self) -> float:
        """Seconds since the first answer; 0 before it."""
        return (self.ended_s or time.monotonic()) - self.began_s if self.began_s else 0.0


class Flight:
    """One run of a policy on the arm."""

    def __init__(
        self, loop: ControlLoop, cameras: StationCameras, policy: PolicyProcess, instruction: str, unit: Unit
    ) -> None:
        self.tally = FlightTally()
        self._loop, self._cameras, self._policy = loop, cameras, policy
        self._instruction, self._unit = instruction, unit
        self._buffer = ChunkBuffer(policy.spec.control_hz)
        self._asked: Future[HostAnswer] | None = None
        self._asked_s = 0.0
        self._asked_step = 0
        self._chunk_s = 1 / policy.spec.control_hz
        self._recent_s: deque[float] = deque(maxlen=10)

    @property
    def hanging(self) -> bool:
        """Whether the policy still owes an answer."""
        return self._asked is not None and not self._asked.done()

    def run(
        self,
        cap_s: float,
        *,
        silent_s: float,
        first_s: float,
        stop: threading.Event,
        safety: threading.Event,
        reason: Callable[[], str],
        trouble: Callable[[], str],
    ) -> End:
        """Fly until something ends it: the cap, ``stop``, ``safety``, a fault. The arm holds afterwards.

        ``trouble`` tells of the record: a trial that cannot be recorded is no trial.
        """
        self._stop, self._safety, self._reason, self._trouble = stop, safety, reason, trouble
        try:
            self._first(first_s)
            return self._steer(cap_s, silent_s)
        except PolicyFaultError as error:
            return End("policy_error", EndedBy.POLICY, fault=error.public, detail=str(error))
        except BadActionError as error:
            return End("policy_error", EndedBy.POLICY, fault=str(error), detail=str(error))
        except CameraError as error:
            return End("infra_error", EndedBy.STATION, fault=str(error))
        finally:
            self.tally.ended_s = time.monotonic()

    def _first(self, limit_s: float) -> None:
        """Wait for the first chunk with the arm at rest: the first answer of a model may take long."""
        self._ask(0)
        assert self._asked is not None
        deadline = time.monotonic() + limit_s
        while not self._asked.done() and time.monotonic() < deadline and not self._stop.wait(0.005):
            if self._loop.state in {LoopState.LOST, LoopState.STOPPED}:
                break
        now = time.monotonic()
        self.tally.began_s = now
        if self._asked.done():
            self._receive(now, observed_s=now)
        elif now >= deadline:
            text = f"the policy gave no first answer within {limit_s:g} s"
            raise PolicyFaultError(text, text)

    def _steer(self, cap_s: float, silent_s: float) -> End:
        period_s = 1 / self._policy.spec.control_hz
        acted_s = due = self.tally.began_s
        while True:
            now = time.monotonic()
            if (end := self._ended(now, cap_s)) is not None:
                return end
            self._exchange(now)
            if (action := self._buffer.take(time.monotonic())) is not None:
                acted_s = now
                self._submit(action.action, action.step)
            elif now - acted_s > silent_s:
                text = f"the policy was silent for {1000 * silent_s:.0f} ms: the arm holds"
                return End("policy_error", EndedBy.POLICY, fault=text, detail=text)
            due = max(due + period_s, time.monotonic() - period_s)
            # Half a period at most, so that an action is not late by a whole one.
            self._stop.wait(min(max(0.0, due - time.monotonic()), period_s / 2))

    def _ended(self, now: float, cap_s: float) -> End | None:
        state = self._loop.state
        if self._safety.is_set():
            return End("aborted", EndedBy.SAFETY, reason=self._reason())
        if state is LoopState.LOST:
            return End("infra_error", EndedBy.STATION, fault=f"the arm is lost: {last_event(self._loop, 'lost')}")
        if state in {LoopState.STOPPED, LoopState.LIMP}:
            why = last_event(self._loop, "stop") or state.value
            return End("infra_error", EndedBy.STATION, fault=f"the arm stopped by itself: {why}")
        if self._stop.is_set():
            return End("completed", EndedBy.OPERATOR, reason=self._reason())
        if now - self.tally.began_s >= cap_s:
            return End("completed", EndedBy.CAP, reason=f"{cap_s:g} s")
        if line := self._trouble():
            return End("infra_error", EndedBy.STATION, fault=line)
        # Raises when a camera is lost.
        self._cameras.latest()
        return None

    def _exchange(self, now: float) -> None:
        """Take the answer that has come, and ask again when it is time."""
        if self._asked is not None:
            if not self._asked.done():
                return
            self._receive(now, observed_s=self._asked_s)
        slow_s = 1.5 * max(self._recent_s, default=0.0)
        if self._buffer.left_s(now) <= max(self._chunk_s / 2, slow_s):
            self._ask(round((now - self.tally.began_s) * self._policy.spec.control_hz))

    def _ask(self, step: int) -> None:
        spec = self._policy.spec
        frames = self._cameras.latest()
        state = np.array(self._loop.position(self._unit).values)
        images = squared(frames, spec.cameras, spec.image_size)
        self._asked_s, self._asked_step = time.monotonic(), step
        self._asked = self._policy.act(Observation(images, state, self._instruction, step))

    def _receive(self, now: float, observed_s: float) -> None:
        assert self._asked is not None
        answer, self._asked = self._asked, None
        chunk = checked(value_of(answer, 0.0, "raised an exception"), self._policy.spec)
        took = now - self._asked_s
        self._recent_s.append(took)
        self.tally.latencies_s.append(took)
        self._chunk_s = len(chunk) / self._policy.spec.control_hz
        self._buffer.put(chunk, self._asked_step, observed_s, now)

    def _submit(self, action: np.ndarray, step: int) -> None:
        try:
            self._loop.submit(JointVector.of(action, self._unit))
        except ArmError:
            # Stopped or lost this very moment: the next look at the loop says so.
            return
        self.tally.actions += 1
        self.tally.step = step


def last_event(loop: ControlLoop, kind: str) -> str:
    """Return what the loop noted last under ``kind``."""
    return next((event.detail for event in reversed(loop.events()) if event.kind == kind), "")


def why_it_ended(loop: ControlLoop) -> str:
    """Return why a move did not arrive."""
    match loop.state:
        case LoopState.LOST:
            return last_event(loop, "lost")
        case LoopState.STOPPED:
            return f"it was stopped ({last_event(loop, 'stop')})"
        case LoopState.MOVING:
            return "it is still on its way"
        case LoopState.LIMP:
            return "it is limp"
        case _:
            return "something blocks it; clear its way"
