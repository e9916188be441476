"""The test scenes: what stands where, what the policy is told, what counts as success, and whether it stands right."""

from ._align import CameraShift, camera_shift
from ._expected import Expected, expected_objects
from ._floor import Floor, station_floor
from ._gate import GateResult, LightDifference, Tolerance, check_scene, light_differences
from ._overlay import overlay_jpeg, overlay_picture
from ._placement import Placement
from ._reference import (
    Annotation,
    SceneReference,
    SceneReferenceError,
    load_annotations,
    load_reference,
    reference_path,
    save_reference,
)
from ._scenes import SceneTask, StationScene, load_scenes, load_tasks, select_scenes

__all__ = [
    "Annotation",
    "CameraShift",
    "Expected",
    "Floor",
    "GateResult",
    "LightDifference",
    "Placement",
    "SceneReference",
    "SceneReferenceError",
    "SceneTask",
    "StationScene",
    "Tolerance",
    "camera_shift",
    "check_scene",
    "expected_objects",
    "light_differences",
    "load_annotations",
    "load_reference",
    "load_scenes",
    "load_tasks",
    "overlay_jpeg",
    "overlay_picture",
    "reference_path",
    "save_reference",
    "select_scenes",
    "station_floor",
]
