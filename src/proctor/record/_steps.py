"""The actions of an episode, exactly as they were executed, one ``.npz`` per episode."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_steps(path: Path, actions: NDArray[np.float64]) -> None:
    """Write ``actions`` [T, D] so that the file is either whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.stem}.part{os.getpid()}")
    with temporary.open("wb") as file:
        np.savez(file, actions=actions)
    temporary.replace(path)


def read_steps(path: Path) -> NDArray[np.float64]:
    """Return the actions [T, D] of a steps file."""
    with np.load(path, allow_pickle=False) as data:
        return np.asarray(data["actions"], dtype=np.float64)
