"""Compares the live scene with its reference before a trial, and says what to move."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from proctor.station.camera import VIEW_SIZE, Picture

from ._align import CameraShift, camera_shift
from ._expected import expected_objects
from ._floor import Floor, station_floor
from ._objects import colour_name, floor_pixels, to_lab
from ._placement import Placement, place_objects
from ._reference import SceneReference, SceneReferenceError

# Is the light that of the reference: brightness and tint of the bare floor in the four quarters of the picture.

QUARTERS: Final = ("upper left", "upper right", "lower left", "lower right")
_FEWEST_PX: Final = 200


@dataclass(frozen=True, slots=True)
class LightDifference:
    """Live less reference on one patch of floor: lightness (0 to 100) and tint (distance in Lab's a and b)."""

    where: str
    lightness: float
    tint: float


def light_differences(reference: Picture, live: Picture, floor: Floor) -> tuple[LightDifference, ...]:
    """Return the difference on each quarter of the floor that is bare in both pictures."""
    both = floor_pixels(reference, floor) & floor_pixels(live, floor)
    before, after = to_lab(reference), to_lab(live)
    rows, columns = np.nonzero(floor.mask())
    down, across = (int(values.min() + values.max()) // 2 for values in (rows, columns))
    cuts = [(slice(None, down), slice(None, across)), (slice(None, down), slice(across, None))]
    cuts += [(slice(down, None), slice(None, across)), (slice(down, None), slice(across, None))]
    found = []
    for where, cut in zip(QUARTERS, cuts, strict=True):
        patch = both[cut]
        if patch.sum() >= _FEWEST_PX:
            change = (after[cut][patch] - before[cut][patch]).mean(axis=0)
            found.append(LightDifference(where, float(change[0]), float(np.hypot(change[1], change[2]))))
    return tuple(found)


# What the operator is told: which thing to move where, in millimetres. Left and right are those of the picture.

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


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What still counts as the same scene. The camera's are of its picture, the light's are steps of Lab."""

    object_mm: float = 10.0
    turn_deg: float = 12.0
    camera_px: float = 2.0
    camera_turn_deg: float = 0.2
    camera_scale: float = 0.006
    lightness: float = 5.0
    tint: float = 4.0


@dataclass(frozen=True, slots=True)
class GateResult:
    """The verdict. ``advice`` is empty when ``ok``; every line of it says one thing to do.

    Its order: camera and light, then a line for each name in ``wrong``, then one for each in ``extra``.
    ``camera`` is None when the static band was not recognised. ``extra`` names what should not be there. ``wrong``
    holds the names of the objects that are out of tolerance.
    """

    ok: bool
    advice: tuple[str, ...]
    camera: CameraShift | None
    objects: tuple[Placement, ...]
    wrong: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    light: tuple[LightDifference, ...] = ()
    tolerance: Tolerance = field(default_factory=Tolerance)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data for a journal or a page; what was not measured is None."""
        shift = self.camera
        camera = None if shift is None else {"dx_px": shift.dx_px, "dy_px": shift.dy_px, "turn_deg": shift.turn_deg}
        if shift is not None and camera is not None:
            camera |= {"scale": shift.scale, "matches": shift.matches}
        objects = [
            asdict(item) | {"distance_mm": item.distance_mm, "ok": item.name not in self.wrong} for item in self.objects
        ]
        data = {
            "ok": self.ok,
            "advice": list(self.advice),
            "camera": camera,
            "objects": objects,
            "extra": list(self.extra),
            "light": [asdict(item) for item in self.light],
            "tolerance": asdict(self.tolerance),
        }
        plain: dict[str, Any] = _plain(data)
        return plain


def check_scene(
    reference: SceneReference, live: Picture, tolerance: Tolerance | None = None, floor: Floor | None = None
) -> GateResult:
    """Compare a live picture of the policy's view with a reference.

    Objects are measured after the camera's own shift has been taken out, so that each fault is told once.
    """
    if live.shape != (VIEW_SIZE[1], VIEW_SIZE[0], 3):
        raise SceneReferenceError(
            f"the live picture has shape {live.shape}; the gate wants the policy's view, 480 x 640 x 3"
        )
    allowed, ground = tolerance or Tolerance(), floor or station_floor()
    shift = camera_shift(reference.picture, live, ground)
    straight = live if shift is None else _straightened(live, shift)
    expected = expected_objects(reference, ground)
    placements, others = place_objects(reference.picture, expected, straight, ground)
    light = light_differences(reference.picture, straight, ground)
    advice = [*_about_camera(shift, allowed), *_about_light(light, allowed)]
    wrong = []
    for placement in placements:
        too_far, turned = _faults(placement, allowed)
        if too_far or turned:
            wrong.append(placement.name)
            advice.append(move_words(placement, too_far, turned))
    extra = tuple(f"{colour_name(blob.lab)} object at ({blob.centre[0]:.0f}, {blob.centre[1]:.0f})" for blob in others)
    advice += [f"take away the {name}: the reference has no such thing" for name in extra]
    return GateResult(not advice, tuple(advice), shift, tuple(placements), tuple(wrong), extra, light, allowed)


def _straightened(live: Picture, shift: CameraShift) -> Picture:
    import cv2

    # The matrix is for coordinates from a pixel's corner; OpenCV's count from its middle.
    warp = shift.matrix.copy()
    warp[:, 2] += shift.matrix[:, :2] @ (0.5, 0.5) - (0.5, 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out: Picture = cv2.warpAffine(live, warp, VIEW_SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out


def _faults(placement: Placement, allowed: Tolerance) -> tuple[bool, bool]:
    if not placement.found:
        return True, False
    turned = placement.turn_deg is not None and abs(placement.turn_deg) > allowed.turn_deg
    return placement.distance_mm > allowed.object_mm, turned


def _about_camera(shift: CameraShift | None, allowed: Tolerance) -> list[str]:
    if shift is None:
        return [
            "the camera does not see the front of the box as the reference does: aim it by 'proctor station camera tag'"
        ]
    good = shift.shift_px <= allowed.camera_px and abs(shift.turn_deg) <= allowed.camera_turn_deg
    return [] if good and abs(shift.scale - 1) <= allowed.camera_scale else [camera_words(shift)]


def _about_light(light: tuple[LightDifference, ...], allowed: Tolerance) -> list[str]:
    if not light:
        return ["no bare floor to judge the light by: is the lens covered?"]
    bad = [item for item in light if abs(item.lightness) > allowed.lightness or item.tint > allowed.tint]
    if len(bad) == len(light):
        # Wrong everywhere is one fault, not four.
        worst = max(bad, key=lambda item: max(abs(item.lightness), item.tint))
        bad = [LightDifference("", worst.lightness, worst.tint)]
    return [light_words(item, abs(item.lightness) > allowed.lightness) for item in bad]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return round(float(value), 3) if math.isfinite(value) else None
    return value
