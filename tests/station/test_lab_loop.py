"""The control loop on the twin: it follows, holds, stops and survives, and never goes faster than it may."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from proctor.station.arm import (
    DEGREES_PER_TICK,
    JOINTS,
    ArmError,
    BusLostError,
    ControlLoop,
    Cycle,
    EmergencyStopError,
    JointVector,
    Limits,
    LoopState,
    So101Arm,
    Telemetry,
    Unit,
    to_ticks,
)
from proctor.station.twin import Twin

HOME = JointVector((0.0, -60.0, 60.0, 30.0, 0.0, 20.0), Unit.TRUE_DEGREES)
AWAY = JointVector((25.0, -40.0, 45.0, 50.0, -30.0, 60.0), Unit.TRUE_DEGREES)


def until(condition: Callable[[], bool], limit_s: float = 30.0) -> None:
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


def turns(loop: ControlLoop, count: int) -> None:
    """Let the loop go round some times."""
    before = loop.report().cycles
    until(lambda: loop.report().cycles > before + count)


def kinds(loop: ControlLoop) -> list[str]:
    return [event.kind for event in loop.events()]


@pytest.fixture
def loop(twin: Twin, arm: So101Arm) -> Iterator[ControlLoop]:
    twin.hand(HOME.named())
    arm.configure()
    with ControlLoop(arm, give_up_s=20.0) as running:
        yield running


def test_a_ramped_move_arrives(twin: Twin, loop: ControlLoop) -> None:
    assert loop.move_to(AWAY) > 0.3
    assert loop.wait()
    assert loop.command().values == pytest.approx(AWAY.values, abs=DEGREES_PER_TICK)
    until(lambda: max(abs(twin.joints_deg()[j] - v) for j, v in AWAY.named().items()) < 1.0)


class Stuck(So101Arm):
    """An elbow that stays where it is: something is in its way."""

    def telemetry(self) -> Telemetry:
        seen = super().telemetry()
        return replace(seen, ticks={**seen.ticks, "elbow_flex": to_ticks(HOME, self.calibration)["elbow_flex"]})


def test_a_blocked_move_has_not_arrived_and_the_next_one_may(twin: Twin, arm: So101Arm) -> None:
    twin.hand(HOME.named())
    with ControlLoop(Stuck(arm.bus, arm.calibration)) as loop:
        seconds = loop.move_to(JointVector.of({**HOME.named(), "elbow_flex": -30.0}, Unit.TRUE_DEGREES))
        assert not loop.wait(3 * seconds + 10)
        assert loop.state is LoopState.HOLDING
        assert loop.events()[-1].kind == "refused"
        assert "blocks" in loop.events()[-1].detail
        loop.move_to(HOME)
        assert loop.wait()


def test_random_policy_outputs_keep_the_speed_on_the_wire(twin: Twin, arm: So101Arm) -> None:
    """A policy gone mad, at any rate, in two units, with NaN in between: what was sent is judged, not what was said."""
    twin.hand(HOME.named())
    limits = Limits.uniform(100.0)
    fast = So101Arm(arm.bus, arm.calibration, limits)
    cycles: list[Cycle] = []
    rng = np.random.default_rng(3)
    refused = 0
    with ControlLoop(fast, on_cycle=cycles.append) as loop:
        for i in range(10_000):
            values = rng.normal(0, 300, 6)
            if i % 10 == 0:
                values[int(rng.integers(6))] = rng.choice([math.nan, math.inf])
            try:
                loop.submit(JointVector.of(values, Unit.LEROBOT_DEGREES if i % 2 else Unit.TRUE_DEGREES))
            except ArmError:
                refused += 1
        until(lambda: len(cycles) > 25)
    assert refused == 1000
    travelled = 0.0
    for before, after in itertools.pairwise(cycles):
        dt = after.time_s - before.time_s
        for joint in JOINTS:
            step = abs(after.command[joint] - before.command[joint]) * DEGREES_PER_TICK
            assert step <= 100.0 * dt
            travelled += step
    assert travelled > 10.0


def test_silence_is_held_and_said_once(loop: ControlLoop) -> None:
    loop.submit(AWAY)
    until(lambda: "watchdog" in kinds(loop))
    held = loop.command().values
    turns(loop, 10)
    assert loop.command().values == held
    assert loop.state is LoopState.HOLDING
    assert kinds(loop).count("watchdog") == 1
    loop.submit(HOME)
    assert loop.state is LoopState.FOLLOWING


def test_a_goal_that_is_not_finite_is_refused_and_counts_as_silence(loop: ControlLoop) -> None:
    loop.submit(HOME)
    with pytest.raises(ArmError, match="not finite"):
        loop.submit(JointVector((math.nan,) * 6, Unit.TRUE_DEGREES))
    until(lambda: kinds(loop) == ["refused", "watchdog"])


def test_the_stop_holds_latches_and_is_released_on_purpose(twin: Twin, loop: ControlLoop) -> None:
    loop.move_to(AWAY)
    until(lambda: abs(twin.joints_deg()["shoulder_pan"]) > 2.0)
    loop.stop("test")
    with pytest.raises(EmergencyStopError):
        loop.submit(AWAY)
    with pytest.raises(EmergencyStopError):
        loop.move_to(AWAY)
    turns(loop, 3)
    held = loop.command().values
    turns(loop, 25)
    assert loop.command().values == held
    assert max(abs(twin.joints_deg()[joint] - value) for joint, value in loop.command().named().items()) < 2.0
    assert all(servo.torque_on for servo in twin.servos)
    loop.release_stop()
    loop.move_to(HOME)
    assert loop.wait()


def test_a_recorder_that_fails_stops_the_arm_and_is_named(twin: Twin, arm: So101Arm) -> None:
    def full_disk(cycle: Cycle) -> None:
        raise OSError("no space left")

    with ControlLoop(arm, on_cycle=full_disk) as loop:
        until(lambda: loop.state is LoopState.STOPPED)
        turns(loop, 5)
    assert [event.detail for event in loop.events() if event.kind == "error"] == ["OSError: no space left"]


def test_limp_on_purpose(twin: Twin, loop: ControlLoop) -> None:
    loop.go_limp()
    assert not any(servo.torque_on for servo in twin.servos)
    until(lambda t=loop.telemetry.time_s: loop.telemetry.time_s > t + 0.1)
    assert not any(servo.torque_on for servo in twin.servos)
    loop.release_stop()
    assert all(servo.torque_on for servo in twin.servos)


def test_overload_stops_the_arm(twin: Twin, loop: ControlLoop) -> None:
    twin.faults.overload.add("elbow_flex")
    until(lambda: loop.state is LoopState.STOPPED)
    assert any("elbow_flex" in event.detail for event in loop.events() if event.kind == "fault")


def test_a_pulled_cable_ends_the_loop_and_the_servos_hold(twin: Twin, loop: ControlLoop) -> None:
    loop.move_to(AWAY)
    assert loop.wait()
    twin.unplug()
    until(lambda: loop.state is LoopState.LOST)
    assert kinds(loop)[-1] == "lost"
    with pytest.raises(BusLostError, match="reconnect"):
        loop.submit(HOME)
    twin.advance(1.0)
    assert twin.joints_deg() == pytest.approx(AWAY.named(), abs=1.5)


def test_lost_answers_do_not_end_the_loop(twin: Twin, arm: So101Arm) -> None:
    arm.bus.timeout_s = 0.1
    twin.hand(HOME.named())
    with ControlLoop(arm, give_up_s=30.0) as loop:
        twin.faults.drop = 0.05
        loop.move_to(AWAY)
        assert loop.wait()
        twin.faults.drop = 0.0
        assert loop.state is LoopState.HOLDING


def test_submitting_never_waits_for_the_bus(twin: Twin, loop: ControlLoop) -> None:
    twin.faults.latency_s = 0.5
    until(lambda t=loop.telemetry.time_s: loop.telemetry.time_s > t + 0.4)
    began = time.monotonic()
    for _ in range(100):
        loop.submit(HOME)
    assert time.monotonic() - began < 0.4
