"""The world a model was trained in and the one it is examined in.

A server that runs a model trained on LIBERO's data expects LIBERO's state and sends actions for LIBERO's controller;
what differs from our world, and by how much, is the adapters' knowledge (`proctor.policies.adapters.Adapter`).
A server of ours has done that already, on its own side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import Observation
from proctor.policies.adapters import Adapter
from proctor.policies.wire import WireError, require_orientation


class Worlds:
    """``trained_on`` and ``examined_in`` are libero or proctor; ``motion_scale`` and ``orient`` overrule them."""

    def __init__(self, trained_on: str, examined_in: str, motion_scale: Any, orient: str | None) -> None:
        try:
            self._adapter = Adapter(trained_on=trained_on, examined_in=examined_in, motion_scale=motion_scale)
        except ValueError as error:
            raise WireError(str(error)) from None
        self._moves_otherwise = trained_on == "libero" or motion_scale is not None
        self._orient = None if orient is None else require_orientation(orient)
        self._ours = False

    def meet(self, ours: bool) -> None:
        """Hear whether the server is one of ours."""
        self._ours = ours

    @property
    def orient(self) -> str:
        """Which way round pictures go: as in LIBERO's data, unless the model was trained here."""
        if self._orient is not None:
            return self._orient
        return "mirror" if self._ours or self._adapter.mirror else "upright"

    def state(self, observation: Observation) -> NDArray[np.float64]:
        """Return the state as the model knows it."""
        if self._ours:
            return observation.state
        return np.asarray(self._adapter.state(observation), dtype=np.float64)

    def actions(self, actions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the model's actions [H, 7] as ours: clipped and slowed as LIBERO's controller would."""
        if self._ours or not self._moves_otherwise or actions.shape[1] != 7:
            return actions
        self._adapter.chunk = len(actions)
        return np.asarray(self._adapter.to_actions(actions), dtype=np.float64)
