"""Cameras of the bench: pictures, the policy's view, lens calibration, and where the top camera hangs."""

from ._aim import AIM_SIZE, TARGET_PIXELS, AimCheck, PoseCheck, check_aim
from ._board import Board, BoardView, find_board, parse_board
from ._capture import DeviceCamera
from ._drawn import drawn_board, drawn_tag
from ._files import PictureCamera, VideoCamera, picture_files, read_picture
from ._lens import FEWEST_VIEWS, LARGEST_RMS_PX, Lens, calibrate_lens, load_lens, save_lens
from ._open import open_camera
from ._tag import FEWEST_FRAMES, TagPose, angle_deg, detect_tag, median_corners, tag_pose
from ._twin import TwinCamera
from ._types import Camera, CameraError, Frame, Picture
from ._view import VIEW_SIZE, ZOOM, PolicyViewCamera, policy_view, view_matrix

__all__ = [
    "AIM_SIZE",
    "FEWEST_FRAMES",
    "FEWEST_VIEWS",
    "LARGEST_RMS_PX",
    "TARGET_PIXELS",
    "VIEW_SIZE",
    "ZOOM",
    "AimCheck",
    "Board",
    "BoardView",
    "Camera",
    "CameraError",
    "DeviceCamera",
    "Frame",
    "Lens",
    "Picture",
    "PictureCamera",
    "PolicyViewCamera",
    "PoseCheck",
    "TagPose",
    "TwinCamera",
    "VideoCamera",
    "angle_deg",
    "calibrate_lens",
    "check_aim",
    "detect_tag",
    "drawn_board",
    "drawn_tag",
    "find_board",
    "load_lens",
    "median_corners",
    "open_camera",
    "parse_board",
    "picture_files",
    "policy_view",
    "read_picture",
    "save_lens",
    "tag_pose",
    "view_matrix",
]
