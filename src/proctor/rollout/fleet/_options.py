"""How a run and its agents find and keep each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ._address import LOOPBACK


class Launcher(Protocol):
    """Starts agents somewhere: a process here, actors of Ray."""

    def start(self, address: str, token: str) -> None:
        """Start agents that join the run at ``address``."""
        ...

    def tend(self) -> str:
        """Replace what was lost; called about once a second. Return what the user should know, or ``""``."""
        ...

    def stop(self) -> None:
        """End what was started; agents have been told already that the run is over."""
        ...


def _silence(text: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """``lease_s``: a host that is silent for so long loses its episodes to others.

    ``announce`` hears once where agents can join (address, token); ``say`` hears how the fleet stands, ``note`` what
    happened to it, one line each.
    """

    listen: str = LOOPBACK
    token: str = ""
    lease_s: float = 15.0
    launchers: tuple[Launcher, ...] = ()
    announce: Callable[[str, str], None] = lambda address, token: None
    say: Callable[[str], None] = _silence
    note: Callable[[str], None] = _silence

    @property
    def beat_s(self) -> float:
        """Time between two signs of life; each also finds out whether the other end is still connected."""
        return min(1.0, self.lease_s / 5)
