"""The simulators that Proctor can install, each with the exact versions it is known to work with.

The lists are complete: pip installs them without looking for dependencies, so the same command makes the same
environment next year. Every list has what our server needs: NumPy, msgpack, pyzmq.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proctor.core import did_you_mean

from ._errors import ForeignEnvError

_WIRE = ("msgpack==1.2.4", "pyzmq==27.3.0")


@dataclass(frozen=True, slots=True)
class Foreign:
    """A simulator. ``one_task``: its tasks differ in spaces, so a run has one. ``modules`` must import afterwards."""

    name: str
    about: str
    pins: tuple[str, ...]
    modules: tuple[str, ...]
    one_task: bool
    environ: Mapping[str, str] = field(default_factory=dict)


GYMNASIUM = Foreign(
    name="gymnasium",
    about="any Gymnasium environment by id, as gymnasium/CartPole-v1",
    pins=(
        "gymnasium==1.4.0",
        "numpy==2.4.6",
        "cloudpickle==3.1.2",
        "farama-notifications==0.0.6",
        "typing-extensions==4.16.0",
        "pygame==2.6.1",
        *_WIRE,
    ),
    modules=("gymnasium", "msgpack", "zmq"),
    one_task=True,
    # Pygame draws without a screen and without its greeting.
    environ={"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
)

LIBERO = Foreign(
    name="libero",
    about="the 130 tasks of LIBERO (hf-libero 0.1.4), as libero/libero_spatial",
    # MuJoCo from 3.4.0 on settles libero_spatial task 5 differently (reported: 98 % becomes 12 %); torch, wandb,
    # transformers, robomimic and hydra are for training and are left out.
    pins=(
        "hf-libero==0.1.4",
        "robosuite==1.4.0",
        "bddl==1.0.1",
        "mujoco==3.3.7",
        "numpy==1.26.4",
        "scipy==1.17.1",
        "numba==0.60.0",
        "llvmlite==0.43.0",
        "opencv-python-headless==4.10.0.84",
        "pillow==13.0.0",
        "gymnasium==1.4.0",
        "farama-notifications==0.0.6",
        "cloudpickle==3.1.2",
        "easydict==1.13",
        "future==1.0.0",
        "networkx==3.6.1",
        "termcolor==3.3.0",
        "pyyaml==6.0.3",
        "matplotlib==3.11.2",
        "contourpy==1.3.3",
        "cycler==0.12.1",
        "fonttools==4.68.0",
        "kiwisolver==1.5.1",
        "packaging==26.3",
        "pyparsing==3.3.3",
        "python-dateutil==4.0.0",
        "six==1.17.0",
        "absl-py==2.5.1",
        "etils==1.14.0",
        "fsspec==2026.9.0",
        "glfw==2.11.0",
        "importlib-resources==7.1.0",
        "pyopengl==3.1.10",
        "typing-extensions==4.16.0",
        "zipp==4.1.2",
        *_WIRE,
    ),
    modules=("robosuite", "mujoco", "bddl", "msgpack", "zmq"),
    one_task=False,
)

FOREIGN = {entry.name: entry for entry in (GYMNASIUM, LIBERO)}


def known(name: str) -> Foreign:
    if name not in FOREIGN:
        hint = did_you_mean(name, FOREIGN)
        raise ForeignEnvError(f"unknown simulator {name!r} (there are {', '.join(FOREIGN)}){hint}")
    return FOREIGN[name]
