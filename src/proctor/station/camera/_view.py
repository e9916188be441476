"""The policy's view of the top camera: the middle of the picture, magnified 1.5 times, 640 x 480 (section A.3).

The authors read their D455 at 640 x 480 and magnify that. The camera makes such a picture from its 1280 x 800 sensor
at 0.6 times the scale, cut left and right; its 1280 x 720 picture shows the same sensor pixel by pixel, cut above and
below. So a pixel of the 1280 x 720 picture is 0.6 x 1.5 = 0.9 pixels of the view, and both modes give the same view.
The paper's text says 680 x 480; its pictures are 640 x 480. Only the top camera is magnified: the authors' program also
magnifies the wrist camera, by accident.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._types import Camera, CameraError, Frame, Picture

VIEW_SIZE: Final = (640, 480)
ZOOM: Final = 1.5
# What a pixel of the 1280 x 720 picture becomes at 640 x 480, before the magnification.
_SMALL_MODE: Final = 0.6


def view_matrix(width: int, height: int) -> NDArray[np.float64]:
    """Return the 3 x 3 matrix from pixels of a ``width`` x ``height`` picture to pixels of the view.

    Coordinates count from the outer corner of the first pixel, as ours do everywhere.
    """
    if width * 3 == height * 4:
        scale = ZOOM * VIEW_SIZE[0] / width
    elif width * 9 == height * 16:
        scale = ZOOM * _SMALL_MODE * 1280 / width
    else:
        raise CameraError(
            f"the top camera gives {width} x {height}: the policy's view needs 4:3 or 16:9; ask the camera for 640x480 "
            "or 1280x720"
        )
    across, down = VIEW_SIZE
    return np.array([[scale, 0, across / 2 - scale * width / 2], [0, scale, down / 2 - scale * height / 2], [0, 0, 1]])


def policy_view(picture: Picture) -> Picture:
    """Return what the policy sees of a picture of the top camera: RGB 480 x 640."""
    import cv2

    height, width = picture.shape[:2]
    matrix = view_matrix(width, height)
    # OpenCV counts from the middle of the first pixel.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    warp = np.linalg.inv(half) @ matrix @ half
    out: Picture = cv2.warpAffine(picture, warp[:2], VIEW_SIZE, flags=cv2.INTER_LINEAR)
    return out


class PolicyViewCamera:
    """A camera whose pictures are magnified to the policy's view. For the top camera only."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    @property
    def name(self) -> str:
        return self._camera.name

    def read(self) -> Frame:
        """Return the latest picture as the policy sees it."""
        frame = self._camera.read()
        return Frame(policy_view(frame.image), frame.time_s)

    def close(self) -> None:
        self._camera.close()
