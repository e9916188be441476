"""Does the world wait while a policy thinks? The text in specs and rows, and the steps that a latency costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ._errors import ProctorError

MAX_LATENCY_S = 3600.0
# Sums of latencies are rounded in their last bits; a step that is due to within this much of a step is due.
_TOLERANCE_STEPS = 1e-9


@dataclass(frozen=True, slots=True)
class Timing:
    """``pause``: the world waits. ``charge``: it goes on, for ``latency_s`` per request, or as measured if None."""

    mode: Literal["pause", "charge"] = "pause"
    latency_s: float | None = None

    @classmethod
    def parse(cls, text: str) -> Timing:
        """Read ``pause``, ``charge:measured`` or ``charge:SECONDS``."""
        mode, _, latency = text.partition(":")
        if text == "pause":
            return cls()
        if mode != "charge" or not latency:
            raise ProctorError(f"timing {text!r} is none of pause, charge:measured, charge:SECONDS")
        if latency == "measured":
            return cls("charge")
        try:
            seconds = float(latency)
        except ValueError:
            raise ProctorError(f"--latency is {latency!r}: write measured, or seconds as in 0.1") from None
        if not 0.0 <= seconds <= MAX_LATENCY_S:
            raise ProctorError(f"--latency is {latency}: it must be from 0 to {MAX_LATENCY_S:g} seconds")
        return cls("charge", seconds)

    def __str__(self) -> str:
        if self.mode == "pause":
            return "pause"
        return f"charge:{'measured' if self.latency_s is None else format(self.latency_s, '.9g')}"


class StepDebt:
    """Turns latencies into control steps: ``floor((carry + L) * control_hz)``, and what is left is carried on."""

    def __init__(self, control_hz: float) -> None:
        self._hz = control_hz
        self._carry_steps = 0.0

    def steps(self, latency_s: float) -> int:
        """Return how many control steps pass during ``latency_s``."""
        due = self._carry_steps + latency_s * self._hz
        whole = math.floor(due + _TOLERANCE_STEPS)
        self._carry_steps = max(0.0, due - whole)
        return whole


def holds_at_zero(control_mode: str) -> bool:
    """Return whether an all-zero motion means *stay*: true of modes that command differences (``delta_...``)."""
    return control_mode.startswith("delta_")
