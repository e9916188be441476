"""Rotations, kept to what the package needs. Matrices are 3x3, quaternions wxyz, rotation vectors axis times angle."""

from __future__ import annotations

import math
from typing import TypeAlias

import mujoco
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def quat_wxyz(matrix: Array) -> Array:
    """Return a quaternion of a rotation matrix; of the two that differ in sign, either."""
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(matrix).ravel())
    return quat


def rotvec(matrix: Array) -> Array:
    """Return the rotation vector (angle in [0, pi]) of a rotation matrix."""
    quat, vector = quat_wxyz(matrix), np.zeros(3)
    mujoco.mju_quat2Vel(vector, quat if quat[0] >= 0 else -quat, 1.0)
    return vector


def matrix(vector: Array) -> Array:
    angle = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if angle < 1e-12:
        return np.eye(3)
    quat, flat = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, vector / angle, angle)
    mujoco.mju_quat2Mat(flat, quat)
    return flat.reshape(3, 3)


def yaw_matrix(yaw: float) -> Array:
    """Return the rotation by ``yaw`` about the vertical."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def yaw_quat(yaw: float) -> Array:
    """Return the wxyz quaternion of a rotation by ``yaw`` about the vertical."""
    return np.array([math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)])


def heading(matrix: Array) -> float:
    """Return the yaw of a matrix's x axis seen from above."""
    return math.atan2(matrix[1, 0], matrix[0, 0])
