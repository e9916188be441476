"""``press``: push a button in with closed fingers, straight along its way, hold it for a moment, and come back.

The hand points along the button's way where it can (a button that faces up), or is pitched down from it as far as the
arm needs (one that faces the robot). What is not the button's own fixture may not be touched, on the way or at the end,
so no other button is pressed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from proctor.assets import Button
from proctor.sim import matrix, yaw_matrix

from .._arm import CLOSE, Array, Doing, SkillError
from .._hands import Hands
from .._pick import MAX_WRIST_RAD, TIP_BELOW_M, wrist_turn
from .._travel import Path
from ._frame import skill
from ._target import Target, asset_of, target_of

HOVER_M = 0.06
# So close to the face the way is checked; a hand that is free there is free for the button's few millimetres.
BEFORE_M = 0.003
# How far beyond the end of the travel the hand aims, so that a little error still reaches it.
BEYOND_M = 0.002
PRESSED = 0.85
HOLD_STEPS = 4
TRIES = 2
SPEED_M_S = 0.08
# Closed fingers are 32 mm wide and 20 mm deep: turned by a quarter where there is no room for the palm.
YAWS_RAD = (0.0, 0.4, -0.4, 0.8, -0.8, np.pi / 2, -np.pi / 2)
# Pitch of the hand below a level way in.
PITCHES_RAD = tuple(np.radians((50.0, 40.0, 60.0, 30.0, 70.0)))


@skill("press", needs="free")
def press(hands: Hands, name: str) -> Doing:
    """Press a button once, for at least 0.1 s at 70 % of its travel or more."""
    target = target_of(hands.scene, name)
    button = button_of(hands, target)
    arm = hands.arm
    yield from arm.fingers(CLOSE, 12, lambda: arm.measured_finger_m() < 0.001)
    for _ in range(TRIES):
        tip, rotation, way, path = _plan(hands, target.entity, button)
        travel = float(hands.scene.model.joint(f"{target.entity}/{button.joint}").range[1])
        yield from hands.traveller.follow(path)
        deep = tip + way * (travel + BEYOND_M)
        reached = _reached(hands, target.entity, button, PRESSED * travel)
        yield from arm.move(deep, rotation, speed=SPEED_M_S, stop=reached, settle=6)
        done = reached()
        if done:
            yield from arm.wait(HOLD_STEPS)
        yield from arm.move(tip - way * HOVER_M, rotation, speed=0.2, settle=0)
        if done:
            yield from arm.open_hand()
            return
    raise SkillError(f"{name} did not go in")


def button_of(hands: Hands, target: Target) -> Button:
    """Return the button that a target names, or the only one of its entity."""
    buttons = asset_of(hands, target).buttons
    found = [b for b in buttons if target.part in ("", b.name)]
    if len(found) != 1:
        has = ", ".join(b.name for b in buttons) or "none"
        raise SkillError(f"{target.entity} has no single button {target.part!r}; its buttons are {has}")
    return found[0]


def _reached(hands: Hands, entity: str, button: Button, travel: float) -> Callable[[], bool]:
    return lambda: hands.scene.joint(entity, button.joint) >= travel


def _plan(hands: Hands, entity: str, button: Button) -> tuple[Array, Array, Array, Path]:
    """Return the tool pose at the button's face, the way in, and the path to before it."""
    body = hands.scene.data.body(f"{entity}/{button.link}")
    frame = body.xmat.reshape(3, 3)
    face, way = body.xpos + frame @ np.asarray(button.position), frame @ np.asarray(button.direction)
    blocked = "the wrist"
    for rotation in _facings(hands, way):
        tip = face - TIP_BELOW_M * rotation[:, 2]
        poses = [(tip - way * HOVER_M, rotation), (tip - way * BEFORE_M, rotation)]
        path = hands.traveller.plan(poses, near=frozenset({entity}))
        if not isinstance(path, str):
            return tip, rotation, way, path
        blocked = path
    raise SkillError(f"{button.name} of {entity} cannot be reached: {blocked} is in the way")


def _facings(hands: Hands, way: Array) -> Iterator[Array]:
    """Yield hand rotations for a way in, best first."""
    _, down = hands.clearance.home_pose()
    level = float(np.hypot(way[0], way[1])) > 0.7
    pitches = PITCHES_RAD if level else (np.pi / 2,)
    heading = float(np.arctan2(way[1], way[0])) if level else 0.0
    yaws = (0.0, 0.3, -0.3) if level else YAWS_RAD
    for pitch, yaw in itertools.product(pitches, yaws):
        rotation = yaw_matrix(heading + yaw) @ matrix(np.array([0.0, pitch - np.pi / 2, 0.0])) @ down
        if abs(wrist_turn(rotation)) <= MAX_WRIST_RAD:
            yield rotation
