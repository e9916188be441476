"""Cameras of the station: pictures, the policy's view, lens calibration, and where the top camera hangs."""

from ._aim import AIM_SIZE, TARGET_PIXELS, AimCheck, PoseCheck, aim_picture, check_aim
from ._board import Board, BoardView, find_board, parse_board
from ._collect import collect_corners, collect_views, fresh_frames
from ._drawn import drawn_board, drawn_tag
from ._lens import FEWEST_VIEWS, LARGEST_RMS_PX, Lens, calibrate_lens, load_lens, save_lens
from ._open import DeviceCamera, PictureCamera, TwinCamera, VideoCamera, open_camera, picture_files, read_picture
from ._tag import FEWEST_FRAMES, TagPose, angle_deg, detect_tag, median_corners, tag_pose
from ._thread import CameraThread
from ._types import Camera, CameraError, Frame, Picture, PicturesEndedError
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
    "CameraThread",
    "DeviceCamera",
    "Frame",
    "Lens",
    "Picture",
    "PictureCamera",
    "PicturesEndedError",
    "PolicyViewCamera",
    "PoseCheck",
    "TagPose",
    "TwinCamera",
    "VideoCamera",
    "aim_picture",
    "angle_deg",
    "calibrate_lens",
    "check_aim",
    "collect_corners",
    "collect_views",
    "detect_tag",
    "drawn_board",
    "drawn_tag",
    "find_board",
    "fresh_frames",
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
