"""The detector on the twin's own gripper: physics, not our idea of telemetry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from proctor.station.arm import JOINTS, Bus, JointVector, So101Arm, Unit, to_ticks
from proctor.station.detect import Box, Zones, judge, read_telemetry
from proctor.station.twin import Reach, SceneObject, Twin

PICK, PLACE = (0.05, -0.15), (-0.05, -0.15)
ZONES = Zones(Box(-0.09, -0.01, -0.20, -0.10), Box(0.01, 0.09, -0.20, -0.10))
OPEN, CLOSED = 57.0, -5.0
_STEP_S = 0.02


def _record(path: Path, block_at: tuple[float, float]) -> float:
    """Carry from PICK to PLACE, whatever is there, and write what the joints did; returns the block's last x."""
    reach, rows = Reach(), []
    plan = [(PICK, 0.10, OPEN), (PICK, 0.012, OPEN), (PICK, 0.012, CLOSED), (PICK, 0.10, CLOSED), (PLACE, 0.10, CLOSED)]
    plan += [(PLACE, 0.014, CLOSED), (PLACE, 0.014, OPEN), (PLACE, 0.10, OPEN)]
    with Twin(seed=2, speed=0, objects=[SceneObject("block", *block_at, colour="green")]) as twin:
        calibration = twin.calibrate()
        with So101Arm(Bus.open(twin.port, timeout_s=5.0), calibration) as arm:
            arm.torque_on()
            command = np.array([twin.joints_deg()[joint] for joint in JOINTS])
            for (x, y), height, gripper in plan:
                start = command
                goal = np.array(reach.joints((x, y, height), gripper).values)
                for share in np.linspace(0.02, 1, 50):
                    command = start + share * (goal - start)
                    arm.write_goal(to_ticks(JointVector.of(command, Unit.TRUE_DEGREES), calibration))
                    # Nobody confirms a goal; an answer to a later request says that it has arrived.
                    arm.ticks()
                    twin.advance(_STEP_S)
                    measured = twin.joints_deg()
                    row = {"time_s": len(rows) * _STEP_S, "command.gripper": float(command[5])}
                    rows.append({**row, **{f"measured.{joint}": measured[joint] for joint in JOINTS}})
        (block,) = twin.objects()
    pq.write_table(pa.Table.from_pylist(rows), path)
    return block.x


def test_a_placed_block_is_a_success_and_thin_air_is_nothing(tmp_path: Path) -> None:
    x = _record(tmp_path / "placed.parquet", PICK)
    assert ZONES.target.x0 < x < ZONES.target.x1
    (operation,) = judge(read_telemetry(tmp_path / "placed.parquet"), ZONES).operations
    assert (operation.verdict, operation.picked_zone, operation.zone) == ("success", "source", "target")
    assert operation.candidate.displacement_m == pytest.approx(0.10, abs=0.01)
    x = _record(tmp_path / "empty.parquet", (0.15, -0.1))
    assert x == pytest.approx(0.15, abs=0.005)
    assert judge(read_telemetry(tmp_path / "empty.parquet"), ZONES).operations == ()
