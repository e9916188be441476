"""A scripted person who calibrates the arm: holds the zero pose, then moves every joint from stop to stop.

The person watches the servos, not the program that calibrates, and so serves ours and LeRobot's alike: as long as all
joints are limp the arm is held in its zero pose; once every joint reads 2047 there, the sweep is done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Final

from proctor.core import named_rng
from proctor.station.arm import JOINTS, ZERO_TICK, registers

from ._twin import Twin

_SWEPT: Final = tuple(joint for joint in JOINTS if joint != "wrist_roll")


class Operator:
    """Calibrates whenever the arm is limp.

    ``zero_error_deg`` is the spread with which the zero pose is missed; ``sweep`` is how much of a joint's range is
    swept on its lower side (1 is all of it). ``sweeps`` counts the sweeps that are done.
    """

    def __init__(
        self, twin: Twin, *, zero_error_deg: float = 0.0, sweep: Mapping[str, float] | None = None, seed: int = 0
    ) -> None:
        rng = named_rng(seed, "operator")
        self._twin = twin
        self.zero_deg = {joint: float(rng.normal(0, zero_error_deg)) if zero_error_deg else 0.0 for joint in JOINTS}
        self._sweep = dict(sweep or {})
        self._swept_for: tuple[int, ...] | None = None
        self._moving = False
        self.sweeps = 0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="operator", daemon=True)

    def __enter__(self) -> Operator:
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ending.wait(0.02):
            if any(servo.torque_on for servo in self._twin.servos):
                continue
            if not self.at_zero:
                self._twin.hand(self.zero_deg)
            offsets = self._offsets()
            ticks = [servo.get(registers.PRESENT_POSITION) for servo in self._twin.servos]
            if offsets != self._swept_for:
                # Whoever calibrates has begun anew: sweep again, even if the same offsets come out.
                self._swept_for = None
            if self._swept_for is None and all(abs(tick - ZERO_TICK) <= 1 for tick in ticks):
                self._moving = False
                if self._sweep_all(offsets):
                    self._swept_for = offsets
                    self.sweeps += 1
                elif self._moving:
                    # Nobody watches any more: back to where whoever begins anew wants the arm.
                    self._twin.hand(self.zero_deg)
                self._moving = False

    @property
    def at_zero(self) -> bool:
        """Whether the arm is in the zero pose, as well as this person holds it, and stays there."""
        angles = self._twin.joints_deg()
        return not self._moving and all(abs(angles[joint] - self.zero_deg[joint]) < 0.01 for joint in JOINTS)

    def _sweep_all(self, offsets: tuple[int, ...]) -> bool:
        """Move every joint from stop to stop; return whether somebody watched all of it."""
        # The other side has to be watching before anything moves.
        if not self._seen(5):
            return False
        self._moving = True
        for joint in _SWEPT:
            low, high = self._twin.joint_range_deg(joint)
            low *= self._sweep.get(joint, 1.0)
            for angle in (low / 2, low, high / 2, high, self.zero_deg[joint]):
                if any(servo.torque_on for servo in self._twin.servos) or self._offsets() != offsets:
                    return False
                self._twin.hand({joint: angle})
                if not self._seen(2):
                    return False
        return True

    def _offsets(self) -> tuple[int, ...]:
        return tuple(servo.get(registers.HOMING_OFFSET) for servo in self._twin.servos)

    def _seen(self, readings: int) -> bool:
        """Wait until the position was read that many times; return False when nobody reads any more."""
        wanted = self._twin.requests["sync_read"] + readings
        limit = time.monotonic() + 5.0
        while self._twin.requests["sync_read"] < wanted:
            if time.monotonic() > limit or self._ending.is_set():
                return False
            time.sleep(0.002)
        return True
