"""Cameras of the bench: pictures, the policy's view, lens calibration, and where the top camera hangs."""

from ._twin import TwinCamera
from ._types import Camera, CameraError, Frame, Picture
from ._view import VIEW_SIZE, ZOOM, PolicyViewCamera, policy_view, view_matrix

__all__ = [
    "VIEW_SIZE",
    "ZOOM",
    "Camera",
    "CameraError",
    "Frame",
    "Picture",
    "PolicyViewCamera",
    "TwinCamera",
    "policy_view",
    "view_matrix",
]
