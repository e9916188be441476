"""The first import of MuJoCo, which fails as a whole when its OpenGL backend cannot be loaded."""

from __future__ import annotations

import os

from proctor.core import ProctorError, choose_gl_backend


def import_mujoco() -> None:
    """Choose the OpenGL backend, then import MuJoCo; what goes wrong there becomes one line."""
    choose_gl_backend()
    try:
        import mujoco  # noqa: F401
    except Exception as error:
        backend = os.environ.get("MUJOCO_GL", "default")
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ProctorError(
            f"cannot load MuJoCo (MUJOCO_GL={backend}): {reason}; set MUJOCO_GL to egl or osmesa and install its "
            f"library (libegl1 or libosmesa6); `proctor doctor` tells more"
        ) from error
