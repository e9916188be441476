"""Cameras of the bench: pictures, the policy's view, lens calibration, and where the top camera hangs."""

from ._types import Camera, CameraError, Frame, Picture

__all__ = ["Camera", "CameraError", "Frame", "Picture"]
