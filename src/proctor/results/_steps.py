"""The actions of an episode, exactly as they were executed, and the states between them; one ``.npz`` per episode."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_steps(path: Path, actions: NDArray[np.float64], states: NDArray[np.float64] | None = None) -> None:
    """Write ``actions`` [T, D] and ``states`` [T + 1, S] so that the file is either whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.stem}.part{os.getpid()}")
    with temporary.open("wb") as file:
        if states is None:
            np.savez(file, actions=actions)
        else:
            np.savez(file, actions=actions, states=states)
    temporary.replace(path)


def read_steps(path: Path) -> NDArray[np.float64]:
    """Return the actions [T, D] of a steps file."""
    with np.load(path, allow_pickle=False) as data:
        return np.asarray(data["actions"], dtype=np.float64)


def read_states(path: Path) -> NDArray[np.float64] | None:
    """Return the states [T + 1, S] before the first and after every action; None where the file holds none."""
    with np.load(path, allow_pickle=False) as data:
        return np.asarray(data["states"], dtype=np.float64) if "states" in data else None
