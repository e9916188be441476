"""Checks a calibration for mistakes, from its numbers alone.

A sweep that did not reach the stops and a zero pose held askew both give an arm that obeys, and lands elsewhere than
another arm under the same command. Each leaves a trace: a sweep narrower than the mechanics, a middle away from 2047.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ._calibration import (
    BODY_JOINTS,
    DEGREES_PER_TICK,
    FULL_TURN,
    JOINTS,
    MAX_TICK,
    MECHANICAL_RANGE_DEG,
    ZERO_TICK,
    Calibration,
)
from ._units import JointVector, Unit, convert

Verdict = Literal["ok", "doubtful", "bad"]
_ORDER: dict[Verdict, int] = {"ok": 0, "doubtful": 1, "bad": 2}

# Shares of the mechanical range: printed parts and a sweep by hand leave 5 %; the two arms that VLA-REPLICA publishes
# reach 83 % and 92 % at the shoulder.
WIDTH_OK = (0.95, 1.04)
WIDTH_BAD = (0.90, 1.08)
MID_OK_DEG = 4.0
MID_BAD_DEG = 10.0
ARMS_OK_DEG = 2.0
ARMS_BAD_DEG = 5.0


@dataclass(frozen=True, slots=True)
class JointFinding:
    """One joint of one arm, in degrees. ``mid_deg`` is the middle of the sweep against the zero pose."""

    joint: str
    width_deg: float
    mechanical_deg: float
    mid_deg: float
    verdict: Verdict
    advice: str


@dataclass(frozen=True, slots=True)
class PairFinding:
    """Where two arms end up under the same command, as a difference of true degrees, per unit of that command."""

    joint: str
    lerobot_degrees_deg: float
    lerobot_range_deg: float
    paper_deg: float
    verdict: Verdict


def examine(calibration: Calibration) -> list[JointFinding]:
    return [_examine_joint(calibration, joint) for joint in JOINTS]


def compare_arms(first: Calibration, second: Calibration) -> list[PairFinding]:
    """Send the same commands to both arms and compare, assuming that both zero poses were held well.

    The commands are the first arm's zero pose and both ends of its sweep, written in each unit; the largest difference
    counts. In true degrees it is 0 by construction, which is why they are our unit.
    """
    return [_compare_joint(first, second, joint) for joint in JOINTS]


def worst(findings: Sequence[JointFinding | PairFinding]) -> Verdict:
    return max((finding.verdict for finding in findings), key=_ORDER.__getitem__, default="ok")


def _examine_joint(calibration: Calibration, joint: str) -> JointFinding:
    values = calibration[joint]
    width = (values.range_max - values.range_min) * DEGREES_PER_TICK
    mid = (values.mid - ZERO_TICK) * DEGREES_PER_TICK
    mechanical = MECHANICAL_RANGE_DEG[joint]
    if joint == FULL_TURN:
        whole = (values.range_min, values.range_max) == (0, MAX_TICK)
        advice = "" if whole else f"set range_min 0 and range_max {MAX_TICK}, as LeRobot does"
        return JointFinding(joint, width, 360.0, mid, "ok" if whole else "bad", advice)
    share = width / mechanical
    verdict: Verdict = "ok"
    advice = ""
    if not WIDTH_OK[0] <= share <= WIDTH_OK[1]:
        verdict = "doubtful" if WIDTH_BAD[0] <= share <= WIDTH_BAD[1] else "bad"
        advice = (
            "sweep again, until both stops are felt" if share < 1 else "wider than the mechanics: wrong part or skip"
        )
    # The gripper's zero is closed, not the middle.
    if joint in BODY_JOINTS and abs(mid) > MID_OK_DEG:
        verdict = max(verdict, "doubtful" if abs(mid) <= MID_BAD_DEG else "bad", key=_ORDER.__getitem__)
        advice = advice or "hold the zero pose again: the middle of the sweep should be there"
    return JointFinding(joint, width, mechanical, mid, verdict, advice)


def _compare_joint(first: Calibration, second: Calibration, joint: str) -> PairFinding:
    index = JOINTS.index(joint)
    values = first[joint]

    def difference(unit: Unit) -> float:
        off = []
        for tick in (values.range_min, ZERO_TICK, values.range_max):
            pose = JointVector(tuple(float(tick) if name == joint else float(ZERO_TICK) for name in JOINTS), Unit.TICKS)
            command = convert(pose, first, unit)
            one = convert(command, first, Unit.TRUE_DEGREES).values[index]
            other = convert(command, second, Unit.TRUE_DEGREES).values[index]
            off.append(other - one)
        return max(off, key=abs)

    degrees, ranged, paper = (difference(unit) for unit in (Unit.LEROBOT_DEGREES, Unit.LEROBOT_RANGE, Unit.PAPER))
    # The gripper is a range under both of LeRobot's units.
    largest = abs(degrees) if joint in BODY_JOINTS else abs(ranged)
    verdict: Verdict = "ok" if largest <= ARMS_OK_DEG else "doubtful" if largest <= ARMS_BAD_DEG else "bad"
    return PairFinding(joint, degrees, ranged, paper, verdict)
