"""The choice of an OpenGL backend, made before MuJoCo is first imported: it reads ``MUJOCO_GL`` only then."""

from __future__ import annotations

import ctypes
import os
import platform

# In order of preference: EGL uses the GPU where there is one.
_LIBRARIES = {"egl": "libEGL.so.1", "osmesa": "libOSMesa.so.8"}
# MuJoCo's own word for "no pictures": physics works, and a picture that is asked for all the same is refused.
NO_PICTURES = "off"


def choose_gl_backend() -> None:
    """Choose what is installed on a Linux machine without a screen, unless the user has chosen.

    Without any OpenGL library MuJoCo could not even be imported; whoever needs no camera shall not need one.
    """
    if "MUJOCO_GL" not in os.environ and platform.system() == "Linux" and not os.environ.get("DISPLAY"):
        os.environ["MUJOCO_GL"] = next(filter(_installed, _LIBRARIES), NO_PICTURES)


def _installed(backend: str) -> bool:
    try:
        ctypes.CDLL(_LIBRARIES[backend])
    except OSError:
        return False
    return True
