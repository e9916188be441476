"""Our driver against the emulated servos, over a real pseudo-terminal, with and without faults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.core import ProctorError
from proctor.station.arm import (
    JOINTS,
    SERVO_IDS,
    BusLostError,
    CalibrationError,
    ChecksumError,
    OverloadError,
    PortError,
    ServoTimeoutError,
    So101Arm,
    Unit,
    WrongIdError,
    finish,
    open_port,
    record_sweep,
    registers,
    set_zero,
)
from proctor.station.arm import _packets as packets
from proctor.station.twin import Operator, Twin, TwinFaults

GRIPPER = SERVO_IDS["gripper"]


def test_six_servos_shake_hands(arm: So101Arm) -> None:
    arm.handshake()
    assert arm.bus.scan() == dict.fromkeys(range(1, 7), 777)


def test_the_true_pose_is_read_in_true_degrees(twin: Twin, arm: So101Arm) -> None:
    pose = {"shoulder_pan": 31.0, "shoulder_lift": -52.5, "elbow_flex": 17.25, "wrist_flex": -8.0, "gripper": 44.0}
    twin.hand(pose)
    assert arm.position(Unit.TRUE_DEGREES).named() == pytest.approx({**twin.joints_deg(), **pose}, abs=0.06)


def test_write_and_read_back_with_sign(arm: So101Arm) -> None:
    arm.torque_off()
    before = arm.bus.read(GRIPPER, registers.HOMING_OFFSET)
    arm.bus.write(GRIPPER, registers.HOMING_OFFSET, -321)
    assert arm.bus.read(GRIPPER, registers.HOMING_OFFSET) == -321
    arm.bus.write(GRIPPER, registers.HOMING_OFFSET, before)


def test_permanent_memory_is_kept_only_when_unlocked(twin: Twin, arm: So101Arm) -> None:
    original = arm.bus.read(GRIPPER, registers.MAX_POSITION)
    arm.bus.write(GRIPPER, registers.LOCK, 1)
    arm.bus.write(GRIPPER, registers.MAX_POSITION, 3000)
    twin.power_cycle()
    assert arm.bus.read(GRIPPER, registers.MAX_POSITION) == original
    arm.bus.write(GRIPPER, registers.LOCK, 0)
    arm.bus.write(GRIPPER, registers.MAX_POSITION, 3000)
    twin.power_cycle()
    assert arm.bus.read(GRIPPER, registers.MAX_POSITION) == 3000
    arm.bus.write(GRIPPER, registers.LOCK, 0)
    arm.bus.write(GRIPPER, registers.MAX_POSITION, original)


def test_read_only_registers_stay(arm: So101Arm) -> None:
    arm.bus.write(GRIPPER, registers.MODEL_NUMBER, 1)
    assert arm.bus.read(GRIPPER, registers.MODEL_NUMBER) == 777


def test_lost_and_broken_answers_are_asked_for_again(twin: Twin, arm: So101Arm) -> None:
    arm.bus.timeout_s = 0.3
    twin.faults.drop_next = 1
    assert set(arm.ticks()) == set(JOINTS)
    twin.faults.corrupt_next = 2
    assert set(arm.ticks()) == set(JOINTS)
    assert arm.bus.retried >= 2


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("drop_next", ServoTimeoutError, "servo 3 (elbow_flex)"),
        ("corrupt_next", ChecksumError, "wrong checksum"),
    ],
)
def test_faults_that_last_become_one_clear_line(
    twin: Twin, arm: So101Arm, fault: str, error: type[Exception], words: str
) -> None:
    arm.bus.timeout_s, arm.bus.retries = 0.2, 1
    setattr(twin.faults, fault, 1000)
    with pytest.raises(error) as caught:
        arm.bus.read(3, registers.PRESENT_POSITION)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_dead_servo_is_named(twin: Twin, arm: So101Arm) -> None:
    arm.bus.timeout_s, arm.bus.retries = 0.2, 0
    twin.faults.dead.add("wrist_flex")
    with pytest.raises(ServoTimeoutError, match=r"wrist_flex \(servo 4\)"):
        arm.handshake()


def test_overload_is_an_error_of_its_own_but_telemetry_goes_on(twin: Twin, arm: So101Arm) -> None:
    twin.faults.overload.add("gripper")
    with pytest.raises(OverloadError, match=r"servo 6 \(gripper\) reports overload"):
        arm.bus.read(GRIPPER, registers.PRESENT_POSITION)
    assert arm.telemetry().faults == {**dict.fromkeys(JOINTS, 0), "gripper": 0x20}
    arm.torque_off()


def test_an_answer_from_another_servo_is_not_taken() -> None:
    class Liar:
        def write(self, data: bytes) -> None: ...
        def discard(self) -> None: ...
        def close(self) -> None: ...
        def read(self, deadline_s: float) -> bytes:
            return packets.Packet(2, 0, b"\0\0").encode()

    from proctor.station.arm import Bus

    with pytest.raises(WrongIdError, match=r"servo 2 \(shoulder_lift\) answered when servo 1"):
        Bus(Liar(), retries=0).read(1, registers.PRESENT_POSITION)


def test_a_pulled_cable_is_noticed_and_the_port_comes_back(twin: Twin, arm: So101Arm) -> None:
    port = twin.port
    twin.unplug()
    with pytest.raises(BusLostError, match="reconnect"):
        arm.ticks()
    with pytest.raises(PortError, match="there is no port"):
        open_port(port)
    twin.plug()
    assert twin.port == port
    open_port(port).close()


def test_another_arms_file_is_refused(twin: Twin, arm: So101Arm) -> None:
    arm.require_calibration()
    with Twin(seed=99, speed=0) as other, pytest.raises(CalibrationError, match="is not the calibration"):
        So101Arm(arm.bus, other.true_calibration()).require_calibration()


def test_a_port_that_may_not_be_opened_says_what_to_do(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.write_text("")
    with pytest.raises(PortError, match="cannot open"):
        open_port(plain)
    if os.geteuid() != 0:
        plain.chmod(0)
        with pytest.raises(PortError, match="dialout"):
            open_port(plain)


def test_torque_comes_on_where_the_arm_is(twin: Twin, arm: So101Arm) -> None:
    twin.hand({"shoulder_pan": -25.0, "shoulder_lift": -60.0})
    before = twin.joints_deg()
    arm.torque_on()
    twin.advance(0.5)
    assert twin.joints_deg() == pytest.approx(before, abs=0.5)
    with pytest.raises(ProctorError, match="holds"):
        twin.hand({"shoulder_pan": 0.0})


def test_a_person_calibrates_the_arm(twin: Twin, arm: So101Arm) -> None:
    """Zero pose, sweep, write; the person pushes to every stop, so the result is the truth."""
    arm.clear_calibration()
    with Operator(twin) as operator:
        while not operator.at_zero:
            arm.ticks()
        offsets = set_zero(arm)
        sweep = record_sweep(arm, lambda _: operator.sweeps == 1)
    made = finish(arm, offsets, sweep)
    truth = twin.true_calibration()
    assert arm.read_calibration()["elbow_flex"] == made["elbow_flex"]
    for joint in JOINTS:
        assert abs(made[joint].homing_offset - truth[joint].homing_offset) <= 1
        assert abs(made[joint].range_min - truth[joint].range_min) <= 1
        assert abs(made[joint].range_max - truth[joint].range_max) <= 1
    arm.write_calibration(truth)


def test_faults_in_words() -> None:
    faults = TwinFaults()
    for text in ("drop=0.5", "latency=0.01", "overload=gripper", "camera=top"):
        faults.add(text)
    assert (faults.drop, faults.latency_s, faults.overload, faults.cameras) == (0.5, 0.01, {"gripper"}, {"top"})
    for text in ("dropp=0.5", "drop=2", "drop=x", "overload=griper", "drop"):
        with pytest.raises(ProctorError):
            faults.add(text)
