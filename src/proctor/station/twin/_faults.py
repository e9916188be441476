"""Faults that can be switched on, one by one or by chance."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from proctor.core import ProctorError, did_you_mean
from proctor.station.arm import JOINTS

_KINDS = ("drop", "corrupt", "latency", "overload", "dead", "camera")


@dataclass(slots=True)
class TwinFaults:
    """What is wrong with the twin right now. Set the fields at any time.

    ``drop`` and ``corrupt`` are the chance that an answer is lost or broken; ``drop_next`` and ``corrupt_next`` count
    down answers that certainly are. ``latency_s`` delays every answer. ``overload``, ``dead`` name joints, ``cameras``
    cameras without a cable.
    """

    drop: float = 0.0
    corrupt: float = 0.0
    latency_s: float = 0.0
    drop_next: int = 0
    corrupt_next: int = 0
    overload: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)
    cameras: set[str] = field(default_factory=set)
    _rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0), repr=False)

    def seed(self, seed: int) -> None:
        """Make the chances repeatable."""
        self._rng = np.random.default_rng(seed)

    def drops(self) -> bool:
        """Whether the next answer is lost."""
        if self.drop_next > 0:
            self.drop_next -= 1
            return True
        return self.drop > 0 and bool(self._rng.random() < self.drop)

    def corrupts(self) -> bool:
        """Whether the next answer is broken."""
        if self.corrupt_next > 0:
            self.corrupt_next -= 1
            return True
        return self.corrupt > 0 and bool(self._rng.random() < self.corrupt)

    def add(self, text: str) -> None:
        """Switch on a fault written as ``drop=0.02``, ``latency=0.01``, ``overload=gripper``, ``camera=wrist``..."""
        kind, _, value = text.partition("=")
        if kind not in _KINDS or not value:
            raise ProctorError(
                f"no fault {text!r}{did_you_mean(kind, _KINDS)}: write drop=0.02, corrupt=0.02, latency=0.01, "
                f"overload=JOINT, dead=JOINT or camera=NAME"
            )
        if kind in {"overload", "dead"}:
            if value not in JOINTS:
                raise ProctorError(f"fault {text!r}: no joint {value!r}{did_you_mean(value, JOINTS)}")
            getattr(self, kind).add(value)
        elif kind == "camera":
            self.cameras.add(value)
        else:
            self._set_number(kind, value, text)

    def _set_number(self, kind: str, value: str, text: str) -> None:
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1:
            raise ProctorError(f"fault {text!r}: give a number from 0 to 1 (a chance, or seconds of latency)")
        setattr(self, "latency_s" if kind == "latency" else kind, number)
