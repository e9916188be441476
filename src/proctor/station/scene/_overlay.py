"""Pictures for the eye: reference and live blended, what differs in red, and an arrow for each object to be moved."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from proctor.station.camera import Picture

from ._gate import GateResult, Tolerance
from ._placement import Placement
from ._reference import SceneReference

GREEN: Final = (30, 170, 60)
RED: Final = (225, 40, 40)
_HEAT: Final = 60.0


def overlay_picture(
    reference: SceneReference, live: Picture, result: GateResult | None = None, *, blend: float = 0.5, heat: bool = True
) -> Picture:
    """Return the live picture with the reference over it (``blend`` is the reference's share), RGB 480 x 640.

    ``heat`` reddens what differs. With a ``result`` every object has a ring where it should stand, green or red, and a
    red one an arrow from where it is.
    """
    import cv2

    mixed = cv2.addWeighted(reference.picture, blend, live, 1 - blend, 0).astype(np.float32)
    if heat:
        apart = np.abs(reference.picture.astype(np.float32) - live).max(axis=2)
        strength = np.clip(cv2.GaussianBlur(apart, (0, 0), 2.0) / _HEAT - 0.2, 0, 1)[..., None] * 0.6
        mixed = mixed * (1 - strength) + np.array(RED, np.float32) * strength
    out: Picture = np.clip(mixed, 0, 255).astype(np.uint8)
    if result is not None:
        _draw(out, result)
    return out


def overlay_jpeg(
    reference: SceneReference,
    live: Picture,
    result: GateResult | None = None,
    *,
    blend: float = 0.5,
    heat: bool = True,
    quality: int = 85,
) -> bytes:
    import cv2

    picture = overlay_picture(reference, live, result, blend=blend, heat=heat)
    done, data = cv2.imencode(".jpg", picture[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG")
    return bytes(data)


def _draw(picture: Any, result: GateResult) -> None:
    import cv2

    for item in result.objects:
        good = item.name not in result.wrong
        target = _pixel(item.expected_px)
        cv2.circle(picture, target, 9, GREEN if good else RED, 2, cv2.LINE_AA)
        if not good and item.seen_px is not None:
            cv2.arrowedLine(picture, _pixel(item.seen_px), target, RED, 2, cv2.LINE_AA, tipLength=0.25)
        text = item.name if good else f"{item.name}: {_amiss(item, result.tolerance)}"
        _write(picture, text, (target[0] + 14, target[1] + 5), GREEN if good else RED)
    _write(picture, "OK" if result.ok else "NOT YET", (12, 26), GREEN if result.ok else RED, 0.8)


def _amiss(item: Placement, allowed: Tolerance) -> str:
    if not item.found:
        return "missing"
    if item.distance_mm > allowed.object_mm:
        return f"{item.distance_mm:.0f} mm"
    return f"turned {abs(item.turn_deg or 0):.0f} deg"


def _write(picture: Any, text: str, at: tuple[int, int], colour: tuple[int, int, int], size: float = 0.45) -> None:
    import cv2

    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x = max(3, min(at[0], picture.shape[1] - width - 3))
    y = max(height + 3, min(at[1], picture.shape[0] - below - 1))
    # A light plate behind the letters: the floor is white, objects are not.
    cv2.rectangle(picture, (x - 3, y - height - 2), (x + width + 2, y + below), (255, 255, 255), -1)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


def _pixel(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] - 0.5), round(point[1] - 0.5)
