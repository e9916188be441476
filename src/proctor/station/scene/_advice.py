"""What the operator is told: which thing to move where, in millimetres. Left and right are those of the picture."""

from __future__ import annotations

from ._align import CameraShift
from ._light import LightDifference
from ._placement import Placement

# Less than this is not worth a word beside a larger move along the other axis.
_SMALL_MM = 2.0


def move_words(placement: Placement, too_far: bool, turned: bool) -> str:
    """Return how to put an object right: ``move the red plate 12 mm left and 5 mm towards the robot``."""
    name = placement.name
    if not placement.found:
        return f"the {name} is not seen: put it where the reference has it, apart from other things"
    moves = []
    if too_far:
        largest = max(abs(placement.right_mm), abs(placement.robot_mm))
        for value, words in (
            (placement.right_mm, ("left", "right")),
            (placement.robot_mm, ("away from the robot", "towards the robot")),
        ):
            if abs(value) >= min(_SMALL_MM, largest):
                moves.append(f"{abs(value):.0f} mm {words[value < 0]}")
    turn = f"{abs(placement.turn_deg or 0):.0f}° {'anticlockwise' if (placement.turn_deg or 0) > 0 else 'clockwise'}"
    if not turned:
        return f"move the {name} {' and '.join(moves)}"
    return f"move the {name} {' and '.join(moves)}, and turn it {turn}" if moves else f"turn the {name} {turn}"


def camera_words(shift: CameraShift) -> str:
    """Return how the picture lies and which way the camera has to be aimed."""
    parts = [
        f"{abs(value):.1f} px {words[value > 0]}"
        for value, words in ((shift.dx_px, ("left", "right")), (shift.dy_px, ("up", "down")))
        if abs(value) >= 0.5
    ]
    if abs(shift.turn_deg) >= 0.1:
        parts.append(f"{abs(shift.turn_deg):.1f}° {'clockwise' if shift.turn_deg > 0 else 'anticlockwise'}")
    if abs(shift.scale - 1) >= 0.003:
        parts.append(f"{abs(shift.scale - 1):.1%} too {'large' if shift.scale > 1 else 'small'}")
    return f"aim the camera back: its picture lies {', '.join(parts) or 'askew'} against the reference"


def light_words(difference: LightDifference, by_lightness: bool) -> str:
    """Return what is wrong with the light on one part of the floor."""
    if by_lightness:
        change = "brighter" if difference.lightness > 0 else "darker"
        what = f"{abs(difference.lightness):.0f} steps {change} than the reference: check the panels and the exposure"
    else:
        what = f"tinted by {difference.tint:.0f} steps: check the white balance and the panels' colour"
    return f"the floor{difference.where and ' ' + difference.where} is {what}"
