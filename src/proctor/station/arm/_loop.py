"""The control loop: a thread that keeps the bus busy at a fixed rate and never waits for a policy.

Rules, in this order, every cycle:

1. **Emergency stop** is latched: the arm holds where it was measured when the stop came, until `release_stop`.
2. **Goal**: the last one submitted. Submitting never blocks and never touches the bus.
3. **Watchdog**: no new goal for ``watchdog_s`` and no move under way: hold the last command, say so once.
4. **Limits**: range, leash and speed (`Limiter`), whatever the goal was. A goal that is not finite is refused and
   counts as silence.
5. **Bus trouble**: a cycle without an answer changes nothing; the servos hold their last goal by themselves. After
   ``give_up_s`` without any answer the loop ends in the state ``lost``.

Stop means hold, not limp: an SO-101 has no brakes, and a limp arm falls onto what is under it, with what is in its
gripper. To make it limp on purpose call `go_limp`; to cut everything use the switch of the 12 V supply.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ._arm import So101Arm, Telemetry
from ._calibration import DEGREES_PER_TICK, JOINTS, SERVO_IDS
from ._errors import ArmError, BusError, BusLostError, EmergencyStopError
from ._limits import Limiter, Limits
from ._packets import ServoFault, fault_names
from ._units import JointVector, Unit, from_ticks, to_ticks

# Moves from pose to pose with a smooth start and end.

# The steepest slope of the minimum-jerk curve s(u) = 10u^3 - 15u^4 + 6u^5, at u = 1/2.
PEAK_SLOPE = 1.875


def ramp_seconds(start: Mapping[str, int], goal: Mapping[str, int], limits: Limits, share: float = 0.8) -> float:
    """Return the time in which all joints arrive together, the fastest at ``share`` of its speed limit at most."""
    return max(
        PEAK_SLOPE * abs(goal[joint] - start[joint]) * DEGREES_PER_TICK / (share * limits.velocity_deg_s[joint])
        for joint in JOINTS
    )


def ramp(start: Mapping[str, int], goal: Mapping[str, int], fraction: float) -> dict[str, int]:
    """Return the pose at ``fraction`` of the time, 0 to 1, along the minimum-jerk curve."""
    u = min(max(fraction, 0.0), 1.0)
    s = u**3 * (10 - 15 * u + 6 * u * u)
    return {joint: round(start[joint] + s * (goal[joint] - start[joint])) for joint in JOINTS}


class LoopState(StrEnum):
    """What the loop is doing."""

    FOLLOWING = "following"
    MOVING = "moving"
    HOLDING = "holding"
    STOPPED = "stopped"
    LIMP = "limp"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class LoopEvent:
    """Something to record. ``kind``: watchdog, refused, bus_error, lost, fault, error, stop, release or limp."""

    time_s: float
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """One turn of the loop, for recorders: what was measured, what was then commanded (ticks), and when."""

    time_s: float
    telemetry: Telemetry
    command: Mapping[str, int]
    state: LoopState


@dataclass(frozen=True, slots=True)
class LoopReport:
    """How the loop kept its rate. Periods are between consecutive commands on the bus."""

    cycles: int
    hz: float
    period_p50_ms: float
    period_p99_ms: float
    overruns: int
    bus_errors: int


@dataclass(frozen=True, slots=True)
class _Move:
    start: Mapping[str, int]
    goal: Mapping[str, int]
    began_s: float
    seconds: float


class ControlLoop:
    """Runs the arm at ``hz``. Use it as a context manager: torque is on inside, and held when it ends.

    ``on_cycle`` is called in the loop's thread after every command; it must be quick.
    """

    def __init__(
        self,
        arm: So101Arm,
        *,
        hz: float = 50.0,
        watchdog_s: float = 0.5,
        give_up_s: float = 2.0,
        on_cycle: Callable[[Cycle], None] | None = None,
    ) -> None:
        self.arm = arm
        self.period_s = 1.0 / hz
        self.watchdog_s = watchdog_s
        self.give_up_s = give_up_s
        self.limiter = Limiter(arm.calibration, arm.limits, self.period_s)
        self._on_cycle = on_cycle
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        # Held from choosing a command until it is on the wire: a goal that reaches a servo after its torque was
        # switched off might switch it on again. Taken before ``_lock``, never inside it.
        self._turn = threading.Lock()
        self._events: deque[LoopEvent] = deque(maxlen=10_000)
        self._periods: deque[float] = deque(maxlen=100_000)
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._state = LoopState.HOLDING
        self._goal: dict[str, int] = {}
        self._goal_s = 0.0
        self._move: _Move | None = None
        self._arrived = True
        self._command: dict[str, int] = {}
        self._command_s = 0.0
        self._telemetry: Telemetry | None = None
        self._faults: dict[str, int] = dict.fromkeys(JOINTS, 0)
        self._stop_asked = False
        self._cycles = 0
        self._overruns = 0
        self._bus_errors = 0

    # --- life

    def start(self) -> None:
        """Take hold of the arm where it is, and begin."""
        self.arm.torque_on()
        telemetry = self.arm.telemetry()
        now = time.monotonic()
        self._telemetry, self._command, self._command_s = telemetry, dict(telemetry.ticks), now
        self._goal, self._goal_s = dict(telemetry.ticks), now
        self._ending.clear()
        self._thread = threading.Thread(target=self._run, name="arm-loop", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End the thread. The servos go on holding their last goal."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def __enter__(self) -> ControlLoop:
        self.start()
        return self

    def __exit__(self, *details: object) -> None:
        self.end()

    # --- what others call; none of it touches the bus

    def submit(self, goal: JointVector) -> None:
        """Set the goal to follow. Returns at once. A goal with NaN or infinity is refused and recorded."""
        if not goal.finite:
            self._note("refused", f"a goal that is not finite: {goal.values}")
            raise ArmError("the goal is not finite: the arm holds; look at the policy's output")
        ticks = to_ticks(goal, self.arm.calibration)
        with self._lock:
            self._require_free()
            self._goal, self._goal_s, self._move, self._arrived = ticks, time.monotonic(), None, True

    def move_to(self, goal: JointVector, seconds: float | None = None) -> float:
        """Begin a smooth move and return its duration; ``seconds`` is stretched where a speed limit asks for it."""
        ticks = to_ticks(goal, self.arm.calibration)
        bounded = {joint: min(max(ticks[joint], low), high) for joint, (low, high) in self.limiter.range.items()}
        with self._lock:
            self._require_free()
            least = ramp_seconds(self._command, bounded, self.arm.limits)
            duration = max(least, seconds or 0.0, self.period_s)
            self._move = _Move(dict(self._command), bounded, time.monotonic(), duration)
            self._state, self._arrived = LoopState.MOVING, False
        return duration

    def wait(self, timeout_s: float = 30.0) -> bool:
        """Wait until no move is under way; return whether it arrived, in time and without a stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._state is not LoopState.MOVING, timeout_s)
            return self._arrived and self._state in {LoopState.HOLDING, LoopState.FOLLOWING}

    def stop(self, reason: str = "operator") -> None:
        """Emergency stop: hold where the arm is, now, and accept nothing until `release_stop`."""
        with self._lock:
            self._stop_asked = True
            self._move = None
            self._enter(LoopState.STOPPED)
        self._note("stop", reason)

    def release_stop(self) -> None:
        """End an emergency stop or limpness: the arm holds and takes goals again."""
        with self._turn:
            if self._state is LoopState.LOST:
                raise BusLostError("the arm is lost: check its cable and power, then reconnect")
            if self._state is LoopState.LIMP:
                self.arm.torque_on()
                self._command = self.arm.ticks()
            now = time.monotonic()
            with self._lock:
                self._stop_asked = False
                self._goal, self._goal_s, self._command_s = dict(self._command), now, now
                self._enter(LoopState.HOLDING)
        self._note("release", "")

    def go_limp(self) -> None:
        """Switch all torque off. The arm falls: support it. Waits for the bus, unlike `stop`."""
        with self._turn:
            with self._lock:
                self._move = None
                self._enter(LoopState.LIMP)
            self._note("limp", "")
            self.arm.torque_off()

    @property
    def state(self) -> LoopState:
        return self._state

    @property
    def telemetry(self) -> Telemetry:
        if self._telemetry is None:
            raise ArmError("the control loop has not started")
        return self._telemetry

    def position(self, unit: Unit = Unit.TRUE_DEGREES) -> JointVector:
        """The latest measured pose in ``unit``."""
        return from_ticks(self.telemetry.ticks, self.arm.calibration, unit)

    def command(self, unit: Unit = Unit.TRUE_DEGREES) -> JointVector:
        """What the servos were last told, after all limits, in ``unit``."""
        with self._lock:
            ticks = dict(self._command)
        return from_ticks(ticks, self.arm.calibration, unit)

    def events(self) -> list[LoopEvent]:
        return list(self._events)

    def report(self) -> LoopReport:
        periods = sorted(self._periods)
        middle, late = (periods[int(len(periods) * q)] if periods else 0.0 for q in (0.5, 0.99))
        mean = sum(periods) / len(periods) if periods else 0.0
        return LoopReport(
            self._cycles, 1 / mean if mean else 0.0, middle * 1e3, late * 1e3, self._overruns, self._bus_errors
        )

    # --- the thread

    def _run(self) -> None:
        due = time.monotonic()
        answered = due
        while not self._ending.is_set():
            try:
                self._cycle()
                answered = time.monotonic()
            except BusError as error:
                self._bus_errors += 1
                self._note("bus_error", str(error))
                if isinstance(error, BusLostError) or time.monotonic() - answered > self.give_up_s:
                    self._note("lost", str(error))
                    with self._lock:
                        self._enter(LoopState.LOST)
                    return
            except Exception as error:
                # A recorder that fails must not take the arm with it, and must not go unnoticed.
                if self._state is not LoopState.STOPPED:
                    self._note("error", f"{type(error).__name__}: {error}")
                    self.stop("an error in the control loop")
            due += self.period_s
            now = time.monotonic()
            if due < now:
                # Late: skip the missed cycles instead of running them in a burst.
                self._overruns += 1
                due = now
            self._ending.wait(due - now)

    def _cycle(self) -> None:
        telemetry = self.arm.telemetry()
        self._telemetry = telemetry
        self._watch_faults(telemetry)
        with self._turn:
            if self._state is LoopState.LIMP:
                return
            command = self._next(telemetry)
            self.arm.write_goal(command)
        self._cycles += 1
        if self._on_cycle is not None:
            self._on_cycle(Cycle(self._command_s, telemetry, command, self._state))

    def _next(self, telemetry: Telemetry) -> dict[str, int]:
        with self._lock:
            now = time.monotonic()
            if self._state is LoopState.STOPPED:
                # Once: from then on the arm holds this pose, also if it is pushed.
                command = dict(telemetry.ticks) if self._stop_asked else dict(self._command)
                self._stop_asked = False
            else:
                goal = self._wanted(now)
                command = self.limiter.next(self._command, goal, telemetry.ticks, now - self._command_s)
            self._periods.append(now - self._command_s)
            self._command, self._command_s = command, now
            return command

    def _wanted(self, now: float) -> dict[str, int]:
        if self._move is not None:
            fraction = (now - self._move.began_s) / self._move.seconds
            wanted = ramp(self._move.start, self._move.goal, fraction)
            if fraction >= 1 and self._command == self._move.goal:
                self._goal, self._goal_s, self._move, self._arrived = dict(self._move.goal), now, None, True
                self._enter(LoopState.HOLDING)
            elif fraction >= 1 and now - self._move.began_s > 2 * self._move.seconds + 2.0:
                # Something holds the arm at the end of its leash; a move that cannot end is no move.
                self._goal, self._goal_s, self._move = dict(self._command), now, None
                self._note("refused", "the move did not arrive: something blocks the arm")
                self._enter(LoopState.HOLDING)
            return wanted
        if now - self._goal_s > self.watchdog_s:
            if self._state is LoopState.FOLLOWING:
                self._note("watchdog", f"no goal for {self.watchdog_s * 1000:.0f} ms: holding")
                self._enter(LoopState.HOLDING)
            return dict(self._command)
        return self._goal

    def _watch_faults(self, telemetry: Telemetry) -> None:
        for joint, error in telemetry.faults.items():
            if error and error != self._faults[joint]:
                self._note("fault", f"{joint} (servo {SERVO_IDS[joint]}) reports {', '.join(fault_names(error))}")
                if error & ServoFault.OVERLOAD and self._state is not LoopState.STOPPED:
                    self.stop(f"overload of {joint}")
        self._faults = dict(telemetry.faults)

    def _enter(self, state: LoopState) -> None:
        self._state = state
        self._changed.notify_all()

    def _require_free(self) -> None:
        if self._state in {LoopState.STOPPED, LoopState.LIMP}:
            raise EmergencyStopError(f"the arm is {self._state.value}: release the stop first")
        if self._state is LoopState.LOST:
            raise BusLostError("the arm is lost: check its cable and power, then reconnect")
        self._state = LoopState.FOLLOWING

    def _note(self, kind: str, detail: str) -> None:
        self._events.append(LoopEvent(time.monotonic(), kind, detail))
