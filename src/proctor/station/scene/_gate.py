"""The gate before a trial: is the scene the reference's, within tolerance, and if not, what to do about it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from proctor.station.camera import VIEW_SIZE, Picture

from ._advice import camera_words, light_words, move_words
from ._align import CameraShift, camera_shift
from ._colours import colour_name
from ._expected import expected_objects
from ._floor import Floor, bench_floor
from ._light import LightDifference, light_differences
from ._placement import Placement, place_objects
from ._reference import Reference, SceneError


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
    reference: Reference, live: Picture, tolerance: Tolerance | None = None, floor: Floor | None = None
) -> GateResult:
    """Compare a live picture of the policy's view with a reference.

    Objects are measured after the camera's own shift has been taken out, so that each fault is told once.
    """
    if live.shape != (VIEW_SIZE[1], VIEW_SIZE[0], 3):
        raise SceneError(f"the live picture has shape {live.shape}; the gate wants the policy's view, 480 x 640 x 3")
    allowed, ground = tolerance or Tolerance(), floor or bench_floor()
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
