"""Pictures for the page."""

from __future__ import annotations

from typing import Final

from proctor.station.camera import CameraError, Picture

WIDEST_PX: Final = 640
_QUALITY: Final = 80


def to_jpeg(picture: Picture) -> bytes:
    """Return a JPEG file, at most 640 pixels wide."""
    import cv2

    height, width = picture.shape[:2]
    small = picture
    if width > WIDEST_PX:
        small = cv2.resize(picture, (WIDEST_PX, round(height * WIDEST_PX / width)), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise CameraError("a picture could not be written as JPEG")
    return bytes(data)
