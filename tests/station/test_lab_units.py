"""Units: every conversion against the formula as published, written down here again, and against its inverse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.station.arm import (
    BODY_JOINTS,
    JOINTS,
    ArmError,
    Calibration,
    JointCalibration,
    JointVector,
    Mode,
    Unit,
    UnitMismatchError,
    UnitRecord,
    convert,
    from_tick,
    from_ticks,
    load_unit,
    save_unit,
    to_tick,
    to_ticks,
)

RANGES = {
    "shoulder_pan": (964, 3047),
    "shoulder_lift": (871, 3230),
    "elbow_flex": (846, 2997),
    "wrist_flex": (905, 3189),
    "wrist_roll": (0, 4095),
    "gripper": (2035, 3400),
}


def calibration(ranges: dict[str, tuple[int, int]] = RANGES, drive_mode: int = 0) -> Calibration:
    return Calibration(
        {joint: JointCalibration(i, drive_mode, 10 * i, *ranges[joint]) for i, joint in enumerate(JOINTS, 1)}
    )


@st.composite
def joints(draw: st.DrawFn) -> JointCalibration:
    low = draw(st.integers(0, 2000))
    return JointCalibration(1, draw(st.integers(0, 1)), 0, low, low + draw(st.integers(300, 4095 - low)))


TICKS = st.integers(0, 4095)


@given(joints(), TICKS)
def test_lerobots_modes_are_its_formulas(joint: JointCalibration, tick: int) -> None:
    bounded = min(joint.range_max, max(joint.range_min, tick))
    share = (bounded - joint.range_min) / (joint.range_max - joint.range_min)
    sign = -1 if joint.drive_mode else 1
    assert from_tick(tick, joint, Mode.RANGE_M100_100) == pytest.approx(sign * (200 * share - 100))
    assert from_tick(tick, joint, Mode.RANGE_0_100) == pytest.approx(100 - 100 * share if sign < 0 else 100 * share)
    middle = (joint.range_min + joint.range_max) / 2
    assert from_tick(tick, joint, Mode.DEGREES) == pytest.approx((tick - middle) * 360 / 4095)


@given(
    st.lists(st.tuples(st.integers(0, 1900), st.integers(2200, 4095)), min_size=6, max_size=6),
    st.lists(TICKS, min_size=6, max_size=6),
)
def test_equations_1_to_3(ranges: list[tuple[int, int]], ticks: list[int]) -> None:
    arm = calibration(dict(zip(JOINTS, ranges, strict=True)))
    low, high = np.array(ranges, float).T
    offset = np.full(6, 2047.0)
    D = np.diag((high - low) / 2) / 180
    a = np.array(ticks, float)
    u = np.linalg.inv(D) @ (a - offset)
    measured = dict(zip(JOINTS, ticks, strict=True))
    assert np.allclose(from_ticks(measured, arm, Unit.PAPER).values, u)
    back = D @ u + offset
    assert to_ticks(JointVector(tuple(u), Unit.PAPER), arm) == dict(zip(JOINTS, np.rint(back).astype(int), strict=True))


@given(joints(), TICKS, st.sampled_from(list(Mode)))
def test_every_mode_has_its_inverse_within_a_tick(joint: JointCalibration, tick: int, mode: Mode) -> None:
    if mode in {Mode.RANGE_M100_100, Mode.RANGE_0_100}:
        tick = min(max(tick, joint.range_min), joint.range_max)
    assert round(to_tick(from_tick(tick, joint, mode), joint, mode)) == tick


@given(st.lists(TICKS, min_size=6, max_size=6), st.sampled_from(list(Unit)))
def test_converting_there_and_back_keeps_the_pose(ticks: list[int], unit: Unit) -> None:
    arm = calibration()
    inside = tuple(float(min(max(t, arm[j].range_min), arm[j].range_max)) for t, j in zip(ticks, JOINTS, strict=True))
    pose = JointVector(inside, Unit.TICKS)
    assert convert(convert(pose, arm, unit), arm, Unit.TICKS).values == pytest.approx(inside)


def test_the_papers_degree_is_no_degree() -> None:
    """On the authors' own arm: half a degree at the bending joints, one only where the sweep is a whole turn."""
    arm = calibration()
    zero = convert(JointVector((0.0,) * 6, Unit.PAPER), arm, Unit.TRUE_DEGREES).values
    one = convert(JointVector((1.0,) * 6, Unit.PAPER), arm, Unit.TRUE_DEGREES).values
    size = dict(zip(JOINTS, np.subtract(one, zero), strict=True))
    assert size["shoulder_pan"] == pytest.approx(91.55 / 180, abs=1e-3)
    assert all(0.5 < size[joint] < 0.59 for joint in BODY_JOINTS if joint != "wrist_roll")
    assert size["wrist_roll"] == pytest.approx(1.0, abs=1e-3)


