"""The choice of an OpenGL backend, made before MuJoCo is first imported: it reads ``MUJOCO_GL`` only then."""

from __future__ import annotations

import os
import platform


def choose_gl_backend() -> None:
    """Choose EGL on a Linux machine without a screen, unless the user has chosen."""
    if "MUJOCO_GL" not in os.environ and platform.system() == "Linux" and not os.environ.get("DISPLAY"):
        os.environ["MUJOCO_GL"] = "egl"
