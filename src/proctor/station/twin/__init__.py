"""The station without hardware: six servos on a pseudo-terminal, MuJoCo behind them, cameras, a floor, and faults.

with Twin(seed=1) as twin:
So101Arm.connect(twin.port)
twin.place([SceneObject("plate", 0.0, 0.0, colour="red")])
picture = twin.frame("top")
"""

from proctor.core import choose_gl_backend

# MuJoCo reads its choice of OpenGL when it is first imported.
choose_gl_backend()

from proctor.station.geometry import (  # noqa: E402
    BOX,
    HALF,
    TAG_SIZE,
    TOP_INTRINSICS,
    WRIST_INTRINSICS,
    Intrinsics,
    floor_to_pixel,
    tag_corners,
    to_camera,
    top_camera_pose,
)

from ._camera import SIZES, CameraLostError  # noqa: E402
from ._faults import TwinFaults  # noqa: E402
from ._objects import COLOURS, KINDS, SceneObject  # noqa: E402
from ._operator import Operator  # noqa: E402
from ._physics import REST_DEG, ObjectPose  # noqa: E402
from ._reach import Reach  # noqa: E402
from ._station import CAMERAS, so101_xml  # noqa: E402
from ._twin import Twin  # noqa: E402

__all__ = [
    "BOX",
    "CAMERAS",
    "COLOURS",
    "HALF",
    "KINDS",
    "REST_DEG",
    "SIZES",
    "TAG_SIZE",
    "TOP_INTRINSICS",
    "WRIST_INTRINSICS",
    "CameraLostError",
    "Intrinsics",
    "ObjectPose",
    "Operator",
    "Reach",
    "SceneObject",
    "Twin",
    "TwinFaults",
    "floor_to_pixel",
    "so101_xml",
    "tag_corners",
    "to_camera",
    "top_camera_pose",
]