def test_true_degrees_do_not_depend_on_the_sweep() -> None:
    narrow = calibration({**RANGES, "shoulder_pan": (1200, 2900)})
    pose = JointVector((30.0, -20, 10, 5, 90, 15), Unit.TRUE_DEGREES)
    assert to_ticks(pose, narrow) == to_ticks(pose, calibration())
    degrees = JointVector((30.0, -20, 10, 5, 90, 15), Unit.LEROBOT_DEGREES)
    assert to_ticks(degrees, narrow) != to_ticks(degrees, calibration())


def test_an_inverted_drive_turns_true_degrees_round() -> None:
    pose = JointVector((10.0,) * 6, Unit.TRUE_DEGREES)
    forward, backward = to_ticks(pose, calibration()), to_ticks(pose, calibration(drive_mode=1))
    assert {joint: forward[joint] - 2047 for joint in JOINTS} == {joint: 2047 - backward[joint] for joint in JOINTS}


def test_a_mismatch_is_refused_and_names_both_units() -> None:
    pose = JointVector((0.0,) * 6, Unit.LEROBOT_RANGE)
    with pytest.raises(UnitMismatchError, match=r"lerobot_range.*true_degrees"):
        pose.array(Unit.TRUE_DEGREES)
    assert pose.array(Unit.LEROBOT_RANGE).tolist() == [0.0] * 6


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_never_becomes_ticks(bad: float) -> None:
    with pytest.raises(ArmError, match="elbow_flex"):
        to_ticks(JointVector((0.0, 0, bad, 0, 0, 0), Unit.TRUE_DEGREES), calibration())


def test_named_values_come_in_any_order_and_with_lerobots_suffix() -> None:
    values = {f"{joint}.pos": float(i) for i, joint in reversed(list(enumerate(JOINTS)))}
    assert JointVector.of(values, Unit.LEROBOT_RANGE).values == (0, 1, 2, 3, 4, 5)
    with pytest.raises(ArmError, match="gripper"):
        JointVector.of(dict.fromkeys(BODY_JOINTS, 0.0), Unit.TICKS)
    with pytest.raises(ArmError, match="6 values"):
        JointVector((0.0,) * 5, Unit.TICKS)


def test_the_unit_travels_in_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnitMismatchError, match="does not say the unit"):
        load_unit(tmp_path)
    record = UnitRecord.of(Unit.PAPER, calibration())
    save_unit(tmp_path, record)
    assert load_unit(tmp_path) == record
    load_unit(tmp_path).require(Unit.PAPER, "the dataset", "the policy")
    with pytest.raises(UnitMismatchError, match="in 'vla_replica_eq2', the policy works in 'lerobot_degrees'"):
        load_unit(tmp_path).require(Unit.LEROBOT_DEGREES, "the dataset", "the policy")


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ArmError, match="did you mean 'lerobot_degrees'"):
        Unit.parse("lerobot_degree")
